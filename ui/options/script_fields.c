// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/script_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/disasm/disasm.h"
#include "util/event/evsel.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/options/nearest.h"

#define DEFAULTS                                                                                   \
	(FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT | FIELD_IP | FIELD_SYM |    \
	 FIELD_SYMOFF | FIELD_DSO | FIELD_PERIOD)
#define TRACE_DEFAULTS (FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT | FIELD_TRACE)
#define CHAIN_FIELDS   (FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO)

#define ADDRESS_FIELDS (FIELD_IP | FIELD_ADDR | SCRIPT_BRANCH_FIELDS | SCRIPT_BLOCK_FIELDS)

static const struct field {
	const char *name;
	u64 field;
	u64 sample_type; /* bits a sample must have; 0: always there */
	const char *attribute;
	const char *recorded; /* the option of perf record that keeps it */
} all_fields[] = {
	{ "comm", FIELD_COMM, 0, NULL, NULL },
	{ "tid", FIELD_TID, PERF_SAMPLE_TID, "TID", NULL },
	{ "pid", FIELD_PID, PERF_SAMPLE_TID, "TID", NULL },
	{ "time", FIELD_TIME, PERF_SAMPLE_TIME, "TIME", "-T (--timestamp)" },
	{ "cpu", FIELD_CPU, PERF_SAMPLE_CPU, "CPU", "--sample-cpu" },
	{ "event", FIELD_EVENT, 0, NULL, NULL },
	{ "trace", FIELD_TRACE, PERF_SAMPLE_RAW, "RAW", "-R (--raw-samples)" },
	{ "ip", FIELD_IP, PERF_SAMPLE_IP, "IP", NULL },
	{ "sym", FIELD_SYM, 0, NULL, NULL },
	{ "dso", FIELD_DSO, 0, NULL, NULL },
	{ "addr", FIELD_ADDR, PERF_SAMPLE_ADDR, "ADDR", "-d (--data)" },
	{ "symoff", FIELD_SYMOFF, 0, NULL, NULL },
	{ "srcline", FIELD_SRCLINE, 0, NULL, NULL },
	{ "period", FIELD_PERIOD, PERF_SAMPLE_PERIOD, "PERIOD", "-P (--period)" },
	{ "iregs", FIELD_IREGS, PERF_SAMPLE_REGS_INTR, "IREGS", "-I (--intr-regs)" },
	{ "uregs", FIELD_UREGS, PERF_SAMPLE_REGS_USER, "UREGS", "--user-regs" },
	{ "brstack", FIELD_BRSTACK, 0, NULL, NULL },
	{ "brstacksym", FIELD_BRSTACKSYM, 0, NULL, NULL },
	{ "flags", FIELD_FLAGS, 0, NULL, NULL },
	{ "data_src", FIELD_DATA_SRC, PERF_SAMPLE_DATA_SRC, "DATA_SRC", "-d (--data)" },
	{ "weight", FIELD_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT",
	  "-W (--weight)" },
	{ "bpf-output", FIELD_BPF_OUTPUT, PERF_SAMPLE_RAW, "RAW", "-R (--raw-samples)" },
	{ "brstackinsn", FIELD_BRSTACKINSN, 0, NULL, NULL },
	{ "brstackinsnlen", FIELD_BRSTACKINSNLEN, 0, NULL, NULL },
	{ "brstackoff", FIELD_BRSTACKOFF, 0, NULL, NULL },
	{ "callindent", FIELD_CALLINDENT, 0, NULL, NULL },
	{ "insn", FIELD_INSN, PERF_SAMPLE_IP, "IP", NULL },
	{ "insnlen", FIELD_INSNLEN, PERF_SAMPLE_IP, "IP", NULL },
	{ "synth", FIELD_SYNTH, 0, NULL, NULL },
	{ "phys_addr", FIELD_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR", "--phys-data" },
	{ "metric", FIELD_METRIC, 0, NULL, NULL },
	{ "misc", FIELD_MISC, 0, NULL, NULL },
	{ "srccode", FIELD_SRCCODE, PERF_SAMPLE_IP, "IP", NULL },
	{ "ipc", FIELD_IPC, 0, NULL, NULL },
	{ "tod", FIELD_TOD, PERF_SAMPLE_TIME, "TIME", "-T (--timestamp)" },
	{ "data_page_size", FIELD_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE",
	  "--data-page-size" },
	{ "code_page_size", FIELD_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE",
	  "--code-page-size" },
	{ "ins_lat", FIELD_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "-W (--weight)" },
	{ "machine_pid", FIELD_MACHINE_PID, 0, NULL, NULL },
	{ "vcpu", FIELD_VCPU, 0, NULL, NULL },
	{ "dsoff", FIELD_DSOFF, 0, NULL, NULL }, /* this and the next: of newer perfs */
	{ "disasm", FIELD_DISASM, PERF_SAMPLE_IP, "IP", NULL },
	{ "brstackdisasm", FIELD_BRSTACKDISASM, 0, NULL, NULL },
	{ "retire_lat", FIELD_RETIRE_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT",
	  "-W (--weight)" },
	{ "brcntr", FIELD_BRCNTR, 0, NULL, NULL },
	{ "folded", FIELD_FOLDED, PERF_SAMPLE_IP, "IP", NULL },
	{ "cgroup", FIELD_CGROUP, PERF_SAMPLE_CGROUP, "CGROUP", "--all-cgroups" },
};

static const struct {
	const char *name;
	enum script_type type;
} type_names[] = {
	{ "hw", SCRIPT_HW },
	{ "sw", SCRIPT_SW },
	{ "trace", SCRIPT_TRACE },
	{ "raw", SCRIPT_RAW },
	{ "synth", SCRIPT_SYNTH },
	{ "break", SCRIPT_BREAKPOINT },
	{ "breakpoint", SCRIPT_BREAKPOINT },
	{ "hw_cache", SCRIPT_CACHE },
	{ "other", SCRIPT_OTHER },
};

const char *script_fields__name(u32 i)
{
	return i < ARRAY_SIZE(all_fields) ? all_fields[i].name : NULL;
}

const char *script_fields__type(u32 i)
{
	return i < ARRAY_SIZE(type_names) ? type_names[i].name : NULL;
}

void script_fields__init(struct script_fields *fields)
{
	*fields = (struct script_fields){ .overridden = 0 };
	for (unsigned i = 0; i < SCRIPT_TYPES; i++)
		fields->print[i] = DEFAULTS;
	fields->print[SCRIPT_TRACE] = TRACE_DEFAULTS;
	fields->print[SCRIPT_RAW] |= FIELD_ADDR | FIELD_WEIGHT | FIELD_PHYS_ADDR;
	fields->print[SCRIPT_SW] |= FIELD_BPF_OUTPUT;
	fields->print[SCRIPT_SYNTH] &= ~FIELD_PERIOD;
}

/* What only some types can have. */
static u64 impossible(enum script_type type)
{
	return type == SCRIPT_TRACE ? FIELD_BPF_OUTPUT
	       : type == SCRIPT_SW  ? FIELD_TRACE
	                            : FIELD_TRACE | FIELD_BPF_OUTPUT;
}

static int find_field(const char *name, const struct field **field, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_fields); i++) {
		if (strcmp(all_fields[i].name, name))
			continue;
		*field = &all_fields[i];
		return 0;
	}
	struct nearest near;
	char guess[200];

	nearest__init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(all_fields); i++)
		nearest__offer(&near, all_fields[i].name);
	error__set(err, -EINVAL, "Invalid field requested", name,
	           "'perf script -h' lists the fields");
	error__advise(err, "%s", nearest__text(&near, "", guess, sizeof(guess)));
	return -EINVAL;
}

