// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -fno-inline */
/*
 * probes: a program with static probe points, made by hand in the form that <sys/sdt.h> has, so
 * that no package is needed. On x86-64 only; elsewhere it has none. Calls each once.
 *
 *	planted:plain	no arguments
 *	planted:many	of each kind of argument one: a register, memory, a constant, an address
 *	planted:many2	with a semaphore; "waited for" is printed when somebody raised it
 *	planted:twice	in two places
 */
#include <stdio.h>

#ifdef __x86_64__
#define PROBE(name, semaphore, args)                                                               \
	__asm__ volatile("990: nop\n"                                                              \
	                 ".pushsection .note.stapsdt, \"\", @note\n"                               \
	                 ".balign 4\n"                                                             \
	                 ".4byte 992f - 991f, 994f - 993f, 3\n"                                    \
	                 "991: .asciz \"stapsdt\"\n"                                               \
	                 "992: .balign 4\n"                                                        \
	                 "993: .8byte 990b, _.stapsdt.base, " semaphore "\n"                       \
	                 ".asciz \"planted\", \"" name "\", \"" args "\"\n"                        \
	                 "994: .balign 4\n"                                                        \
	                 ".popsection\n")

__asm__(".pushsection .stapsdt.base, \"aG\", @progbits, .stapsdt.base, comdat\n"
        ".weak _.stapsdt.base\n"
        ".hidden _.stapsdt.base\n"
        "_.stapsdt.base: .space 1\n"
        ".popsection\n"
        ".pushsection .probes, \"aw\"\n"
        "planted_semaphore: .2byte 0\n"
        ".popsection\n");
#else
#define PROBE(name, semaphore, args)
#endif

__attribute__((noinline)) static void plain(void)
{
	PROBE("plain", "0", "");
	PROBE("twice", "0", "");
}

__attribute__((noinline)) static void many(void)
{
	PROBE("many", "0", "8@%rdi -4@-20(%rbp) -4@$7 8@(%rax) 2@%r9w 8@stdout(%rip) 1@%dil");
	PROBE("many2", "planted_semaphore", "-8@%rsi");
	PROBE("twice", "0", "4@%eax");
}

int main(void)
{
#ifdef __x86_64__
	extern volatile short planted_semaphore;

	if (planted_semaphore)
		puts("waited for");
#endif
	plain();
	many();
	return 0;
}
