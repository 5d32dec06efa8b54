/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code for golden annotations: see README.md. It is never run. */
volatile unsigned long sink;

static inline __attribute__((always_inline)) void add(unsigned long n)
{
	sink += n;
}

__attribute__((noinline)) void leaf(unsigned long n)
{
	while (n--)
		add(n);
}

__attribute__((noinline)) void nested(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		for (unsigned long j = 0; j < i; j++)
			add(j);
		leaf(i);
	}
}

void _start(void)
{
	for (;;)
		nested(sink);
}
