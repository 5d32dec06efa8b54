// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/recording_sinks.h"

int outlet__init(struct outlet *outlet, struct recording *recording, struct error *err)
{
	struct recording_run *run = recording->run;
	struct record_sink *next = &outlet->file.sink;
	int ret = 0;

	file_sink__init(&outlet->file, NULL, &run->size);
	if (recording->wish.compression) {
		ret = pack_sink__init(&outlet->pack, recording->wish.compression, next, err);
		next = &outlet->pack.sink;
	}
	unwritten_sink__init(&outlet->counted, &run->unwritten, next);
	outlet->first = &outlet->counted.sink;
	return ret;
}

void outlet__exit(struct outlet *outlet)
{
	data_writer__delete(outlet->file.writer);
	outlet->file.writer = NULL;
	pack_sink__exit(&outlet->pack);
}

void recording__link_sinks(struct recording *recording)
{
	struct recording_run *run = recording->run;
	struct record_sink *first = run->outlet.first;

	if (run->holding) {
		run->hold.sink.next = first;
		first = &run->hold.sink;
	}
	if (run->unwinding) {
		run->unwind.sink.next = first;
		first = &run->unwind.sink;
	}
	run->drain.sink = first;
}

int recording__start_unwinding(struct recording *recording, struct error *err)
{
	struct recording_run *run = recording->run;
	int ret = unwind_sink__init(&run->unwind, &recording->wish.evlist,
	                            recording->wish.live_limit, run->drain.sink, err);

	run->unwinding = !ret;
	recording__link_sinks(recording);
	return ret;
}

void recording__stop_unwinding(struct recording *recording)
{
	struct recording_run *run = recording->run;

	if (!run->unwinding)
		return;
	recording->found.unwound = *live_unwind__counts(run->unwind.live);
	unwind_sink__exit(&run->unwind);
	run->unwinding = false;
	recording__link_sinks(recording);
}
