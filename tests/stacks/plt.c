// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls a function of a shared library that does nothing. */
extern void nothing(void);
volatile int sink;
__attribute__((noinline)) void calls(void)
{
	for (int i = 0; i < 100000; i++)
		nothing();
	sink++;
}
int main(void)
{
	for (int i = 0; i < 3000; i++)
		calls();
	return 0;
}
