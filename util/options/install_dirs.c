// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/install_dirs.h"

const char *install_dirs__exec(void)
{
	return PERF_EXEC_DIR;
}

const char *install_dirs__doc(void)
{
	return PERF_DOC_DIR;
}

const char *install_dirs__man(void)
{
	return PERF_MAN_DIR;
}

const char *install_dirs__tables(void)
{
	return PERF_TABLE_DIR;
}

const char *install_dirs__system_config(void)
{
	return PERF_SYSTEM_CONFIG;
}
