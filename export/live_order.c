/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rankings: keys, ranks, and which row stands where. */
#include "live_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_builder.h"
#include "llmenv_table_points.h"
#include "sheet_chart_data.h"

#define NOT_A_MEMBER 3e300
#define UNKNOWN 2e300

/* ---- order ----------------------------------------------------------------- */

/* What rankings are sorted by, smallest first; limit: only rows under it. */
static const struct { const char *table, *key, *limit; } orders[] = {
  { "dense", "{K@1}-{K@0}", NULL }, { "moe", "{K@1}-{K@0}", NULL }, { "hybrid", "{K@1}-{K@0}", NULL },
  { "gemma4_kv", "{K@1}-{K@0}", NULL }, { "cheap_end", "{K@1}-{K@0}", NULL },
  { "beq_ranked", "{b_eq active@1}", NULL }, { "lwall_ranked", "{l_wall}", NULL },
  { "bstar", "{b_star active@ctx_1k}", NULL }, { "worst10", "{kv_context@gb_80}", NULL },
  { "beq_resident", "-{b_eq resident@1}/{b_eq active@1}", NULL },
  { "exceed80", "-{K@longest}", "-gb_80*1E9" }, { "ridge", "-{R}", NULL },
};

typedef struct { const llmenv_table *table; double limit; } membership;

/* Whether the block's row R is in the table, or may come to be. */
static int
is_member (const live_book *live, const live_block *b, size_t r, const membership *m)
{
  const llmenv_catalogue *c = live->data.catalogue;
  if (!isnan (m->limit))
    return 1;
  for (size_t k = 0; k < m->table->n_rows; k++)
    if (b == live->of_cards[b->convention] ? m->table->rows[k].card == c->cards[r]
                                           : m->table->rows[k].model == c->models[r])
      return 1;
  return 0;
}

static double
key_number (double value, double limit)
{
  return isnan (value) ? isnan (limit) ? UNKNOWN : NOT_A_MEMBER
         : isinf (value) ? copysign (LIVE_INFINITE, value)
         : !isnan (limit) && !(value < limit) ? NOT_A_MEMBER : value;
}

static void
key_terms (live_book *live, live_block *b, const char *name, const live_column *value,
           const membership *m, const char *limit)
{
  live_column *c = live_open (b, name, "sorted by, smallest first");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[300];
      const live_ref x = live_cell_ref (b, value, r);
      if (!is_member (live, b, r, m))
        live_set (b, c, r, "3E+300", NOT_A_MEMBER);
      else
        {
          if (limit != NULL)
            live_print (formula, sizeof formula, "IF(ISNUMBER(%s),IF(%s<%s,%s,3E+300),3E+300)", x.text, x.text, limit, x.text);
          else
            live_print (formula, sizeof formula, "IF(ISNUMBER(%s),%s,2E+300)", x.text, x.text);
          live_set (b, c, r, formula, key_number (value->value[r], m->limit));
        }
    }
}

/* Ties go to fewer parameters, then to the id: the block's rows are in that
 * order. */
static double
rank_of (const live_block *b, const live_column *key, const live_column *tie, size_t row)
{
  double rank = 0;
  for (size_t r = 0; r < b->n; r++)
    {
      const double t = tie == NULL ? 0 : isnan (tie->value[r]) ? UNKNOWN : tie->value[r];
      const double own = tie == NULL ? 0 : isnan (tie->value[row]) ? UNKNOWN : tie->value[row];
      rank += key->value[r] < key->value[row]
              || (key->value[r] == key->value[row] && (t < own || (t == own && r <= row)));
    }
  return rank;
}

static live_column *
tie_term (live_block *b)
{
  live_column *c = live_find (b, "tie"), *params = live_find (b, "params");
  if (c != NULL || b->row[0].model == 0)
    return c;
  c = live_open (b, "tie", "parameters; ties go to fewer");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[120];
      const live_ref x = live_cell_ref (b, params, r);
      live_print (formula, sizeof formula, "IF(ISNUMBER(%s),%s,2E+300)", x.text, x.text);
      live_set (b, c, r, formula, isnan (params->value[r]) ? UNKNOWN : params->value[r]);
    }
  return c;
}

/* Columns that put the rows of B in order of KEY: rank, and which row stands
 * K-th. */
