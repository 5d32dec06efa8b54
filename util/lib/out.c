// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/out.h"

#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

void out__init(struct out *out, int fd)
{
	*out = (struct out){ .fd = fd, .buf = xmalloc(OUT_SIZE), .cap = OUT_SIZE };
}

void out__exit(struct out *out)
{
	if (out->fd >= 0)
		out__flush(out);
	free(out->buf);
	*out = (struct out){ .fd = -1, .error = out->error, .written = out->written };
}

int out__flush(struct out *out)
{
	size_t done = 0;

	while (!out->error && done < out->len) {
		ssize_t n = write(out->fd, out->buf + done, out->len - done);

		if (n >= 0)
			done += n;
		else if (errno != EINTR)
			out->error = -errno;
	}
	out->written += done;
	out->len = 0;
	return out->error;
}

const char *out__take(struct out *out)
{
	*out__room(out, 1) = '\0';
	return out->buf;
}

char *out__room_slow(struct out *out, size_t len)
{
	if (out->fd >= 0)
		out__flush(out);
	if (out->cap - out->len < len)
		array__reserve(&out->buf, &out->cap, out->len + len, 1);
	return out->buf + out->len;
}

static void put_name(struct out *out, const char *s, size_t len)
{
	char *p = out__room(out, len + 1);

	if (likely(text__is_printable(s, len)))
		memcpy(p, s, len);
	else
		text__printable(p, len + 1, s);
	out->len += len;
}

void out__name(struct out *out, const char *s)
{
	put_name(out, s, strlen(s));
}

void out__field(struct out *out, const char *s, const char *separator)
{
	if (s[0] != '"' && (!*separator || !strstr(s, separator))) {
		out__name(out, s);
		return;
	}
	out__char(out, '"');
	for (const char *quote; (quote = strchr(s, '"')); s = quote + 1) {
		put_name(out, s, quote - s + 1);
		out__char(out, '"');
	}
	out__name(out, s);
	out__char(out, '"');
}

void out__fill(struct out *out, char c, int count)
{
	if (count <= 0)
		return;
	memset(out__room(out, count), c, count);
	out->len += count;
}

static void put_padded(struct out *out, const char *digits, int len, int width, char pad)
{
	out__fill(out, pad, width - len);
	out__mem(out, digits, len);
}

/* Write the digits to the end of @buf of 20 bytes; returns their first place. */
static char *digits_of(char buf[static 20], u64 value)
{
	static const char pairs[201] =
	        "0001020304050607080910111213141516171819202122232425262728293031323334353637383940"
	        "4142434445464748495051525354555657585960616263646566676869707172737475767778798081"
	        "828384858687888990919293949596979899";
	char *p = buf + 20;

	while (value >= 100) {
		p -= 2;
		memcpy(p, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value >= 10) {
		p -= 2;
		memcpy(p, pairs + value * 2, 2);
	} else {
		*--p = '0' + value;
	}
	return p;
}

void out__dec(struct out *out, u64 value, int width)
{
	char buf[20], *p = digits_of(buf, value);

	put_padded(out, p, buf + 20 - p, width, ' ');
}

void out__dec0(struct out *out, u64 value, int width)
{
	char buf[20], *p = digits_of(buf, value);

	put_padded(out, p, buf + 20 - p, width, '0');
}

void out__sdec(struct out *out, s64 value)
{
	if (value < 0)
		out__char(out, '-');
	out__dec(out, value < 0 ? 0 - (u64)value : (u64)value, 0);
}

/* The eight digits of @value, as they lie in memory: each nibble becomes a byte, all at once. */
static u64 hex_digits(u32 value)
{
	const u64 ones = 0x0101010101010101ull;
	u64 x = value;

	x = (x << 16 | x) & 0x0000ffff0000ffffull;
	x = (x << 8 | x) & 0x00ff00ff00ff00ffull;
	x = (x << 4 | x) & 15 * ones;
	u64 letters = (x + 6 * ones) >> 4 & ones;

	return htobe64(x + '0' * ones + letters * ('a' - '9' - 1));
}

static void put_hex(struct out *out, u64 value, int width, char pad)
{
	u64 digits[4] = { hex_digits(value >> 32),
		          hex_digits(value) }; /* some are read behind them */
	int len = value ? (67 - __builtin_clzll(value)) / 4 : 1;

	out__fill(out, pad, width - len);
	memcpy(out__room(out, sizeof(u64[2])), (char *)digits + 16 - len, sizeof(u64[2]));
	out->len += len;
}

void out__hex(struct out *out, u64 value, int width)
{
	put_hex(out, value, width, ' ');
}

void out__hex0(struct out *out, u64 value, int width)
{
	put_hex(out, value, width, '0');
}

void out__right(struct out *out, const char *s, int width)
{
	size_t len = strlen(s);

	out__fill(out, ' ', width - (int)len);
	put_name(out, s, len);
}

void out__left(struct out *out, const char *s, int width)
{
	size_t len = strlen(s);

	put_name(out, s, len);
	out__fill(out, ' ', width - (int)len);
}

void out__percent(struct out *out, u64 part, u64 whole, int decimals, int width)
{
	double percent = whole ? 100.0 * (double)part / (double)whole : 0.0;
	double hundredths = percent * 100, rest = hundredths - (u64)hundredths;
	char buf[64];

	/* printf is slow. Where no rounding can be in doubt, these are the digits that it prints.
	 */
	if (decimals == 2 && percent < 1000 && (rest < 0.499999 || rest > 0.500001)) {
		u64 n = (u64)hundredths + (rest > 0.5);

		out__dec(out, n / 100, width - 3);
		out__char(out, '.');
		out__dec0(out, n % 100, 2);
		return;
	}
	int n = snprintf(buf, sizeof(buf), "%*.*f", width, decimals, percent);

	out__mem(out, buf, n);
}

void out__printf(struct out *out, const char *fmt, ...)
{
	va_list args;
	char buf[512];

	va_start(args, fmt);
	int n = vsnprintf(buf, sizeof(buf), fmt, args);

	va_end(args);
	if (n < 0) /* a width beyond that of any text */
		return;
	if (n < (int)sizeof(buf)) {
		out__mem(out, buf, n);
		return;
	}
	char *p = out__room(out, n + 1);

	va_start(args, fmt);
	vsnprintf(p, n + 1, fmt, args);
	va_end(args);
	out->len += n;
}
