// SPDX-License-Identifier: GPL-2.0-or-later
/* Python scripts. */
#include <Python.h>

int main(void)
{
	return Py_IsInitialized();
}
