// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>

#include "util/symtab/debuginfod.h"

TEST(debuginfod_asks_nobody_when_no_server_is_named)
{
	static const char *const urls[] = { NULL, "", "  " };

	for (unsigned i = 0; i < ARRAY_SIZE(urls); i++) {
		struct error err = ERROR_INIT;

		if (urls[i])
			setenv("DEBUGINFOD_URLS", urls[i], 1);
		else
			unsetenv("DEBUGINFOD_URLS");
		CHECK(!debuginfod__new(NULL, &err));
		CHECK(err.code == -EDESTADDRREQ || err.code == -EOPNOTSUPP);
	}
	unsetenv("DEBUGINFOD_URLS");
	debuginfod__delete(NULL);
}

TEST(debuginfod_stops_asking_when_a_server_cannot_be_reached)
{
	struct build_id id = { .size = 20, .data = { 1, 2, 3 } };
	struct error err = ERROR_INIT;

	setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1); /* nobody listens there */
	setenv("DEBUGINFOD_CACHE_PATH", unit__tmpdir(), 1);
	struct debuginfod *client = debuginfod__new(NULL, &err);

	if (!client) {
		unit__skip("no libdebuginfod here");
	} else {
		CHECK(!debuginfod__find(client, &id, "program"));
		CHECK_STR(debuginfod__error(client)->subject, "program");
		CHECK(debuginfod__error(client)->code < 0);
		CHECK(!debuginfod__find(client, &id, "another")); /* the first error stays */
		CHECK_STR(debuginfod__error(client)->subject, "program");
		CHECK_EQ(debuginfod__nr_found(client), 0);
	}
	debuginfod__delete(client);
	unsetenv("DEBUGINFOD_URLS");
	unsetenv("DEBUGINFOD_CACHE_PATH");
}
