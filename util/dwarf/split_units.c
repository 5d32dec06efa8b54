// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/dwarf/split_units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/dwarf/package_index.h"
#include "util/elf/section_image.h"
#include "util/lib/alloc.h"
#include "util/lib/sort.h"
#include "util/lib/text.h"

static const char *const names[PARTS_MAX] = {
	[PART_INFO] = ".debug_info.dwo",         [PART_TYPES] = ".debug_types.dwo",
	[PART_ABBREV] = ".debug_abbrev.dwo",     [PART_LINE] = ".debug_line.dwo",
	[PART_LOC] = ".debug_loc.dwo",           [PART_LOCLISTS] = ".debug_loclists.dwo",
	[PART_RNGLISTS] = ".debug_rnglists.dwo", [PART_STR_OFFSETS] = ".debug_str_offsets.dwo",
};

struct split_package {
	struct elf_file elf;
	struct elf_section *sections[PARTS_MAX];
	const Elf_Data *strings; /* NULL: none */
	struct package_index units, types;
	struct keyed *types_of; /* rows of types by the offset of their part of strings' numbers */
	u64 made;               /* bytes of all units so far */
};

/* Parts of units are disjoint, but for strings, which many have in common. */
static bool is_too_much(const struct split_package *package)
{
	return package->made > 64 * package->elf.size;
}

/* ---- open and close ---- */

static bool read_index(struct split_package *package, const char *name, struct package_index *index)
{
	struct elf_section *section = elf_file__section(&package->elf, name);
	const Elf_Data *data = section ? elf_file__data(&package->elf, section) : NULL;

	return data && package_index__read(index, data->d_buf, data->d_size, package->elf.swap);
}

static void sort_types(struct split_package *package)
{
	u32 nr = package->types.nr, offset, size;

	package->types_of = xcalloc(nr + 1, sizeof(*package->types_of));
	for (u32 row = 0; row < nr; row++) {
		bool has =
		        package_index__part(&package->types, row, PART_STR_OFFSETS, &offset, &size);

		package->types_of[row] =
		        (struct keyed){ .key = has ? offset : UINT64_MAX, .value = row };
	}
	keyed__sort(package->types_of, nr);
}

struct split_package *split_package__open(const char *path, int *error)
{
	struct split_package *package = xcalloc(1, sizeof(*package));

	*error = elf_file__open(&package->elf, path);
	if (*error) {
		free(package);
		return NULL;
	}
	for (u32 i = 0; i < PARTS_MAX; i++)
		package->sections[i] = elf_file__section(&package->elf, names[i]);
	struct elf_section *strings = elf_file__section(&package->elf, ".debug_str.dwo");

	package->strings = strings ? elf_file__data(&package->elf, strings) : NULL;
	if (!read_index(package, ".debug_cu_index", &package->units)) {
		split_package__close(package);
		*error = -EBADMSG;
		return NULL;
	}
	if (read_index(package, ".debug_tu_index", &package->types))
		sort_types(package);
	return package;
}

void split_package__close(struct split_package *package)
{
	if (!package)
		return;
	elf_file__close(&package->elf);
	free(package->types_of);
	free(package);
}

/* ---- a unit ---- */

/* Contents of the file to be made. */
struct unit_image {
	struct split_package *package;
	u8 *bytes[PARTS_MAX + 1]; /* the last: strings */
	size_t sizes[PARTS_MAX + 1];
};

/* Append a part of a section. Of packed sections all has to be unpacked. */
static bool add_bytes(struct unit_image *image, enum package_part part, u32 offset, u32 size)
{
	struct split_package *package = image->package;
	struct elf_section *section = package->sections[part];
	size_t old = image->sizes[part];

	if (!section)
		return false;
	bool plain = elf_file__holds(&package->elf, section);
	const Elf_Data *data = plain ? NULL : elf_file__data(&package->elf, section);
	u64 whole = plain ? section->header.sh_size : data ? data->d_size : 0;

	if (offset > whole || size > whole - offset)
		return false;
	u8 *bytes = xrealloc(image->bytes[part], old + size, 1);

	image->bytes[part] = bytes;
	image->sizes[part] = old + size;
	if (plain)
		return !elf_file__read(&package->elf, section->header.sh_offset + offset,
		                       bytes + old, size);
	memcpy(bytes + old, (u8 *)data->d_buf + offset, size);
	return true;
}

static bool add_part(struct unit_image *image, const struct package_index *index, u32 row,
                     enum package_part part)
{
	u32 offset, size;

	return !package_index__part(index, row, part, &offset, &size) ||
	       add_bytes(image, part, offset, size);
}

/* Those that were compiled together with the unit: they use the same strings. */
static bool add_types(struct unit_image *image, u32 row)
{
	const struct split_package *package = image->package;
	const struct package_index *types = &package->types;
	u32 from = 0, to = types->nr, offset, size;

	if (!package_index__part(&package->units, row, PART_STR_OFFSETS, &offset, &size))
		return true;
	while (from < to) { /* the first one */
		u32 middle = from + (to - from) / 2;

		if (package->types_of[middle].key < offset)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from < types->nr && package->types_of[from].key == offset; from++)
		if (!add_part(image, types, package->types_of[from].value,
		              types->version == 5 ? PART_INFO : PART_TYPES))
			return false;
	return true;
}

