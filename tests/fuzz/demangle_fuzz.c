// SPDX-License-Identifier: GPL-2.0-or-later
/* One linker name. */
#include "util/symtab/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/symtab/demangle_d.h"

/* It has room for no more than it had; what has no arguments stays. */
static void shorten(char *name)
{
	size_t len = strlen(name);
	bool plain = !strchr(name, '<');
	char *before = strdup(name);

	FUZZ_CHECK(before);
	demangle__shorten(name);
	FUZZ_CHECK(strlen(name) <= 2 * len + 8);
	FUZZ_CHECK(!plain || !strcmp(before, name));
	free(before);
}

/* Names of D grow when they are read: no text is longer than there is room for. */
static void bound(const char *name)
{
	static const size_t rooms[] = { 0, 20, 200 };

	for (u32 i = 0; i < ARRAY_SIZE(rooms); i++) {
		char *text = demangle_d(name, false, rooms[i]);

		FUZZ_CHECK(!text || strlen(text) <= rooms[i]);
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *name = malloc(size + 1);

	FUZZ_CHECK(name);
	memcpy(name, data, size);
	name[size] = '\0';
	char *text = demangle(name);

	if (text) {
		FUZZ_CHECK(strlen(text) < 200 * 1024);
		fuzz__touch(text, strlen(text));
	}
	free(text);
	text = demangle_signature(name);
	if (text) {
		FUZZ_CHECK(strlen(text) < 200 * 1024);
		shorten(text);
	}
	free(text);
	bound(name);
	shorten(name);
	free(name);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const names[] = {
		"_ZNSt6vectorIiSaIiEE9push_backERKi",
		"_ZN1N4callINS_3lamMUliE_EEEDTclfp_Li1EEET_",
		"_Z1fI1PIiiES0_IS1_S1_ES0_IS2_S2_ES0_IS3_S3_ES0_IS4_S4_EEvv",
		"_RNvXs5_NtCsbmNqQUJIY6D_4core3fmtRNtB5_5DebugB5_3fmt",
		"_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE",
		"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE@plt",
		"camlStdlib__List__map_45",
		"camlFoo__bar$2a_12@plt",
		"_D8demangle__T4testVAyaa3_616263Vbi1VxNgai97VdeN18P3VS1a1Ss2i1i2VHiiA2i1i2ZQCeMxFKiXv",
		"_D1a__T1bS_DQj1cFZv4__U3dTDxFNaNbNgG4iZHiPFZAyaZ1eFBiaYv.part.0",
		"_D1aFSQfSQjSQnSQrSQvZv",
		/* read in two ways at each level, or made of two of the level before */
		"_D1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFC1aFiZv",
		"_D__T1aS11__T1aS11__T1aS11__T1aS11__T1aS11__T1aS11__T1aS11__T1aS11iZv",
		"std::map<int, std::vector<a> >::operator[](f<(x<y)>) const",
		"a<b<c>>::operator<<, <T as Trait<U>>::f, operator->(g<1>) n<m",
		"_D1aFG1iG1iHQeQeHQeQeHQeQeHQeQeHQeQeHQeQeHQeQeHQeQeHQeQeHQeQeHQeQeZv",
	};

	static char deep[3 + 24 * 4 + 8] = "_D", large[2100] = "_D";

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		add(names[i], strlen(names[i]));
	/* The same with more levels than there is time for; and a name that is too long for any. */
	for (unsigned i = 0; i < 24; i++)
		strcat(deep, "1aFC");
	strcat(deep, "1aFiZv");
	add(deep, strlen(deep));
	memset(large + 2, '1', sizeof(large) - 3);
	add(large, strlen(large));
}