/* One name of the list, with its sign ('+', '-', 0), for type @only (SCRIPT_TYPES: all). */
static int apply(struct script_fields *fields, const char *name, char sign, enum script_type only,
                 struct error *err)
{
	const struct field *field = NULL;
	int ret = find_field(name, &field, err);

	for (unsigned type = 0; type < SCRIPT_TYPES && !ret; type++) {
		if (only != SCRIPT_TYPES && type != only)
			continue;
		if (field->field & impossible(type)) {
			if (only == SCRIPT_TYPES)
				continue;
			return error__set(err, -EINVAL, "Invalid field requested", name,
			                  "not valid for this type of events");
		}
		if (sign == '-') {
			fields->print[type] &= ~field->field;
			fields->wanted[type] &= ~field->field;
			fields->removed[type] |= field->field;
		} else {
			fields->removed[type] &= ~field->field;
			fields->print[type] |= field->field;
			fields->wanted[type] |= field->field;
		}
	}
	return ret;
}

static enum script_type take_type(const char **text, struct error *err, int *ret)
{
	const char *colon = strchr(*text, ':');

	if (!colon)
		return SCRIPT_TYPES;
	for (size_t i = 0; i < ARRAY_SIZE(type_names); i++) {
		size_t len = strlen(type_names[i].name);

		if (len == (size_t)(colon - *text) && !memcmp(*text, type_names[i].name, len)) {
			*text = colon + 1;
			return type_names[i].type;
		}
	}
	*ret = error__set(err, -EINVAL, "Invalid event type in field string", NULL,
	                  "types are hw, sw, trace, raw, synth, break, hw_cache and other");
	return SCRIPT_TYPES;
}

