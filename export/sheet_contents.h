/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first sheet: what the workbook says in ten lines, and what it has. */
#ifndef SHEET_CONTENTS_H
#define SHEET_CONTENTS_H

#include "sheet_plan.h"

/* Write the contents of PLAN on XL. */
void sheet_contents_write (const sheet_plan *plan, xl_sheet *xl);

#endif
