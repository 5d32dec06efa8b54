// SPDX-License-Identifier: GPL-2.0-or-later
/* Sort keys of single fields of samples, and of what a file says about CPUs, cgroups and sizes. */
#include <linux/perf_event.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/profile/key_local.h"

int key__descending(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)data;
	(void)key;
	return a < b ? 1 : -1;
}

int key__signed(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)data;
	(void)key;
	return (s64)a > (s64)b ? 1 : -1;
}

/* ---- weights and latencies: of the sample, and summed up over an entry ---- */

static u32 weight_part(const struct sample *sample, unsigned from, unsigned bits)
{
	return sample->weight >> from & ((1ull << bits) - 1);
}

static u64 weight_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample__weight(sample);
}

static u64 second_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->weight_whole ? 0 : weight_part(sample, 32, 16);
}

static u64 third_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->weight_whole ? 0 : weight_part(sample, 48, 16);
}

#define WEIGHT_KEY(name_, heading_, extract_, per_event_, types_)                                  \
	{                                                                                          \
		.name = (name_), .heading = (heading_), .scope = KEY_OF_SAMPLE,                    \
		.extract = (extract_), .compare = key__descending, .per_event = (per_event_),      \
		.sample_type = (types_), .recorded = "-W (--weight)"                               \
	}
#define ANY_WEIGHT (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)

static const struct key
        key_local_weight = WEIGHT_KEY("local_weight", "Local Weight", weight_of, false, ANY_WEIGHT),
        key_weight = WEIGHT_KEY("weight", "Weight      ", weight_of, true, ANY_WEIGHT),
        key_local_ins_lat = WEIGHT_KEY("local_ins_lat", "Local INSTR Latency", second_of, false,
                                       PERF_SAMPLE_WEIGHT_STRUCT),
        key_ins_lat =
                WEIGHT_KEY("ins_lat", "INSTR Latency", second_of, true, PERF_SAMPLE_WEIGHT_STRUCT),
        key_local_p_stage_cyc = WEIGHT_KEY("local_p_stage_cyc", "Local Pipeline Stage Cycle",
                                           third_of, false, PERF_SAMPLE_WEIGHT_STRUCT),
        key_p_stage_cyc = WEIGHT_KEY("p_stage_cyc", "Pipeline Stage Cycle", third_of, true,
                                     PERF_SAMPLE_WEIGHT_STRUCT),
        key_local_retire_lat = WEIGHT_KEY("local_retire_lat", "Local Retire Latency", third_of,
                                          false, PERF_SAMPLE_WEIGHT_STRUCT), /* x86's names of it */
        key_retire_lat = WEIGHT_KEY("retire_lat", "Retire Latency", third_of, true,
                                    PERF_SAMPLE_WEIGHT_STRUCT),
        key_weight1 = WEIGHT_KEY("weight1", "Weight1", weight_of, false, ANY_WEIGHT),
        key_weight2 = WEIGHT_KEY("weight2", "Weight2", second_of, false, PERF_SAMPLE_WEIGHT_STRUCT),
        key_weight3 = WEIGHT_KEY("weight3", "Weight3", third_of, false, PERF_SAMPLE_WEIGHT_STRUCT);

/* ---- transaction ---- */

static u64 transaction_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->transaction;
}

static void transaction_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                             struct out *text, struct cell *cell)
{
	static const char *const words[] = { "EL",    "TX",  "SYNC",      "ASYNC",
		                             "RETRY", "CON", "CAP-WRITE", "CAP-READ" };
	u64 flags = sort_key__value(data, by, row);
	u32 code = flags >> PERF_TXN_ABORT_SHIFT;

	for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
		if (flags >> i & 1)
			out__printf(text, "%s ", words[i]);
	if (flags && !(flags & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		out__str(text, "NEITHER ");
	if (code)
		out__printf(text, ":%x", code);
	*cell = cell__text(out__take(text));
}

static const struct key key_transaction = {
	.name = "transaction",
	.heading = "Transaction                     ",
	.scope = KEY_OF_SAMPLE,
	.extract = transaction_of,
	.compare = key__descending,
	.cell = transaction_cell,
	.sample_type = PERF_SAMPLE_TRANSACTION,
	.recorded = "--transaction",
};

/* ---- socket ---- */

static s32 socket_of(const struct key_data *data, u32 row)
{
	u16 cpu = key__row(data, row)->cpu;

	return cpu < data->nr_sockets ? data->socket_of_cpu[cpu] : -1;
}

static u64 socket_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	return (u64)(s64)socket_of(data, row);
}

static void socket_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                        struct out *text, struct cell *cell)
{
	(void)by;
	out__printf(text, "%.3d", socket_of(data, row));
	*cell = cell__text(out__take(text));
}