static live_column *
sorted_terms (live_book *live, live_block *b, const char *name, live_column *key, int by_size)
{
  char rank_name[LIVE_KEY], order_name[LIVE_KEY];
  live_print (order_name, sizeof order_name, "order %.32s", name);
  live_print (rank_name, sizeof rank_name, "rank %.32s", name);
  const int of_cards = b == live->of_cards[b->convention];
  live_column *tie = of_cards || !by_size ? NULL : tie_term (b);
  live_column *place = live_find (b, of_cards ? "c" : "m");
  live_column *rank = live_open (b, rank_name, "place by key, parameters, id");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[900];
      const live_ref k = live_range_ref (b, key), x = live_cell_ref (b, key, r), p = live_range_ref (b, place);
      const live_ref own = live_cell_ref (b, place, r);
      if (tie == NULL)
        live_print (formula, sizeof formula, "SUMPRODUCT((%s<%s)+(%s=%s)*(%s<=%s))", k.text, x.text, k.text, x.text,
                    p.text, own.text);
      else
        {
          const live_ref t_all = live_range_ref (b, tie), t_own = live_cell_ref (b, tie, r);
          live_print (formula, sizeof formula, "SUMPRODUCT((%s<%s)+(%s=%s)*((%s<%s)+(%s=%s)*(%s<=%s)))", k.text, x.text,
                      k.text, x.text, t_all.text, t_own.text, t_all.text, t_own.text, p.text, own.text);
        }
      live_set (b, rank, r, formula, rank_of (b, key, tie, r));
    }
  live_column *sorted = live_open (b, order_name, "row that stands K-th; blank: none");
  for (size_t k = 0; k < b->n; k++)
    {
      char formula[300];
      size_t at = 0;
      while (at < b->n && rank->value[at] != (double) k + 1)
        at++;
      const live_ref ranks = live_range_ref (b, rank), keys = live_range_ref (b, key);
      live_print (formula, sizeof formula, "IF(INDEX(%s,MATCH(%zu,%s,0))>=3E+300,\"" LIVE_NO_RECORD "\",MATCH(%zu,%s,0))",
                  keys.text, k + 1, ranks.text, k + 1, ranks.text);
      live_set (b, sorted, k, formula, at < b->n && key->value[at] < NOT_A_MEMBER ? (double) at + 1 : NAN);
    }
  return sorted;
}

static live_column *
order_terms (live_book *live, live_block *b, size_t order, const llmenv_table *t)
{
  char key_name[LIVE_KEY], value_name[LIVE_KEY], order_name[LIVE_KEY];
  const double limit = orders[order].limit == NULL ? NAN
                       : -llmenv_table_point_at (live->request->points, 80e9, 0);
  const membership m = { t, limit };
  live_print (order_name, sizeof order_name, "order %s", t->name);
  if (live_find (b, order_name) != NULL)
    return live_find (b, order_name);
  live_print (value_name, sizeof value_name, "value %s", t->name);
  live_print (key_name, sizeof key_name, "key %s", t->name);
  const live_column *value = live_computed (live, b, value_name, orders[order].key);
  key_terms (live, b, key_name, value, &m, orders[order].limit);
  return sorted_terms (live, b, t->name, live_find (b, key_name), 1);
}

/* How far the convention moves a wall: -|ln (published / layered)|. */
static live_column *
moved_term (live_book *live, live_block *b)
{
  live_block *other = live->of_models[LLMENV_PUBLISHED];
  const live_column *x = live_named (live, other, "l_wall"), *y = live_named (live, live->of_models[LLMENV_LAYERED], "l_wall");
  live_column *c = live_find (b, "moved");
  if (c != NULL)
    return c;
  c = live_open (b, "moved", "-|ln (published wall / layered wall)|");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[400];
      const double p = x->value[r], l = y->value[r];
      const live_ref px = live_cell_ref (other, x, r), lx = live_cell_ref (live->of_models[LLMENV_LAYERED], y, r);
      live_print (formula, sizeof formula, "IF(MAX(%s*1,%s*1)>=1E+300,\"" LIVE_NO_RECORD "\",-ROUND(ABS(LN(%s/%s)),9))", px.text, lx.text,
                  px.text, lx.text);
      live_set (b, c, r, formula, isfinite (p) && isfinite (l) && p > 0 && l > 0 ? -1e-9 * round (1e9 * fabs (log (p / l))) : NAN);
    }
  return c;
}

live_column *
live_order_by (live_book *live, live_block *b, const char *name, const char *key)
{
  char value_name[LIVE_KEY], key_name[LIVE_KEY], order_name[LIVE_KEY];
  live_print (order_name, sizeof order_name, "order %.32s", name);
  if (live_find (b, order_name) != NULL)
    return live_find (b, order_name);
  live_print (value_name, sizeof value_name, "value %.32s", name);
  live_print (key_name, sizeof key_name, "key %.32s", name);
  const int by_move = strcmp (key, CHART_BY_MOVE) == 0;
  const live_column *value = by_move ? moved_term (live, b)
                             : live_computed (live, b, value_name, key);
  live_column *c = live_open (b, key_name, "sorted by, smallest first; walls at 0 and words last");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[400], is_0[180];
      const live_ref x = live_cell_ref (b, value, r);
      const double v = value->value[r];
      live_print (is_0, sizeof is_0, "%s=0", x.text);
      /* A wall that does not move is a figure; what is 0 otherwise is none. */
      live_print (formula, sizeof formula, "IF(ISNUMBER(%s),IF(OR(%s,ABS(%s)>=1E+300),2E+300,%s),2E+300)", x.text,
                  by_move ? "FALSE" : is_0, x.text, x.text);
      live_set (b, c, r, formula, isnan (v) || (v == 0 && !by_move) || fabs (v) >= LIVE_INFINITE ? UNKNOWN : v);
    }
  return sorted_terms (live, b, name, c, 0);
}

live_table
live_ranked_table (live_book *live, const sheet *s)
{
  live_table behind = { NULL, NULL, s->table->n_rows, 0 };
  for (size_t i = 0; i < N_OF (orders); i++)
    if (strcmp (orders[i].table, s->table->name) == 0 && s->table->n_rows > 0)
      {
        behind.block = strcmp (s->table->name, "ridge") == 0 ? live->of_cards[s->convention]
                                                             : live->of_models[s->convention];
        if (behind.block == NULL)
          return behind;
        behind.order = order_terms (live, behind.block, i, s->table);
        if (orders[i].limit != NULL)
          behind.n_rows = behind.block->n;
      }
  return behind;
}

