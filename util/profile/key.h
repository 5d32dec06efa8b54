/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sort keys: the properties that the rows of one entry share. Each key is one object, which tells
 * all about it; -s and its help, completion, headings and cells read the same table (key.c). A key
 * belongs to the row (comm, tid, cpu), to the location of the code (dso, symbol, srcline), or to
 * the sample: such values are kept only where a profile was asked for them (struct
 * profile_options).
 *
 * Keys of samples can be made at run time, too, for what only a recording knows: extract(),
 * compare() and cell() find what they need behind the key that they are given.
 */
#ifndef PERF_UTIL_PROFILE_KEY_H
#define PERF_UTIL_PROFILE_KEY_H

#include "util/lib/cell.h"
#include "util/lib/error.h"
#include "util/lib/out.h"
#include "util/profile/names.h"
#include "util/profile/profile.h"
#include "util/profile/source.h"

enum key_scope {
	KEY_OF_ROW,
	KEY_OF_LOCATION,
	KEY_OF_SAMPLE,
};

/* What must be known before a key has values. */
enum key_needs {
	KEY_NEEDS_SYMBOLS = 1u << 0,
	KEY_NEEDS_SOURCE = 1u << 1,  /* lines of the source */
	KEY_NEEDS_CPU = 1u << 2,     /* struct row's */
	KEY_NEEDS_THREADS = 1u << 3, /* key_data.threads, and rows of each thread */
	KEY_NEEDS_CHAINS = 1u << 4,  /* call chains in the rows */
	KEY_NEEDS_PARENT = 1u << 5,  /* key_data.parent_of_row */
};

/* What a file or a mode must have for a key to mean something. */
enum key_kind {
	KEY_PLAIN,
	KEY_OF_BRANCHES, /* rows are branches */
	KEY_OF_MEMORY,   /* report --mem-mode */
};

/* What keys read. All is borrowed. */
struct key_data {
	const struct profile *profile;
	const struct names *names;
	const struct source *source; /* for KEY_NEEDS_SOURCE, else NULL */
	struct u64map threads;       /* by tid: the latest thread that the rows have */
	const u32 *parent_of_row;    /* a sym of names; ID_NONE: none matches */
	const s32 *socket_of_cpu;    /* nr_sockets of them; -1: not known */
	u32 nr_sockets;
	bool nanoseconds; /* of times: all nine digits */
	bool by_symbol;   /* the symbol is among the keys */
	bool verbose;     /* full names of dsos; addresses and origins of symbols */
};

struct sort_key;

struct key {
	const char *name;    /* "symbol" */
	const char *heading; /* of its column: "Symbol" */
	u32 least;           /* so many letters of the name are enough; 0: one is */
	enum key_scope scope;
	enum key_kind kind;
	bool fixed;     /* the column does not grow with its cells */
	bool right;     /* its cells stand at the right end of the column */
	bool ragged;    /* nothing follows its cells in a last column */
	bool per_event; /* the cell is a number times the samples of the entry */
	unsigned needs;
	/*
	 * Of the row or location @subject: equal values are one entry. NULL: that of
	 * KEY_OF_SAMPLE which the workers have taken from samples.
	 */
	u64 (*value)(const struct key_data *data, const struct sort_key *by, u32 subject);
	/* Values are below that; NULL: there is no bound that a table should have. */
	u32 (*nr_values)(const struct key_data *data);
	const struct key *implied_by; /* equal values of that key are equal here, too; or NULL */
	/* The order of two different values by what they say; NULL: by number. */
	int (*compare)(const struct key_data *data, const struct key *key, u64 a, u64 b);
	/* The order of rows: what is equal here is told apart by the keys that follow, and only
	 * then by compare(); NULL: compare(). */
	int (*order)(const struct key_data *data, const struct key *key, u64 a, u64 b);
	/*
	 * What stands in the column. @text, for building it, is empty and kept until the next.
	 * NULL: the value, as a number.
	 */
	void (*cell)(const struct key_data *data, const struct sort_key *by, u32 subject,
	             struct out *text, struct cell *cell);
	/* What the column keeps free for @subject; NULL: the length of the cell's text. */
	u32 (*width)(const struct key_data *data, const struct sort_key *by, u32 subject);
	/*
	 * KEY_OF_SAMPLE: the value in a fully decoded sample, or the address whose location (of the
	 * profile) is the value. Several threads call it.
	 */
	u64 (*extract)(const struct key *key, const struct sample *sample);
	u64 (*address)(const struct key *key, const struct sample *sample, u8 *cpumode);
	/* In place of extract(): where it depends on the event. */
	u64 (*of_event)(const struct key *key, const struct evsel *evsel,
	                const struct sample *sample);
	u32 evsel;    /* of_event: only this event's tables have the column; ID_NONE: all */
	bool of_data; /* that address is one of data */
	bool divides; /* periods of rows are divided by it: no row may be split among workers */
	/* It is made of the values of these, which are taken in its place; NULL: of its own. */
	const struct key *parts[2];
	u64 sample_type;      /* PERF_SAMPLE_* bits: samples need one of them for it; 0: none */
	const char *recorded; /* the option of perf record that keeps them: "--weight" */
};

