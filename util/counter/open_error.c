// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Error texts for a counter that was refused. The errno alone says little (EINVAL has a dozen
 * causes), so the request is examined too. Questions to the machine itself (has it any hardware
 * counter?) are asked here, after the failure, never before it.
 */
#include "util/counter/open_error.h"

#include <errno.h>

#include "arch/arch.h"
#include "util/lib/text.h"

static bool is_hardware(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ||
	       attr->type == PERF_TYPE_RAW;
}

static int explain_missing(const struct open_attempt *attempt, int code, struct error *err)
{
	const struct evsel *evsel = attempt->evsel;
	struct refusal reason;

	if (is_hardware(&evsel->attr)) {
		if (!opener__has_counters(attempt->opener)) {
			refusal__no_counters(&reason);
			return refusal__to_error(&reason, code, "cannot open", evsel->name, err);
		}
		error__set(err, code, "cannot open", evsel->name,
		           "this machine's PMU does not count it");
		return error__advise(err, "Run 'perf list' for a list of valid events");
	}
	if (code == -ENODEV && attempt->cpu >= 0)
		return error__set(err, code, "cannot open", evsel->name,
		                  "CPU %d is not online or does not have it", attempt->cpu);
	if (evsel->probe_path)
		return error__set(err, code, "cannot open", evsel->name, "'%.150s' is gone",
		                  evsel->probe_path);
	if (evsel__is_function_tracer(evsel)) {
		refusal__function_tracer(&reason, opener__access(attempt->opener), code);
		return refusal__to_error(&reason, code, "cannot open", evsel->name, err);
	}
	if (evsel__is_tracepoint(evsel))
		return error__set(err, code, "cannot open", evsel->name,
		                  "the tracepoint is gone or disabled in this kernel");
	return error__set(err, code, "cannot open", evsel->name, "the kernel does not have it");
}

/* The least that can be asked is refused, too: user space of ourselves, an event without cost. */
static bool own_is_refused(struct opener *opener)
{
	int fd = opener__ask(opener, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);

	return fd == -EACCES || fd == -EPERM || fd == -ENOSYS;
}

static enum access_need needs(const struct open_attempt *attempt)
{
	const struct evsel *evsel = attempt->evsel;

	if (evsel__is_tracepoint(evsel) && evsel->attr.sample_type & PERF_SAMPLE_RAW)
		return ACCESS_TRACEPOINT;
	if (attempt->pid < 0)
		return ACCESS_CPUS;
	if (evsel->attr.sample_type & PERF_SAMPLE_PHYS_ADDR)
		return ACCESS_PHYSICAL;
	/* Where both could be measured, user space alone was tried (try_user_only in open.c). */
	if (!evsel->attr.exclude_kernel &&
	    (evsel->attr.exclude_user || evsel__is_tracepoint(evsel)))
		return ACCESS_KERNEL;
	return ACCESS_OWN;
}

static int explain_permission(const struct open_attempt *attempt, int code, struct error *err)
{
	struct opener *opener = attempt->opener;
	struct refused_open refused = {
		.code = code,
		.need = needs(attempt),
		.own_refused = own_is_refused(opener),
		.other = attempt->pid > 0 ? attempt->pid : 0,
	};
	struct refusal reason;

	if (attempt->evsel->probe_path && !access__may_all(opener__access(opener)))
		refusal__needs_cap(&reason, opener__access(opener),
		                   "probes are for privileged users", "CAP_PERFMON");
	else if (evsel__is_function_tracer(attempt->evsel) && !refused.own_refused &&
	         access__may_all(opener__access(opener)))
		refusal__function_tracer(&reason, opener__access(opener), code);
	else
		refusal__of_open(&reason, opener__access(opener), &refused);
	return refusal__to_error(&reason, code, "cannot open", attempt->evsel->name, err);
}

static int explain_too_many(const struct open_attempt *attempt, int code, struct error *err)
{
	struct refusal reason;

	refusal__files(&reason, opener__access(attempt->opener));
	error__set(err, code, "Too many events are opened.", NULL, "%s", "");
	return error__advise(err, "Try again after reducing the number of events.\n%s\n%s",
	                     reason.cause, reason.advice);
}

/* EOPNOTSUPP: the event exists, but not with what was asked of it. */
static int explain_unsupported(const struct open_attempt *attempt, int code, struct error *err)
{
	const struct perf_event_attr *attr = &attempt->evsel->attr;
	const char *name = attempt->evsel->name;

	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK) {
		error__set(err, code, "cannot open", name,
		           "PMU Hardware doesn't support sampling/overflow-interrupts. "
		           "-b, -j and --call-graph lbr need a branch stack in the processor");
		return error__advise(err, "for call graphs use -g or --call-graph dwarf");
	}
	if (attr->precise_ip) {
		error__set(err, code, "cannot open", name,
		           "this PMU has no precise level %u for it", (u32)attr->precise_ip);
		return error__advise(err, "use fewer p in the modifier, or P for the highest");
	}
	if (attr->aux_output)
		return error__set(err, code, "cannot open", name,
		                  "PMU Hardware doesn't support 'aux_output' feature");
	if (attr->sample_period && is_hardware(attr)) {
		error__set(err, code, "cannot open", name,
		           "PMU Hardware doesn't support sampling/overflow-interrupts.");
		return error__advise(err, "count it with 'perf stat', or sample cpu-clock");
	}
	return explain_missing(attempt, code, err);
}

