// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the letters behind %p make of bytes: addresses of networks and identifiers. The kernel's
 * meaning is in its Documentation/core-api/printk-formats.rst.
 */
#include "util/trace/trace_program_private.h"

#include <sys/socket.h>

#define MAC_SIZE  6
#define IP4_SIZE  4
#define IP6_SIZE  16
#define UUID_SIZE 16
#define IP6_WORDS 8

static void print_mac(struct out *out, const u8 *b, const struct step *step)
{
	char between = step->variant == 'm' ? 0 : step->order == 'F' ? '-' : ':';

	for (int i = 0; i < MAC_SIZE; i++) {
		if (i && between)
			out__char(out, between);
		out__hex0(out, b[i], 2);
	}
}

static void print_ip4(struct out *out, const u8 *b, bool zeros)
{
	for (int i = 0; i < IP4_SIZE; i++) {
		if (i)
			out__char(out, '.');
		if (zeros)
			out__dec0(out, b[i], 3);
		else
			out__dec(out, b[i], 0);
	}
}

static u16 ip6_word(const u8 *b, int i)
{
	return b[2 * i] << 8 | b[2 * i + 1];
}

static void print_ip6(struct out *out, const u8 *b, bool colons)
{
	for (int i = 0; i < IP6_WORDS; i++) {
		if (i && colons)
			out__char(out, ':');
		out__hex0(out, ip6_word(b, i), 4);
	}
}

/* The first of the longest runs of more than one zero word, or IP6_WORDS. */
static int longest_zeros(const u8 *b, int words, int *len)
{
	int best = IP6_WORDS;

	*len = 1;
	for (int i = 0, end; i < words; i = end + 1) {
		for (end = i; end < words && !ip6_word(b, end);)
			end++;
		if (end - i > *len) {
			best = i;
			*len = end - i;
		}
	}
	return best;
}

/* RFC 5952; with an IPv4 address at its end where it holds one (RFC 4291, 2.5.5.2; RFC 5214). */
static void print_ip6_short(struct out *out, const u8 *b)
{
	bool mapped = !load_u64(b, false) && !ip6_word(b, 4) && ip6_word(b, 5) == 0xffff;
	bool isatap = (load_u32(b + 8, false) | load_u32((const u8[]){ 2, 0, 0, 0 }, false)) ==
	              load_u32((const u8[]){ 2, 0, 0x5e, 0xfe }, false);
	bool ip4 = mapped || isatap, colon = false;
	int words = ip4 ? 6 : IP6_WORDS, len;
	int zeros = longest_zeros(b, words, &len);

	for (int i = 0; i < words; i++) {
		if (i == zeros) {
			out__mem(out, "::", colon && zeros ? 2 : 2);
			i += len - 1;
			colon = false;
			continue;
		}
		if (colon)
			out__char(out, ':');
		out__hex(out, ip6_word(b, i), 0);
		colon = true;
	}
	if (!ip4)
		return;
	if (colon)
		out__char(out, ':');
	print_ip4(out, b + 12, false);
}

static void print_any_ip6(struct out *out, const u8 *b, const struct step *step)
{
	if (step->order == 'c' && step->variant == 'I')
		print_ip6_short(out, b);
	else
		print_ip6(out, b, step->variant == 'I');
}

/* A struct sockaddr_in or sockaddr_in6; the family is in the file's byte order. */
static void print_socket(const struct run *run, const u8 *b, u32 len, const struct step *step)
{
	struct out *out = run->out;
	u16 family = len >= 2 ? load_u16(b, run->swap) : 0;

	if (family == AF_INET) {
		if (len < 8) {
			out__str(out, "INVALIDIPv4");
			return;
		}
		print_ip4(out, b + 4, step->variant == 'i');
	} else if (family == AF_INET6) {
		if (len < 8 + IP6_SIZE) {
			out__str(out, "INVALIDIPv6");
			return;
		}
		if (step->port)
			out__char(out, '[');
		print_any_ip6(out, b + 8, step);
		if (step->port)
			out__char(out, ']');
	} else {
		return;
	}
	if (step->port) {
		out__char(out, ':');
		out__dec(out, b[2] << 8 | b[3], 0);
	}
}

static void print_uuid(struct out *out, const u8 *b, char order)
{
	static const u8 big[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const u8 little[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	const u8 *places = order == 'l' || order == 'L' ? little : big;
	const char *digits = order == 'B' || order == 'L' ? "0123456789ABCDEF" : "0123456789abcdef";

	for (int i = 0; i < UUID_SIZE; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			out__char(out, '-');
		out__char(out, digits[b[places[i]] >> 4]);
		out__char(out, digits[b[places[i]] & 15]);
	}
}

/* Bytes of the one size that they must have. */
static bool has_size(const struct run *run, u32 len, u32 size, const char *name)
{
	if (len == size)
		return true;
	out__str(run->out, "INVALID");
	out__str(run->out, name);
	return false;
}

void trace_address__print(const struct run *run, const struct step *step)
{
	u32 len;
	const u8 *bytes = trace_run__bytes(run, &step->bytes, &len);

	switch (step->code) {
	case STEP_MAC:
		if (has_size(run, len, MAC_SIZE, "MAC"))
			print_mac(run->out, bytes, step);
		break;
	case STEP_IP4:
		if (has_size(run, len, IP4_SIZE, "IPv4"))
			print_ip4(run->out, bytes, step->variant == 'i');
		break;
	case STEP_IP6:
		if (has_size(run, len, IP6_SIZE, "IPv6"))
			print_any_ip6(run->out, bytes, step);
		break;
	case STEP_UUID:
		if (has_size(run, len, UUID_SIZE, "UUID"))
			print_uuid(run->out, bytes, step->order);
		break;
	case STEP_SOCKET:
		if (bytes)
			print_socket(run, bytes, len, step);
		break;
	}
}
