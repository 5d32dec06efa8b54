// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole perf.data file through the first walk of every reading command: the machine is built. */
#include "util/machine/session.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct error err = ERROR_INIT;
	struct session session;

	if (session__open(&session, fuzz__file(bytes, size), PERF_DATA_FORCE, &err)) {
		FUZZ_CHECK(err.code < 0 && err.what[0]);
		return 0;
	}
	FUZZ_CHECK(!session__scan(&session, &err));
	session__close(&session);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	fuzz__perf_data_seeds(add);
}
