// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 */
/*
 * course: a program with functions and variables of the names that a course on perf probe uses in
 * the kernel, so that its command lines can be tried without one. It prints what a probe should
 * read: "tcp_sendmsg size=N skc_state=N ..." at each call, "returns N" at its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct common {
	int skc_state;
	short family;
};
struct sock {
	struct common __sk_common;
	struct sock *sk;
	long wmem;
};

int nr_swap_pages = 77;
int tcp_memory_pressure = 5;

__attribute__((noinline)) int tcp_push(struct sock *sk, int flags)
{
	sk->wmem += flags;
	return flags;
}

__attribute__((noinline)) int tcp_sendmsg(struct sock *sk, char *msg, size_t size)
{
	int flags = 3;
	long timeo = sk->wmem;
	int copied = 0;

	printf("tcp_sendmsg size=%zu skc_state=%d msg=\"%s\"\n", size, sk->__sk_common.skc_state,
	       msg);
	while (size > 0) {
		int seglen = size > 100 ? 100 : (int)size;
		if (seglen == 100)
			tcp_push(sk, flags);
		copied += seglen;
		size -= seglen;
	}
	tcp_push(sk, copied & 0xff);
	printf("returns %d after %ld\n", copied, timeo);
	return copied;
}

__attribute__((noinline)) char *getname_flags(const char *filename, int flags)
{
	char *result = malloc(strlen(filename) + 1 + flags);

	strcpy(result, filename);
	return result;
}

int main(void)
{
	struct sock inner = { { 7, 2 }, NULL, 40 }, outer = { { 1, 2 }, &inner, 50 };
	char text[300] = "hello";
	char *name;

	for (int i = 0; i < 3; i++) {
		outer.__sk_common.skc_state = i;
		tcp_sendmsg(&outer, text, 40 + 130 * i);
	}
	name = getname_flags("/etc/passwd", 5);
	puts(name);
	free(name);
	return 0;
}
