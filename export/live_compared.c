/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the simple formulas get wrong, ranked by how much: one row a model and a
 * quantity, taken from the blocks of both conventions. */
#include "live_rows.h"

#include <math.h>
#include <string.h>

#include "llmenv_builder.h"

/* Quantities compared, by the words of the table: the column of calculation, its
 * word where it is infinite, whether a model without a cache has none. */
static const struct { const char *name, *column, *inf_word; int of_cache; } compared[] = {
  { "kv_bytes at 128k", "kv_bytes@ctx_128k", "", 1 },
  { "weight_bytes at batch 1", "W@1", "", 0 },
  { "l_wall", "l_wall", "never", 1 },
  { "b_star", "b_star@L", "none", 1 },
  { "ceiling", "ceiling@L", "unbounded", 1 },
};

enum { MODEL = 1, QUANTITY, PUBLISHED, LAYERED, UNIT, RATIO, WHY };

enum { N_COMPARED = N_OF (compared) };

static size_t
what_of (const llmenv_table *t, size_t row)
{
  size_t i = 0;
  while (i + 1 < N_OF (compared) && strcmp (compared[i].name, llmenv_table_cell (t, row, QUANTITY)->text) != 0)
    i++;
  return i;
}

/* The cell of a convention's block that row R is about: models in the order of
 * ids, the quantities of each. */
static void
put_side (live_book *live, live_block *b, size_t r, llmenv_convention c, const char *key)
{
  live_block *of = live->of_models[c];
  const size_t what = r % N_COMPARED, model = r / N_COMPARED;
  const live_column *from = live_named (live, of, compared[what].column);
  live_column *to = live_find (b, key);
  if (to == NULL)
    to = live_open (b, key, "of Calc models");
  live_set (b, to, r, live_cell_ref (of, from, model).text, from->value[model]);
}

static double
ratio_of (const live_block *b, size_t row, const void *what)
{
  (void) what;
  const double p = b->column[0].value[row], l = b->column[1].value[row];
  return p == l || fabs (p / l - 1) < 1e-12 ? 1 : p / l;
}

/* Sorted by; smallest first. */
static double
key_of (const live_block *b, size_t row, const void *what)
{
  const double ratio = ratio_of (b, row, what);
  return isnan (ratio) ? 2e300 : ratio == 0 || isinf (ratio) ? -LIVE_INFINITE
         : -1e-9 * round (1e9 * fabs (log (ratio)));
}

static double
place_of (const live_block *b, size_t row, const void *what)
{
  (void) b;
  (void) what;
  return (double) row + 1;
}

/* Ties go to fewer parameters (of WHAT, the book), then to the id. */
static double
size_of (const live_block *b, size_t row, const void *what)
{
  const live_book *live = what;
  (void) b;
  const double params = live_find (live->of_models[LLMENV_LAYERED], "params")->value[row / N_COMPARED];
  return isnan (params) ? 2e300 : params;
}

static double
rank_of (const live_block *b, size_t row, const void *what)
{
  double rank = 0;
  const double own = key_of (b, row, NULL), size = size_of (b, row, what);
  for (size_t r = 0; r < b->n; r++)
    {
      const double key = key_of (b, r, NULL), other = size_of (b, r, what);
      rank += key < own || (key == own && (other < size || (other == size && r <= row)));
    }
  return rank;
}

/* What the table says of the row, and the words of its quantity. */
static void
put_texts (live_book *live, live_block *b, const llmenv_table *t)
{
  static const struct { const char *key; int column; } texts[] = {
    { "model", MODEL }, { "quantity", QUANTITY }, { "unit", UNIT }, { "why", WHY } };
  static const xl_style plain = { 0 };
  live_column *c[N_OF (texts)], *word = live_open (b, "infinite", "word"), *none = live_open (b, "none", "word");
  for (size_t i = 0; i < N_OF (texts); i++)
    c[i] = live_open (b, texts[i].key, "as written");
  for (size_t at = 0; at < b->n; at++)
    {
      const size_t what = what_of (t, at);
      const size_t r = (live_model_index (&live->data, t->rows[at].model) - 1) * N_COMPARED + what;
      const int silent = compared[what].of_cache
                         && t->rows[at].model->model.kv_reason == LLMENV_NOT_APPLICABLE;
      xl_text (b->xl, b->first + r, (size_t) word->at, compared[what].inf_word, &plain);
      xl_text (b->xl, b->first + r, (size_t) none->at,
               silent ? llmenv_reason_word (LLMENV_NOT_APPLICABLE) : LIVE_NO_RECORD, &plain);
      for (size_t i = 0; i < N_OF (texts); i++)
        xl_text (b->xl, b->first + r, (size_t) c[i]->at, llmenv_table_cell (t, at, (size_t) texts[i].column)->text, &plain);
    }
}

