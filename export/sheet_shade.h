/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditional formats. */
#ifndef SHEET_SHADE_H
#define SHEET_SHADE_H

#include "sheet_plan.h"

/* Shade what an analyst looks for in the table of S (short walls, caches over
 * the card's memory, conventions that disagree) and say so in LEGEND. */
void sheet_shade (sheet *s, char *legend, size_t size);

#endif