/* Skip the head that the numbers have since DWARF 5. The size of a number, or 0. */
static u32 number_size(struct cursor *c, u32 version)
{
	if (version < 5)
		return 4;
	bool is64 = cursor__u32(c) == UINT32_MAX;

	cursor__bytes(c, is64 ? 12 : 4);
	return c->failed ? 0 : is64 ? 8 : 4;
}

static void store(const struct cursor *c, u8 *at, u32 size, u64 value)
{
	u64 whole = c->swap ? bswap_64(value) : value;
	u32 half = c->swap ? bswap_32((u32)value) : (u32)value;

	memcpy(at, size == 8 ? (void *)&whole : (void *)&half, size);
}

/*
 * The strings of a package are those of all its units: take those of this one, and let its numbers
 * lead to them. They are less than all, unless numbers repeat, as they never do.
 */
static bool take_strings(struct unit_image *image)
{
	const Elf_Data *all = image->package->strings;
	struct cursor c = cursor__make(image->bytes[PART_STR_OFFSETS],
	                               image->sizes[PART_STR_OFFSETS], image->package->elf.swap);
	u32 size = number_size(&c, image->package->units.version);
	struct out out;
	bool fits = size && all;

	if (!cursor__left(&c))
		return true; /* it has none */
	out__init(&out, -1);
	while (fits && cursor__left(&c) >= size) {
		u8 *at = (u8 *)cursor__bytes(&c, size);
		u64 offset = size == 8 ? load_u64(at, c.swap) : load_u32(at, c.swap);

		store(&c, at, size, out.len);
		if (offset >= all->d_size) {
			fits = false;
			break;
		}
		const char *string = (const char *)all->d_buf + offset;

		out__mem(&out, string, strnlen(string, all->d_size - offset));
		out__char(&out, '\0');
		fits = out.len <= 2 * all->d_size;
	}
	image->sizes[PARTS_MAX] = out.len;
	image->bytes[PARTS_MAX] = xmalloc(out.len + 1);
	memcpy(image->bytes[PARTS_MAX], out__take(&out), image->sizes[PARTS_MAX]);
	out__exit(&out);
	return fits;
}

static int write_image(struct unit_image *image)
{
	struct section_image sections;

	if (section_image__begin(&sections, &image->package->elf))
		for (u32 i = 0; i <= PARTS_MAX; i++)
			if (image->sizes[i])
				section_image__add(&sections,
				                   i < PARTS_MAX ? names[i] : ".debug_str.dwo",
				                   image->bytes[i], image->sizes[i]);
	return section_image__finish(&sections);
}

bool split_package__lists(const struct split_package *package, u64 id)
{
	u32 row;

	return package_index__find(&package->units, id, &row);
}

int split_package__unit(struct split_package *package, u64 id)
{
	struct unit_image image = { .package = package };
	u32 row;
	int fd = -1;

	if (!package_index__find(&package->units, id, &row) || is_too_much(package))
		return -1;
	bool fits = true;

	for (u32 part = 0; fits && part < PARTS_MAX; part++)
		fits = add_part(&image, &package->units, row, part);
	if (fits && add_types(&image, row) && take_strings(&image))
		fd = write_image(&image);
	for (u32 i = 0; i <= PARTS_MAX; i++) {
		package->made += image.sizes[i];
		free(image.bytes[i]);
	}
	return fd;
}

/* ---- in the object file ---- */

static bool is_split(const char *name)
{
	size_t len = strlen(name);

	return text__starts_with(name, ".debug_") && len > 4 && !strcmp(name + len - 4, ".dwo");
}

/* All sections of the name of section @first, if it is the first of them. */
static void add_sections(struct section_image *image, struct elf_file *elf, u32 first)
{
	const char *name = elf->sections[first].name;
	bool any = false;

	if (!is_split(name) || elf_file__section(elf, name) != &elf->sections[first])
		return;
	for (u32 i = first; i < elf->nr_sections; i++) {
		const Elf_Data *data = !strcmp(elf->sections[i].name, name)
		                               ? elf_file__data(elf, &elf->sections[i])
		                               : NULL;

		if (!data)
			continue;
		if (any)
			section_image__append(image, data->d_buf, data->d_size);
		else
			section_image__add(image, name, data->d_buf, data->d_size);
		any = true;
	}
}

/* Does libdw not see all split units? Type units have sections of their own. */
static bool wants_image(struct elf_file *elf)
{
	const struct elf_section *units = elf_file__section(elf, ".debug_info.dwo");
	u32 nr_units = 0, nr_types = 0;

	for (u32 i = 0; i < elf->nr_sections; i++) {
		nr_units += !strcmp(elf->sections[i].name, ".debug_info.dwo");
		nr_types += !strcmp(elf->sections[i].name, ".debug_types.dwo");
	}
	return units && (nr_units > 1 || nr_types > 1 || elf_file__section(elf, ".debug_info"));
}

int split_units__of_object(struct elf_file *elf)
{
	struct section_image sections;

	if (!wants_image(elf))
		return -1;
	if (section_image__begin(&sections, elf))
		for (u32 i = 1; i < elf->nr_sections; i++)
			add_sections(&sections, elf, i);
	return section_image__finish(&sections);
}
