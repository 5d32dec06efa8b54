// SPDX-License-Identifier: GPL-2.0-or-later
// Exceptions through up to twelve frames.
#include <stdexcept>
#include <string>
volatile unsigned long sink;
__attribute__((noinline)) int thrower(int n)
{
	if (n == 0)
		throw std::runtime_error("x" + std::to_string(sink % 7));
	return thrower(n - 1) + 1;
}
__attribute__((noinline)) int catcher(int n)
{
	std::string text(n % 50 + 20, 'a');
	try {
		return thrower(n % 12);
	} catch (const std::exception &e) {
		sink += text.size() + e.what()[0];
		return 3;
	}
}
int main()
{
	for (int i = 0; i < 150000; i++)
		sink += catcher(i);
	return 0;
}
