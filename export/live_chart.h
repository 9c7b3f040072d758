/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas behind the sheet of chart data, so that charts follow the Inputs. */
#ifndef LIVE_CHART_H
#define LIVE_CHART_H

#include "live_book.h"
#include "sheet_chart_data.h"

/* Write BLOCK, whose values stand on S already, again as formulas. */
void live_chart_write (live_book *live, const sheet_plan *plan, sheet *s, const chart_block *block);

#endif
