// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls a function of a shared library that does nothing. */
extern void nothing(void);
volatile int sink;
__attribute__((noinline)) void calls(void)
{
	for (int i = 0; i < 1000; i++)
		nothing();
	sink++;
}
int main(void)
{
	calls();
	return 0;
}