static const struct key key_socket = {
	.name = "socket",
	.heading = "Socket",
	.right = true,
	.scope = KEY_OF_ROW,
	.needs = KEY_NEEDS_CPU,
	.value = socket_value,
	.compare = key__signed,
	.cell = socket_cell,
};

/* ---- sizes ---- */

static u64 symbol_size_value(const struct key_data *data, const struct sort_key *by, u32 loc)
{
	const struct sym *sym = key__sym(data, loc);

	(void)by;
	if (!sym__named(sym))
		return 0;
	const struct symbol *symbol =
	        session_symbols__symbol(data->names->symbols, sym->dso, sym->index);

	return symbol->end - symbol->start;
}

static void size_cell(const struct key_data *data, const struct sort_key *by, u32 loc,
                      struct out *text, struct cell *cell)
{
	u64 size = sort_key__value(data, by, loc);

	if (size)
		out__dec(text, size, 0);
	else
		out__str(text, "unknown");
	*cell = cell__text(out__take(text));
}

static const struct key key_symbol_size = {
	.name = "symbol_size",
	.heading = "Symbol size",
	.right = true,
	.scope = KEY_OF_LOCATION,
	.needs = KEY_NEEDS_SYMBOLS,
	.value = symbol_size_value,
	.implied_by = &key_symbol,
	.cell = size_cell,
};

static u64 dso_size_value(const struct key_data *data, const struct sort_key *by, u32 loc)
{
	u32 dso = key__sym(data, loc)->dso;

	(void)by;
	return dso == ID_NONE ? 0 : dsos__at(&data->names->session->dsos, dso)->mapped;
}

static const struct key key_dso_size = {
	.name = "dso_size",
	.heading = "DSO size",
	.right = true,
	.scope = KEY_OF_LOCATION,
	.value = dso_size_value,
	.implied_by = &key_symbol,
	.cell = size_cell,
};

/* ---- cgroup: of samples; and of tasks by their namespace ---- */

static u64 cgroup_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->cgroup;
}

static const char *cgroup_path(const struct key_data *data, u64 id)
{
	return id ? cgroup_names__path(&data->names->session->cgroups, id) : "N/A";
}

static void cgroup_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                        struct out *text, struct cell *cell)
{
	const char *path = cgroup_path(data, sort_key__value(data, by, row));

	(void)text;
	*cell = cell__text(path ? path : "unknown");
}

static const struct key key_cgroup = {
	.name = "cgroup",
	.heading = "Cgroup",
	.least = 2,
	.ragged = true,
	.scope = KEY_OF_SAMPLE,
	.extract = cgroup_of,
	.cell = cgroup_cell,
	.sample_type = PERF_SAMPLE_CGROUP,
	.recorded = "--all-cgroups",
};

static struct cgroup_namespace namespace_of(const struct key_data *data, u32 row)
{
	const struct session *session = data->names->session;

	return cgroup_names__space(
	        &session->cgroups,
	        machine__thread(session->host, key__row(data, row)->thread)->tid);
}

static u64 cgroup_id_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	struct cgroup_namespace space = namespace_of(data, row);

	(void)by;
	return space.device << 40 ^ space.inode;
}

static void cgroup_id_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                           struct out *text, struct cell *cell)
{
	struct cgroup_namespace space = namespace_of(data, row);

	(void)by;
	out__printf(text, "%llu/%#llx", (unsigned long long)space.device,
	            (unsigned long long)space.inode);
	/* printf leaves the 0x of zero out */
	*cell = cell__text(space.inode ? out__take(text) : "0/0x0");
}

static const struct key key_cgroup_id = {
	.name = "cgroup_id",
	.heading = "cgroup id (dev/inode)",
	.least = 2,
	.ragged = true,
	.scope = KEY_OF_ROW,
	.needs = KEY_NEEDS_THREADS,
	.value = cgroup_id_value,
	.cell = cgroup_id_cell,
};

/* ---- time, cut to quanta ---- */

struct time_key {
	struct key key;
	u64 quantum;
};

static u64 time_of(const struct key *key, const struct sample *sample)
{
	u64 quantum = ((const struct time_key *)key)->quantum;

	return quantum ? sample->time / quantum * quantum : sample->time;
}

static void time_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                      struct out *text, struct cell *cell)
{
	(void)text;
	*cell = cell__time(sort_key__value(data, by, row), data->nanoseconds ? 9 : 6);
}

static u32 time_width(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	(void)row;
	return data->nanoseconds ? 16 : 12;
}

