/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first sheet: what the workbook says in ten lines, and what it has. */
#ifndef SHEET_CONTENTS_H
#define SHEET_CONTENTS_H

#include "sheet_plan.h"

/* Write the contents of PLAN on XL; IS_LIVE: its cells are formulas; else WHY_NOT,
 * where that was not the request's wish, or NULL. */
void sheet_contents_write (const sheet_plan *plan, xl_sheet *xl, int is_live,
                           const char *why_not);

#endif
