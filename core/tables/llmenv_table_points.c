/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_table_points.h"

static const llmenv_table_point_info points[] = {
#define X(name, value, unit, what) { #name, unit, what, value },
  LLMENV_TABLE_POINTS (X)
#undef X
};

const llmenv_table_point_info *
llmenv_table_point_get (size_t i)
{
  return i < LLMENV_TABLE_POINT_COUNT ? &points[i] : NULL;
}

int
llmenv_table_point_find (double x, int of_batches)
{
  const int first = of_batches ? LLMENV_AT_batch_1 : 0;
  const int end = of_batches ? LLMENV_TABLE_POINT_COUNT : LLMENV_AT_batch_1;
  for (int i = first; i < end; i++)
    if (points[i].value == x)
      return i;
  return -1;
}

double
llmenv_table_point_at (const double *moved, double x, int of_batches)
{
  const int i = moved == NULL ? -1 : llmenv_table_point_find (x, of_batches);
  return i < 0 ? x : moved[i];
}