#define TIME_KEY(quantum_)                                                                         \
	{                                                                                          \
		.key = { .name = "time",                                                           \
			 .heading = "Time",                                                        \
			 .least = 2,                                                               \
			 .ragged = true,                                                           \
			 .scope = KEY_OF_SAMPLE,                                                   \
			 .extract = time_of,                                                       \
			 .cell = time_cell,                                                        \
			 .width = time_width,                                                      \
			 .sample_type = PERF_SAMPLE_TIME,                                          \
			 .recorded = "-T (--timestamp)" },                                         \
		.quantum = (quantum_),                                                             \
	}

static const struct time_key key_time = TIME_KEY(KEY_TIME_QUANTUM);

struct key *key_time__new(u64 quantum)
{
	struct time_key *key = xcalloc(1, sizeof(*key));
	const struct time_key made = TIME_KEY(quantum);

	memcpy(key, &made, sizeof(*key));
	return &key->key;
}

/* ---- pages, addresses ---- */

void key__page_size_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                         struct out *text, struct cell *cell)
{
	static const char units[] = "BKMG";
	u64 bytes = sort_key__value(data, by, row);
	unsigned unit = 0;

	*cell = cell__text("N/A");
	if (!bytes)
		return;
	for (; unit < 3 && bytes >= 2048; unit++)
		bytes /= 1024;
	out__dec(text, bytes, 0);
	out__char(text, units[unit]);
	*cell = cell__text(out__take(text));
}

static u64 code_page_size_of(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->code_page_size;
}

static const struct key key_code_page_size = {
	.name = "code_page_size",
	.heading = "Code Page Size",
	.least = 3,
	.scope = KEY_OF_SAMPLE,
	.extract = code_page_size_of,
	.cell = key__page_size_cell,
	.sample_type = PERF_SAMPLE_CODE_PAGE_SIZE,
	.recorded = "--code-page-size",
};

u64 key__ip(const struct key *key, const struct sample *sample)
{
	(void)key;
	return sample->ip;
}

static void address_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                         struct out *text, struct cell *cell)
{
	out__printf(text, "0x%llx", (unsigned long long)sort_key__value(data, by, row));
	*cell = cell__text(out__take(text));
}

static const struct key key_addr = {
	.name = "addr",
	.heading = "Address           ",
	.scope = KEY_OF_SAMPLE,
	.extract = key__ip,
	.compare = key__signed,
	.cell = address_cell,
};

/* ---- parent: the nearest caller that -p matches ---- */

static u64 parent_value(const struct key_data *data, const struct sort_key *by, u32 row)
{
	(void)by;
	return data->parent_of_row[row];
}

static const char *parent_name(const struct key_data *data, u64 sym)
{
	return sym == ID_NONE ? "[other]" : sym__name(data->names, &data->names->syms[sym]);
}

static int compare_parents(const struct key_data *data, const struct key *key, u64 a, u64 b)
{
	(void)key;
	if (a == ID_NONE || b == ID_NONE)
		return a == ID_NONE ? 1 : -1;
	int ret = strcmp(parent_name(data, a), parent_name(data, b));

	return ret ? ret : sym__compare(data->names, &data->names->syms[a], &data->names->syms[b]);
}

static void parent_cell(const struct key_data *data, const struct sort_key *by, u32 row,
                        struct out *text, struct cell *cell)
{
	(void)by;
	(void)text;
	*cell = cell__text(parent_name(data, data->parent_of_row[row]));
}

const struct key key_parent = {
	.name = "parent",
	.heading = "Parent symbol",
	.least = 2,
	.scope = KEY_OF_ROW,
	.needs = KEY_NEEDS_SYMBOLS | KEY_NEEDS_CHAINS | KEY_NEEDS_PARENT,
	.value = parent_value,
	.compare = compare_parents,
	.cell = parent_cell,
};

/* For the list of keys: key_trace.h makes the one of a recording. */
static const struct key key_trace = {
	.name = "trace",
	.heading = "Trace output",
	.scope = KEY_OF_SAMPLE,
	.extract = key__ip,
};

static const struct key key_parallelism = KEY_PARALLELISM(key__ip);

const struct key *const sample_key_table[] = {
	&key_parent,         &key_parallelism,      &key_socket,     &key_local_weight,
	&key_weight,         &key_transaction,      &key_trace,      &key_symbol_size,
	&key_dso_size,       &key_cgroup,           &key_cgroup_id,  &key_time.key,
	&key_code_page_size, &key_local_ins_lat,    &key_ins_lat,    &key_local_p_stage_cyc,
	&key_p_stage_cyc,    &key_local_retire_lat, &key_retire_lat, &key_addr,
	&key_weight1,        &key_weight2,          &key_weight3,    NULL,
};