static int explain_invalid(const struct open_attempt *attempt, int code, struct error *err)
{
	const struct perf_event_attr *attr = &attempt->evsel->attr;
	const char *name = attempt->evsel->name;
	int max_rate;

	if (attr->aux_output) /* the event it is written with must lead its group */
		return error__set(err, code, "cannot open", name,
		                  "PMU Hardware doesn't support 'aux_output' feature, or no AUX "
		                  "area event leads its group");

	if (attr->freq && attr->sample_freq) {
		max_rate = access__setting("", "/proc/sys/kernel/perf_event_max_sample_rate");
		if (max_rate >= 0 && attr->sample_freq > (u64)max_rate) {
			error__set(err, code, "cannot open", name,
			           "Maximum frequency rate (%d) reached.", max_rate);
			return error__advise(err, "use a lower -F, or raise "
			                          "/proc/sys/kernel/perf_event_max_sample_rate");
		}
	}
	if (attempt->evsel->probe_path)
		return error__set(err, code, "cannot open", name,
		                  "the kernel refuses a probe at %#llx of '%.120s'",
		                  (unsigned long long)attr->config2, attempt->evsel->probe_path);
	if (attr->type >= PERF_TYPE_MAX && attempt->pid >= 0) {
		error__set(err, code, "cannot open", name,
		           "its event source refuses it for a task; most count per CPU only");
		return error__advise(err, "measure all CPUs with -a, or some with -C");
	}
	if (attr->type >= PERF_TYPE_MAX && attr->sample_period) {
		error__set(err, code, "cannot open", name, "its event source cannot sample");
		return error__advise(err, "count it with 'perf stat'");
	}
	if (attr->type == PERF_TYPE_BREAKPOINT) {
		error__set(err, code, "cannot open", name,
		           "this CPU cannot watch %llu bytes at 0x%llx for that access",
		           (unsigned long long)attr->bp_len, (unsigned long long)attr->bp_addr);
		return error__advise(err, "lengths are 1, 2, 4, 8, the address a multiple of it");
	}
	if (attr->use_clockid)
		return error__set(err, code, "cannot open", name,
		                  "clock %d cannot stamp its records", (int)attr->clockid);
	return error__set(err, code, "cannot open", name,
	                  "the kernel does not accept this combination of settings");
}

static int explain_breakpoints(int code, const char *name, struct error *err)
{
	unsigned nr = arch__here()->nr_breakpoints;

	if (!nr)
		return error__set(err, code, "cannot open", name,
		                  "all breakpoint registers of the CPU are in use");
	return error__set(err, code, "cannot open", name,
	                  "all %u breakpoint registers of the CPU are in use", nr);
}

int open__explain(const struct open_attempt *attempt, int code, struct error *err)
{
	const struct evsel *evsel = attempt->evsel;
	const char *name = evsel->name;

	switch (-code) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return explain_missing(attempt, code, err);
	case EACCES:
	case EPERM:
	case ENOSYS:
		return explain_permission(attempt, code, err);
	case EMFILE:
	case ENFILE:
		return explain_too_many(attempt, code, err);
	case EOPNOTSUPP:
		return explain_unsupported(attempt, code, err);
	case EINVAL:
		return explain_invalid(attempt, code, err);
	case ESRCH:
		return error__set(err, code, "cannot open", name, "no such process or thread (%d)",
		                  attempt->pid);
	case ENOSPC:
		if (evsel->attr.type == PERF_TYPE_BREAKPOINT)
			return explain_breakpoints(code, name, err);
		break;
	case EINTR:
		error__set(err, code, "cannot open", name, "it is a probe that ftrace traces");
		return error__advise(
		        err, "end that first: echo 0 > events/GROUP/NAME/enable in tracefs");
	case EBUSY:
		error__set(err, code, "cannot open", name, "the PMU is in use by someone else");
		return error__advise(err, "look for another profiler (oprofile, an NMI watchdog)");
	case EOVERFLOW:
		error__set(err, code, "cannot open", name,
		           "the stack depth asked for is above kernel.perf_event_max_stack (%d)",
		           access__setting("", "/proc/sys/kernel/perf_event_max_stack"));
		return error__advise(err, "use a lower max-stack, or raise that sysctl");
	}
	return error__set(err, code, "cannot open", name, NULL);
}
