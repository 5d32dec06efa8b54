// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf_filter/bpf_calls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int call(int command, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static u64 address(const void *p)
{
	return (u64)(uintptr_t)p;
}

int bpf_call__create_hash(const char *name, u32 key_size, u32 value_size, u32 max)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_HASH;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = max;
	snprintf(attr.map_name, sizeof(attr.map_name), "%s", name);
	return call(BPF_MAP_CREATE, &attr);
}

int bpf_call__load(const char *name, const struct bpf_insn *insns, u32 nr, char *log, u32 log_size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = address(insns);
	attr.insn_cnt = nr;
	attr.license = address("GPL"); /* the kernel's functions are for such programs only */
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	if (log) {
		attr.log_buf = address(log);
		attr.log_size = log_size;
		attr.log_level = 1;
	}
	return call(BPF_PROG_LOAD, &attr);
}

static int on_element(int command, int map, const void *key, void *value, u64 flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = address(key);
	attr.value = address(value); /* the same place as next_key */
	attr.flags = flags;
	return call(command, &attr);
}

int bpf_call__lookup(int map, const void *key, void *value)
{
	return on_element(BPF_MAP_LOOKUP_ELEM, map, key, value, 0);
}

int bpf_call__add(int map, const void *key, const void *value)
{
	return on_element(BPF_MAP_UPDATE_ELEM, map, key, (void *)value, BPF_NOEXIST);
}

int bpf_call__remove(int map, const void *key)
{
	return on_element(BPF_MAP_DELETE_ELEM, map, key, NULL, 0);
}

int bpf_call__next_key(int map, const void *key, void *next)
{
	return on_element(BPF_MAP_GET_NEXT_KEY, map, key, next, 0);
}

int bpf_call__pin(int fd, const char *path)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = address(path);
	attr.bpf_fd = fd;
	return call(BPF_OBJ_PIN, &attr);
}

int bpf_call__get(const char *path)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = address(path);
	return call(BPF_OBJ_GET, &attr);
}

int bpf_call__info(int fd, void *info, u32 size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = size;
	attr.info.info = address(info);
	return call(BPF_OBJ_GET_INFO_BY_FD, &attr);
}
