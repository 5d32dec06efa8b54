// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf_filter/filter_pins.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "util/bpf_filter/bpf_calls.h"
#include "util/bpf_filter/program.h"
#include "util/lib/text.h"

#define PROGRAM   FILTER_PINS "/program"
#define MAP       FILTER_PINS "/map"
#define BPF_MAGIC 0xcafe4a11u     /* BPF_FS_MAGIC of linux/magic.h */
#define OUR_NAMES "perf_filter_v" /* FILTER_NAME of any build */

#define USE_WHAT   "cannot filter samples"
#define PIN_WHAT   "cannot pin the filter of samples"
#define UNPIN_WHAT "cannot unpin the filter of samples"

static int no_bpf_fs(const char *what, struct error *err)
{
	struct statfs fs;

	if (!statfs(FILTER_BPF_FS, &fs) && (u32)fs.f_type == BPF_MAGIC)
		return 0;
	error__set(err, -ENODEV, what, NULL, "no BPF file system is mounted at " FILTER_BPF_FS);
	return error__advise(err, "as root: mount -t bpf bpf " FILTER_BPF_FS);
}

/* The file system itself is closed, as systemd mounts it. */
static int closed(const char *what, struct error *err)
{
	struct stat st;

	error__set(err, -EACCES, what, NULL, "its mode keeps users out of " FILTER_BPF_FS " (%03o)",
	           stat(FILTER_BPF_FS, &st) ? 0 : st.st_mode & 0777);
	return error__advise(err, "as root: chmod o+x " FILTER_BPF_FS);
}

/* Is the folder there, and may we believe what is in it? */
static int check_folder(const char *what, struct error *err)
{
	struct stat st;

	if (lstat(FILTER_PINS, &st)) {
		if (errno == EACCES)
			return closed(what, err);
		if (errno != ENOENT)
			return error__set(err, -errno, what, FILTER_PINS, NULL);
		error__set(err, -ENOENT, what, NULL, "nothing is pinned at " FILTER_PINS);
		return error__advise(err, "as root, once: perf record --setup-filter pin");
	}
	if (!S_ISDIR(st.st_mode) || (st.st_uid && st.st_uid != geteuid()) || st.st_mode & 022)
		return error__set(err, -EPERM, what, FILTER_PINS,
		                  "it is no folder that only root may write to");
	return 0;
}

/* ---- what is pinned ---- */

static bool is_map(int fd, struct bpf_map_info *info, const char *name)
{
	memset(info, 0, sizeof(*info));
	return !bpf_call__info(fd, info, sizeof(*info)) && info->type == BPF_MAP_TYPE_HASH &&
	       text__starts_with(info->name, name);
}

static bool is_program(int fd, struct bpf_prog_info *info, const char *name)
{
	memset(info, 0, sizeof(*info));
	return !bpf_call__info(fd, info, sizeof(*info)) && info->type == BPF_PROG_TYPE_PERF_EVENT &&
	       text__starts_with(info->name, name);
}

static bool uses_map(int program, u32 map)
{
	struct bpf_prog_info info;
	u32 id = 0;

	memset(&info, 0, sizeof(info));
	info.nr_map_ids = 1;
	info.map_ids = (u64)(uintptr_t)&id;
	return !bpf_call__info(program, &info, sizeof(info)) && info.nr_map_ids == 1 && id == map;
}

/* What is not in the folder, which is there; NULL: both are in it. */
static const char *missing_name(void)
{
	struct stat st;

	if (lstat(MAP, &st) && errno == ENOENT)
		return "map";
	return lstat(PROGRAM, &st) && errno == ENOENT ? "program" : NULL;
}

int filter_pins__get(struct filter_kernel *kernel, struct error *err)
{
	const char *missing;
	struct bpf_map_info map;
	struct bpf_prog_info program;
	int ret;

	*kernel = (struct filter_kernel)FILTER_KERNEL_INIT;
	ret = check_folder(USE_WHAT, err);
	if (ret)
		return ret;
	missing = missing_name();
	if (missing) {
		error__set(err, -EPERM, USE_WHAT, FILTER_PINS,
		           "not all of it is there: '%s' is missing", missing);
		error__advise(err, "as root: perf record --setup-filter pin");
		return -EPERM;
	}
	kernel->pinned = true;
	kernel->map = bpf_call__get(MAP);
	kernel->program = kernel->map < 0 ? -1 : bpf_call__get(PROGRAM);
	if (kernel->map < 0 || kernel->program < 0) {
		ret = kernel->map < 0 ? kernel->map : kernel->program;
		error__set(err, ret, USE_WHAT, FILTER_PINS, NULL);
	} else if (!is_map(kernel->map, &map, FILTER_NAME) || map.key_size != sizeof(u64) ||
	           map.value_size != sizeof(struct filter_entry) ||
	           !is_program(kernel->program, &program, FILTER_NAME) ||
	           !uses_map(kernel->program, map.id)) {
		ret = -EPERM;
		error__set(err, ret, USE_WHAT, FILTER_PINS, "another perf has pinned it");
		error__advise(err, "as root: perf record --setup-filter unpin, then pin");
	}
	if (ret)
		filter_kernel__close(kernel);
	return ret;
}