static u32 type_bits(enum script_type only)
{
	return only == SCRIPT_TYPES ? (1u << SCRIPT_TYPES) - 1 : 1u << only;
}

static void override(struct script_fields *fields, enum script_type only)
{
	for (unsigned type = 0; type < SCRIPT_TYPES; type++)
		if (type_bits(only) & 1u << type)
			fields->print[type] = fields->wanted[type] = 0;
	fields->overridden |= type_bits(only);
}

/* The names behind the type, one by one; @list is cut up. */
static int apply_list(struct script_fields *fields, char *list, enum script_type only,
                      struct error *err)
{
	bool signs = false, plain = false, before = fields->overridden & type_bits(only);
	char *save = NULL;

	for (char *name = strtok_r(list, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		char sign = *name == '+' || *name == '-' ? *name++ : 0;
		int ret;

		if (!sign && !plain)
			override(fields, only);
		signs |= sign != 0;
		plain |= !sign;
		if (signs && (plain || before))
			return error__set(err, -EINVAL, "Cannot mix +-field with overridden fields",
			                  NULL, "give a full list, or signs only");
		ret = apply(fields, name, sign, only, err);
		if (ret)
			return ret;
	}
	if (!signs && !plain)
		override(fields, only);
	return 0;
}

int script_fields__parse(struct script_fields *fields, const char *text, struct error *err)
{
	int ret = 0;
	enum script_type only = take_type(&text, err, &ret);
	u64 left = 0;

	if (ret)
		return ret;
	char *list = xstrdup(text);

	ret = apply_list(fields, list, only, err);
	free(list);
	for (unsigned type = 0; type < SCRIPT_TYPES; type++)
		left |= fields->print[type];
	if (!ret && !left)
		return error__set(err, -EINVAL, "Cannot set fields to 'none' for all event types",
		                  NULL, "nothing would be printed");
	return ret;
}

static enum script_type type_of(const struct evsel *evsel)
{
	switch (evsel->attr.type) {
	case PERF_TYPE_HARDWARE:
		return SCRIPT_HW;
	case PERF_TYPE_SOFTWARE:
		return SCRIPT_SW;
	case PERF_TYPE_TRACEPOINT:
		return SCRIPT_TRACE;
	case PERF_TYPE_HW_CACHE:
		return SCRIPT_CACHE;
	case PERF_TYPE_RAW:
		return SCRIPT_RAW;
	case PERF_TYPE_BREAKPOINT:
		return SCRIPT_BREAKPOINT;
	default:
		return SCRIPT_OTHER;
	}
}

/* Names need addresses, offsets need names. */
static int check_addresses(u64 print, u64 wanted, struct error *err)
{
	bool address = print & ADDRESS_FIELDS;

	if (!address && wanted & (FIELD_SYM | FIELD_DSO))
		return error__set(err, -ENODATA, "Display of symbols requested", NULL,
		                  "neither field ip nor field addr is selected: no addresses to "
		                  "find symbols for");
	if (wanted & FIELD_SYMOFF && !(print & FIELD_SYM))
		return error__set(err, -ENODATA, "Display of offsets requested", NULL,
		                  "field sym is not selected");
	if (wanted & FIELD_SRCLINE && !(print & FIELD_IP))
		return error__set(err, -ENODATA, "Display of source line number requested", NULL,
		                  "field ip is not selected: no address to find the line of");
	return 0;
}

int script_fields__of_event(const struct script_fields *fields, const struct evsel *evsel,
                            u64 *print, struct error *err)
{
	enum script_type type = type_of(evsel);
	u64 has = evsel->attr.sample_type;
	u64 wanted = fields->wanted[type];

	*print = fields->print[type];
	/* The chain of a tracepoint is worth printing, its instruction pointer alone is not. */
	if (type == SCRIPT_TRACE && has & PERF_SAMPLE_CALLCHAIN && !fields->no_chain &&
	    !(fields->overridden & 1u << type))
		*print |= CHAIN_FIELDS & ~fields->removed[type];
	if (evsel->attr.config != PERF_COUNT_SW_BPF_OUTPUT)
		*print &= ~FIELD_BPF_OUTPUT;
	if (*print & FIELD_METRIC && has & PERF_SAMPLE_READ)
		return error__set(err, -EOPNOTSUPP, "cannot print field", "metric",
		                  "samples of '%s' have counts, and perf makes no metrics of them",
		                  evsel->name);
	for (size_t i = 0; i < ARRAY_SIZE(all_fields); i++) {
		const struct field *field = &all_fields[i];

		if (!(*print & field->field) || !field->sample_type || has & field->sample_type)
			continue;
		if (field->field == FIELD_PERIOD)
			continue; /* known from the attr */
		if (wanted & field->field) {
			error__set(err, -ENODATA, "cannot print field", field->name,
			           "Samples for '%s' event do not have %s attribute set. "
			           "Cannot print '%s' field.",
			           evsel->name, field->attribute, field->name);
			if (field->recorded)
				error__advise(err, "perf record keeps it with %s", field->recorded);
			return -ENODATA;
		}
		*print &= ~field->field;
	}
	if (!(*print & ADDRESS_FIELDS))
		*print &= ~((CHAIN_FIELDS & ~FIELD_IP) & ~wanted);
	if (*print & FIELD_FOLDED && wanted & ~(FIELD_FOLDED | FIELD_PERIOD))
		return error__set(err, -EINVAL, "Cannot print other fields beside", "folded",
		                  "a line is a stack and a number: of other fields only period");
	return check_addresses(*print, wanted, err);
}

int script_fields__check_branches(const struct script_fields *fields, const struct evlist *evlist,
                                  struct error *err)
{
	u64 kinds = 0, print = 0;

	for (u32 i = 0; i < evlist->nr; i++) {
		const struct perf_event_attr *attr = &evlist->evsels[i]->attr;

		print |= fields->print[type_of(evlist->evsels[i])];
		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
			kinds |= attr->branch_sample_type;
	}
	if (print & SCRIPT_BLOCK_FIELDS && !(kinds & PERF_SAMPLE_BRANCH_ANY)) {
		error__set(err, -ENODATA, "cannot print the code between branches", NULL,
		           "Display of branch stack assembler requested, but non all-branch "
		           "filter set");
		return error__advise(err, "Hint: run 'perf record -b ...'");
	}
	if (print & SCRIPT_BLOCK_FIELDS && !disasm__engine())
		return error__set(err, -EOPNOTSUPP, "cannot print the code between branches", NULL,
		                  "this perf was built without capstone, which knows where an "
		                  "instruction ends");
	if (!(print & FIELD_BRCNTR) || kinds & BRANCH_COUNTERS)
		return 0;
	error__set(err, -ENODATA, "cannot print field", "brcntr",
	           "Display of branch counter requested but it's not enabled");
	return error__advise(err, "Hint: run 'perf record -j any,counter ...'");
}