/* Which row stands K-th. */
static live_column *
put_order (live_block *b)
{
  live_column *order = live_open (b, "order", "row that stands K-th");
  const live_ref ranks = live_range_ref (b, live_find (b, "rank"));
  for (size_t k = 0; k < b->n; k++)
    {
      char formula[120];
      size_t at = 0;
      while (at < b->n && live_find (b, "rank")->value[at] != (double) k + 1)
        at++;
      live_print (formula, sizeof formula, "MATCH(%zu,%s,0)", k + 1, ranks.text);
      live_set (b, order, k, formula, (double) at + 1);
    }
  return order;
}

live_table
live_compared_table (live_book *live, const sheet *s)
{
  const llmenv_table *t = s->table;
  live_table behind = { NULL, NULL, t->n_rows, 0 };
  live_block *b = live_block_add (live, t->n_rows, LLMENV_LAYERED, s->name);
  char formula[500];
  if (b == NULL)
    return behind;
  for (size_t r = 0; r < b->n; r++)
    {
      put_side (live, b, r, LLMENV_PUBLISHED, "published");
      put_side (live, b, r, LLMENV_LAYERED, "layered");
    }
  live_term (b, "ratio",
             "IF({published}*1={layered}*1,1,IF({layered}=0,1E+300,IF({layered}>=1E+300,0,IF({published}>=1E+300,1E+300,"
             "IF(ABS({published}/{layered}-1)<1E-12,1,{published}/{layered})))))", ratio_of, NULL);
  live_term (b, "key", "IF(ISNUMBER({ratio}),IF(OR({ratio}=0,{ratio}>=1E+300),-1E+300,-ROUND(ABS(LN({ratio})),9)),2E+300)",
             key_of, NULL);
  live_constants (b, "place", "by id", place_of, NULL);
  live_constants (b, "size", "parameters; ties go to fewer", size_of, live);
  const live_ref sizes = live_range_ref (b, live_find (b, "size"));
  const live_ref keys = live_range_ref (b, live_find (b, "key")), places = live_range_ref (b, live_find (b, "place"));
  live_print (formula, sizeof formula, "SUMPRODUCT((%s<{key})+(%s={key})*((%s<{size})+(%s={size})*(%s<={place})))",
              keys.text, keys.text, sizes.text, sizes.text, places.text);
  live_term (b, "rank", formula, rank_of, live);
  put_texts (live, b, t);
  behind.block = b;
  behind.order = put_order (b);
  return behind;
}

int
live_compared_cell (const live_table *behind, const sheet *s, size_t row, size_t column, char *out, size_t size)
{
  live_block *b = behind->block;
  const char *name = s->table->columns[column].name;
  live_column *c = live_find (b, name);
  const live_ref k = live_cell_ref (b, behind->order, row);
  if (c == NULL || strcmp (name, "rank") == 0)
    return 0;
  const live_ref x = live_range_ref (b, c), word = live_range_ref (b, live_find (b, "infinite")),
                 none = live_range_ref (b, live_find (b, "none"));
  if (s->table->columns[column].kind == LLMENV_TEXT_COLUMN)
    live_print (out, size, "=INDEX(%s,%s)&\"\"", x.text, k.text);
  else if (column == RATIO)
    live_print (out, size, "=IF(ISNUMBER(INDEX(%s,%s)),IF(INDEX(%s,%s)>=1E+300,\"unbounded\",INDEX(%s,%s)),INDEX(%s,%s))",
                x.text, k.text, x.text, k.text, x.text, k.text, none.text, k.text);
  else
    live_print (out, size, "=IF(ISNUMBER(INDEX(%s,%s)),IF(INDEX(%s,%s)>=1E+300,INDEX(%s,%s),INDEX(%s,%s)),INDEX(%s,%s))",
                x.text, k.text, x.text, k.text, word.text, k.text, x.text, k.text, none.text, k.text);
  return 1;
}