/* A key in use. */
struct sort_key {
	const struct key *key;
	/* KEY_OF_SAMPLE: of its value or parts among those of the profile, by sort_keys__bind(). */
	u32 slot, slot2;
};

#define SORT_KEYS_MAX   256
#define SAMPLE_KEYS_MAX (2 * SORT_KEYS_MAX)

struct sort_keys {
	struct sort_key list[SORT_KEYS_MAX]; /* in the order of columns */
	u32 nr;
	unsigned needs; /* of all */
};

/* Keys that others than the table ask about. */
extern const struct key key_comm, key_dso, key_symbol, key_parent;

/* Of a profile of blocks (util/view/blocks.h), beside its keys: the place where the block of a row
 * begins, and its cycles. */
extern const struct key key_block_start, key_block_cycles;

/* Key @i of the table; NULL behind the last. */
const struct key *sort_keys__table(u32 i);

#define SORT_KEYS_DEFAULT "comm,dso,symbol"

#define KEY_TIME_QUANTUM 100000000 /* ns */

/* The key "time" with another quantum (ns; 0: every moment is one), to be given as @more; free().
 */
struct key *key_time__new(u64 quantum);

/*
 * Parse "comm,dso,symbol". As in Linux's perf a prefix of a name is enough ("sym"), upper and lower
 * case are the same, and a repeated key counts once. Overhead is always shown; as the only key it
 * puts all rows into one entry. @more: keys made at run time, NULL behind the last; or NULL.
 * -EINVAL with @err for an unknown key; the advice lists the nearest or all names. -E2BIG for more
 * than SORT_KEYS_MAX.
 */
int sort_keys__parse(struct sort_keys *keys, const char *text, const struct key *const *more,
                     struct error *err);

/*
 * The key of the table or of @more whose name begins with @word, or NULL. One of @more stands in
 * for the table's of the same name.
 */
const struct key *sort_keys__find(const char *word, const struct key *const *more);

/*
 * How many threads ran at the time of a sample, by @extract_. The table's is only for lists: the
 * one of a recording is made from its context switches (util/view/key_parallelism.h).
 */
#define KEY_PARALLELISM(extract_)                                                                  \
	{                                                                                          \
		.name = "parallelism", .heading = "Parallelism", .least = 4,                       \
		.scope = KEY_OF_SAMPLE, .extract = (extract_), .sample_type = PERF_SAMPLE_TIME,    \
		.divides = true, .recorded = "--latency"                                           \
	}

/* Add to the end, if it is not there. 0, or -E2BIG with @err. */
int sort_keys__add(struct sort_keys *keys, const struct key *key, struct error *err);

#define SORT_KEYS_UNKNOWN "unknown sort key" /* error.what of the first of these */

/* -EINVAL with @err: there is no such key, which may be meant, or why it is absent. */
int sort_keys__unknown(const char *word, const struct key *const *more, struct error *err);

#define SORT_KEYS_WORD_MAX 128

/*
 * Take the next word of the list *text, "a,b c", which moves on. 1, with @word; 0: there is none;
 * -EINVAL with @err: it is too long for any key.
 */
int sort_keys__word(const char **text, char word[static SORT_KEYS_WORD_MAX],
                    const struct key *const *more, struct error *err);

bool sort_keys__has(const struct sort_keys *keys, const struct key *key);

/*
 * Do samples of some event of @evlist have what each key needs? Else -ENODATA with @err, which
 * names the key and the option to record with.
 */
int sort_keys__check(const struct sort_keys *keys, const struct evlist *evlist, struct error *err);

/* Does each key mean something where rows are of @kind? Else -EINVAL with @err. */
int sort_keys__check_kind(const struct sort_keys *keys, enum key_kind kind, struct error *err);

/* What of @keys belongs to samples, into @list: their number. */
u32 sort_keys__of_samples(const struct sort_keys *keys, const struct key *list[SAMPLE_KEYS_MAX]);

/* The place of @key in the values of @profile, which was built with it. */
u32 key__slot(const struct key *key, const struct profile *profile);

/* Find the keys of samples among those that @profile was built with: all must be there. */
void sort_keys__bind(struct sort_keys *keys, const struct profile *profile);

static inline u64 sort_key__value(const struct key_data *data, const struct sort_key *by,
                                  u32 subject)
{
	if (by->key->value)
		return by->key->value(data, by, subject);
	return profile__sample_value(data->profile, subject, by->slot);
}

static inline int sort_key__compare(const struct key_data *data, const struct sort_key *by, u64 a,
                                    u64 b)
{
	if (a == b)
		return 0;
	return by->key->compare ? by->key->compare(data, by->key, a, b) : a > b ? 1 : -1;
}

/* The cell of @subject; @text is for building it. */
void sort_key__cell(const struct key_data *data, const struct sort_key *by, u32 subject,
                    struct out *text, struct cell *cell);

/* Note the thread of @row, for keys with KEY_NEEDS_THREADS. */
void key_data__see(struct key_data *data, const struct row *row);

#endif