bool filter_pins__are_reached(struct error *err)
{
	struct stat st;

	if (stat(FILTER_BPF_FS, &st) || st.st_mode & S_IXOTH)
		return true;
	closed("users cannot filter samples", err);
	return false;
}

/* ---- remove ---- */

static bool is_ours(const char *path, bool (*check)(int fd))
{
	int fd = bpf_call__get(path);
	bool ours = fd >= 0 && check(fd);

	if (fd >= 0)
		close(fd);
	return ours;
}

static bool is_our_map(int fd)
{
	struct bpf_map_info info;

	return is_map(fd, &info, OUR_NAMES);
}

static bool is_our_program(int fd)
{
	struct bpf_prog_info info;

	return is_program(fd, &info, OUR_NAMES);
}

/* Nothing is removed before all of it is known. */
static int check_content(const char *what, struct error *err)
{
	DIR *dir = opendir(FILTER_PINS);
	struct dirent *entry;
	int ret = 0;

	if (!dir)
		return error__set(err, -errno, what, FILTER_PINS, NULL);
	while (!ret && (entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (!strcmp(name, ".") || !strcmp(name, "..") ||
		    (!strcmp(name, "map") && is_ours(MAP, is_our_map)) ||
		    (!strcmp(name, "program") && is_ours(PROGRAM, is_our_program)))
			continue;
		ret = error__set(err, -EPERM, what, FILTER_PINS,
		                 "'%.60s' in it is not from this perf: nothing was removed", name);
	}
	closedir(dir);
	return ret;
}

static int remove_ours(const char *what, struct error *err)
{
	int ret = check_content(what, err);

	if (ret)
		return ret;
	if ((unlink(MAP) && errno != ENOENT) || (unlink(PROGRAM) && errno != ENOENT) ||
	    rmdir(FILTER_PINS))
		return error__set(err, -errno, what, FILTER_PINS, NULL);
	return 0;
}

/* ---- pin ---- */

static int pin_one(int fd, const char *path, struct error *err)
{
	int ret = bpf_call__pin(fd, path);

	if (!ret && chmod(path, 0666)) {
		ret = -errno;
		unlink(path);
	}
	return ret ? error__set(err, ret, PIN_WHAT, path, NULL) : 0;
}

/* The map comes last: what has it is complete. */
static int pin_both(const struct filter_kernel *kernel, struct error *err)
{
	int ret = mkdir(FILTER_PINS, 0755) ? -errno : 0;

	if (ret == -EEXIST)
		return error__set(err, -EBUSY, PIN_WHAT, FILTER_PINS,
		                  "another perf pins it at this moment");
	if (ret)
		return error__set(err, ret, PIN_WHAT, FILTER_PINS, NULL);
	ret = chmod(FILTER_PINS, 0755) ? error__set(err, -errno, PIN_WHAT, FILTER_PINS, NULL) : 0;
	if (!ret)
		ret = pin_one(kernel->program, PROGRAM, err);
	if (!ret) {
		ret = pin_one(kernel->map, MAP, err);
		if (ret)
			unlink(PROGRAM);
	}
	if (ret)
		rmdir(FILTER_PINS);
	return ret;
}

int filter_pins__pin(struct error *err)
{
	struct filter_kernel kernel;
	struct error none = ERROR_INIT;
	int ret = no_bpf_fs(PIN_WHAT, err);
	bool in_part;

	if (ret)
		return ret;
	ret = filter_pins__get(&kernel, &none);
	if (!ret) {
		filter_kernel__close(&kernel);
		return error__set(err, -EEXIST, PIN_WHAT, FILTER_PINS, "it is pinned already");
	}
	in_part = ret == -EPERM && !check_folder(PIN_WHAT, NULL) && missing_name();
	if (ret != -ENOENT && !in_part) {
		if (err)
			*err = none;
		return ret;
	}
	ret = filter_kernel__load(&kernel, FILTER_PLACES, err);
	if (ret)
		return ret;
	ret = in_part ? remove_ours(PIN_WHAT, err) : 0;
	if (!ret)
		ret = pin_both(&kernel, err);
	filter_kernel__close(&kernel);
	return ret;
}

/* ---- unpin ---- */

int filter_pins__unpin(struct error *err)
{
	int ret = no_bpf_fs(UNPIN_WHAT, err);

	if (!ret)
		ret = check_folder(UNPIN_WHAT, err);
	return ret ? ret : remove_ours(UNPIN_WHAT, err);
}
