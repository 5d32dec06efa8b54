// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/places.h"

const char *places__exec_dir(void)
{
	return PERF_EXEC_DIR;
}

const char *places__doc_dir(void)
{
	return PERF_DOC_DIR;
}

const char *places__man_dir(void)
{
	return PERF_MAN_DIR;
}

const char *places__table_dir(void)
{
	return PERF_TABLE_DIR;
}

const char *places__system_config(void)
{
	return PERF_SYSTEM_CONFIG;
}
