// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of options of record that are small languages: -D, --switch-output, --threads,
 * --user-regs, --call-graph, --unwind-style, -k, --synth; --debug; --known-build-ids of inject.
 * What is taken holds what its header promises; what is not is named.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "tests/fuzz/fuzz.h"
#include "util/event/registers.h"
#include "util/export/known_ids.h"
#include "util/options/debug_settings.h"
#include "util/record/config.h"
#include "util/record/delay.h"
#include "util/record/recording.h"
#include "util/record/switch_output.h"
#include "util/sink/thread_masks.h"
#include "util/unwind/unwind.h"

#define CPUS "/devices/system/cpu/cpu"

static bool taken(int ret, struct error *err)
{
	FUZZ_CHECK(ret <= 0 && !ret == !err->code && (!ret || *err->what));
	*err = (struct error)ERROR_INIT;
	return !ret;
}

static void take_delay(const char *text, struct error *err)
{
	struct record_delay delay = { .nr = 0 };

	if (taken(record_delay__parse(&delay, text, err), err))
		for (u32 i = 1; i < delay.nr; i++)
			FUZZ_CHECK(delay.steps[i].at_ms >= delay.steps[i - 1].at_ms &&
			           delay.steps[i].enable != delay.steps[i - 1].enable);
	/* Each step is due once, when its time has come. */
	FUZZ_CHECK(record_delay__delays(&delay) || !delay.nr);
	for (u32 i = 0; i < delay.nr; i++) {
		const struct delay_step *next = record_delay__next(&delay);

		FUZZ_CHECK(next == &delay.steps[i]);
		FUZZ_CHECK(!next->at_ms || !record_delay__take(&delay, next->at_ms - 1));
		FUZZ_CHECK(record_delay__take(&delay, next->at_ms) == next);
	}
	FUZZ_CHECK(!record_delay__next(&delay) && !record_delay__take(&delay, UINT64_MAX));
	record_delay__exit(&delay);
}

static void take_sizes(const char *text, struct error *err)
{
	struct switch_output when = { .size = 0 };
	u64 bytes = 0, mask = 0;

	if (taken(switch_output__parse(&when, text, err), err))
		FUZZ_CHECK(when.enabled && when.by_signal + !!when.size + !!when.seconds == 1);
	if (taken(record__parse_size(text, &bytes, "cannot take", err), err))
		FUZZ_CHECK(bytes);
	if (taken(registers__parse(text, 0xff0f, &mask, err), err))
		FUZZ_CHECK(!(mask & ~0xff0full));
}

/* Machines of four CPUs, two of which have rings; each a core and a socket of its own. */
static void take_masks(const char *text, struct error *err)
{
	static const char *const files[] = { CPUS "0/topology/core_cpus_list",
		                             CPUS "0/topology/package_cpus_list",
		                             CPUS "2/topology/core_cpus_list",
		                             "/devices/system/node/node0/cpulist" };
	static const char *sysfs;
	struct cpu_map online = CPU_MAP_INIT, recorded = CPU_MAP_INIT;
	struct thread_masks masks = { .nr = 0 };

	if (!sysfs) {
		sysfs = fuzz__folder(files, ARRAY_SIZE(files));
		fuzz__fill((const u8 *)"0-1\n\3770-3\n\3772-3\n\3770,2\n", 20);
	}
	FUZZ_CHECK(!cpu_map__parse(&online, "0-3", NULL) &&
	           !cpu_map__parse(&recorded, "0,2", NULL));
	if (taken(thread_masks__parse(&masks, text, &recorded, &online, sysfs, err), err)) {
		FUZZ_CHECK(masks.nr && masks.nr <= recorded.nr);
		FUZZ_CHECK(thread_masks__nr_left_out(&masks, &recorded) < recorded.nr);
	}
	thread_masks__exit(&masks);
	cpu_map__exit(&online);
	cpu_map__exit(&recorded);
}

static void take_recording(const char *text, struct error *err)
{
	struct record_config config = RECORD_CONFIG_INIT;
	struct debug_settings settings = { .verbose = 0 };
	struct recording recording;

	if (taken(record_config__parse_chains(&config, text, err), err))
		FUZZ_CHECK(config.stack_size && config.stack_size % 8 == 0 &&
		           config.stack_size < 65536);
	taken(record_config__parse_clock(&config, text, err), err);
	taken(debug_settings__parse(&settings, text, err), err);
	recording__init(&recording);
	taken(recording__parse_synth(&recording, text, err), err);
	recording__exit(&recording, NULL);
}

/* Which unwinder; a library unwinds this machine's stacks, or says that it does not. */
static void take_style(const char *text, struct error *err)
{
	static const char *const machines[] = { "x86_64", "aarch64", "riscv64" };
	enum unwind_style style;

	if (!taken(unwind_style__find(text, &style, err), err))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		taken(unwind_style__check(style, arch__find(machines[i]), err), err);
}

static void take_known(const char *text, struct error *err)
{
	struct known_ids known = { .nr = 0 };

	if (strstr(text, "file:")) /* any file of this system */
		return;
	if (taken(known_ids__parse(&known, text, err), err))
		for (size_t i = 0; i < known.nr; i++)
			FUZZ_CHECK(known.ids[i].id.size &&
			           known_ids__find(&known, known.ids[i].path));
	known_ids__exit(&known);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = fuzz__text(data, size);
	struct error err = ERROR_INIT;

	take_delay(text, &err);
	take_sizes(text, &err);
	take_masks(text, &err);
	take_recording(text, &err);
	take_style(text, &err);
	take_known(text, &err);
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const texts[] = {
		"1000",
		"10-20,30-40",
		"signal",
		"libunwind",
		"libdw",
		"native",
		"100M",
		"30s",
		"ax,bx,SP",
		"cpu",
		"core",
		"package",
		"numa",
		"0,1/0-1:2/3",
		"dwarf,4096",
		"fp,64",
		"CLOCK_BOOTTIME",
		"mono_raw",
		"task,mmap,cgroup",
		"verbose=2,perf-event-open,ordered-events",
		"00112233445566778899aabbccddeeff00112233 /bin/true,0011 [vdso]",
		"1024/2048",
		"-1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		add(texts[i], strlen(texts[i]));
}
