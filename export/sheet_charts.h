/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Native charts: beside narrow tables, under wide ones, and a sheet of them. */
#ifndef SHEET_CHARTS_H
#define SHEET_CHARTS_H

#include "sheet_chart_data.h"

/* Put all charts on the sheets of PLAN, which have been written, as DATA is. */
void sheet_charts_write (sheet_plan *plan, const chart_data *data);

#endif
