/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formula of each cell of a table, from what stands behind the table. */
#include "live_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_quantity.h"
#include "llmenv_builder.h"
#include "llmenv_table_points.h"

/* ---- texts and figures of the records --------------------------------------- */

/* Column of the block that holds what the table says of each model (or card);
 * NULL where it says nothing. */
static live_column *
looked_up_column (live_book *live, const live_table *behind, const sheet *s, size_t column)
{
  const llmenv_table *t = s->table;
  const llmenv_catalogue *c = live->data.catalogue;
  live_block *b = behind->block;
  const int of_cards = b == live->of_cards[b->convention];
  static const xl_style plain = { .number = "General" };
  char key[LIVE_KEY];
  size_t said = 0;
  live_print (key, sizeof key, "%.24s: %.12s", t->columns[column].name, t->name);
  live_column *known = live_find (b, key);
  for (size_t r = 0; r < t->n_rows; r++)
  {
    const llmenv_cell *cell = llmenv_table_cell (t, r, column);
    said += cell->text == NULL || *cell->text != '\0';
  }
  if (known != NULL || said == 0)
    return known;
  known = live_open (b, key, "of the records");
  for (size_t r = 0; r < t->n_rows; r++)
    for (size_t i = 0; i < b->n; i++)
      if (of_cards ? t->rows[r].card == c->cards[i] : t->rows[r].model == c->models[i])
        {
          char text[200];
          const llmenv_cell *cell = llmenv_table_cell (t, r, column);
          llmenv_cell_text (cell, 0, text, sizeof text);
          if (cell->text == NULL && cell->reason == LLMENV_HAS_VALUE && isfinite (cell->number))
            xl_number (b->xl, b->first + i, (size_t) known->at, cell->number, &plain);
          else if (*text != '\0')
            xl_text (b->xl, b->first + i, (size_t) known->at, text, &plain);
        }
  return known;
}

/* ---- what stands behind a table ------------------------------------------------ */

/* Tables that change with the Inputs in ways that formulas do not follow. */
static int
is_fixed (const char *table)
{
  static const char *const names[] = { "expert_sensitivity", "touched_fallback", "elasticities" };
  for (size_t i = 0; i < N_OF (names); i++)
    if (strcmp (names[i], table) == 0)
      return 1;
  return 0;
}

live_table
live_table_of (live_book *live, const sheet *s)
{
  const llmenv_table *t = s->table;
  live_table behind = { NULL, NULL, t == NULL ? 0 : t->n_rows, 0 };
  if (live == NULL || t == NULL)
    return behind;
  if (is_fixed (t->name))
    {
      behind.is_fixed = 1;
      return behind;
    }
  if ((behind.block = live_open_table (live, s)) != NULL)
    return behind;
  if (strcmp (t->name, "published_vs_layered") == 0)
    return live_compared_table (live, s);
  if (strcmp (s->name, "cards overview") == 0 || strcmp (s->name, "cards") == 0)
    behind.block = live->of_cards[s->convention];
  else if (strcmp (s->name, "models overview") == 0 || strcmp (s->name, "models") == 0 || strcmp (s->name, "both conventions") == 0)
    behind.block = live->of_models[s->convention];
  else
    return live_ranked_table (live, s);
  return behind;
}

/* ---- cells ------------------------------------------------------------------- */

/* Columns of tables that are arithmetic over columns of the block; of_cache:
 * the word of a model without one stands where they have no number. */
static const struct { const char *name, *formula; int of_cache; } sums_of[] = {
  { "total_b", "{params}/1E9", 0 }, { "active_b", "{F}/2E9", 0 },
  { "kv_kib_per_tok", "({K@1}-{K@0})/1024", 1 }, { "kv_bytes_per_tok", "{K@1}-{K@0}", 0 },
  { "max_position_embeddings", "{longest}", 0 }, { "kv_gb_at_max_ctx", "{K@longest}/1E9", 1 },
  { "kv_gb_full_ctx", "{K@longest}/1E9", 1 }, { "ratio", "{b_eq resident@1}/{b_eq active@1}", 0 },
  { "g", "{fs0}/{rs0}", 1 }, { "bf16_dense_tflops", "{peak}/1E12", 0 },
  { "bandwidth_gb_s", "{bandwidth}/1E9", 0 }, { "peak_tflops", "{peak}/1E12", 0 }, { "memory_gb", "{memory}/1E9", 0 }, { "count", "{count}", 0 }, { "context", "{L}", 0 },
  { "batch", "{B}", 0 }, { "weight_bytes", "{held}", 0 },
  { "free_gb", "{free}/1E9", 0 },
  { "gain", "{throughput@L}/{throughput of 1}", 0 }, { "bytes_each", "{kb}", 0 },
};

/* How a column is computed. */
typedef struct
{
  live_column *from;
  const char *inf_word, *zero_word;
  int of_cache;
  double scale;
  live_cut cut;
} column_rule;

/* Quotients of two quantities: infinite where the first is, 0 where only the
 * second is. */
static const struct { const char *name; llmenv_quantity over, under; } quotients[] = {
  { "fill_over_nstar", LLMENV_Q_fill, LLMENV_Q_n_star }, { "capacity_over_b50", LLMENV_Q_capacity, LLMENV_Q_b_50 },
};

static double
quotient_value (const live_block *b, size_t row, const void *what)
{
  const llmenv_quantity *pair = what;
  const live_at_point at = live_at_row ();
  const double over = live_core_value (b, row, pair[0], LLMENV_BASIS_DEFAULT, &at);
  const double under = live_core_value (b, row, pair[1], LLMENV_BASIS_DEFAULT, &at);
  return isnan (over) || isnan (under) || isinf (over) ? over + under : over / under;
}

static column_rule
quotient_rule (live_block *b, size_t i)
{
  const llmenv_quantity pair[] = { quotients[i].over, quotients[i].under };
  const live_at_point at = live_at_row ();
  char formula[300], key[LIVE_KEY];
  const char *over = live_quantity (b, pair[0], LLMENV_BASIS_DEFAULT, &at)->key;
  const char *under = live_quantity (b, pair[1], LLMENV_BASIS_DEFAULT, &at)->key;
  live_print (key, sizeof key, "= %s", quotients[i].name);
  live_print (formula, sizeof formula, "IF({%s}*1>=1E+300,1E+300+0*{%s},IF({%s}*1>=1E+300,0*{%s},{%s}/{%s}))", over, under, under,
              over, over, under);
  return (column_rule) { live_term (b, key, formula, quotient_value, pair), "unbounded", "", 1, 1, LIVE_AS_IS };
}

static live_cut
cut_of (const llmenv_column_def *def, llmenv_convention convention)
{
  if (def->rounding == LLMENV_CEIL
      || (def->rounding == LLMENV_FLOOR && def->quantity == LLMENV_Q_b_star && convention == LLMENV_LAYERED))
    return LIVE_UP;
  return def->rounding == LLMENV_FLOOR ? LIVE_DOWN : LIVE_AS_IS;
}

const char *
live_zero_word (llmenv_quantity q)
{
  return q == LLMENV_Q_fill || q == LLMENV_Q_capacity ? llmenv_reason_word (LLMENV_DOES_NOT_FIT) : "";
}

static column_rule
quantity_rule (live_book *live, live_block *b, const llmenv_column_def *def, llmenv_convention convention)
{
  const llmenv_quantity_info *info = llmenv_quantity_get (def->quantity);
  const live_at_point at = isnan (def->at) ? live_at_row () : live_at_figure (def->at, live->request->points);
  return (column_rule) { live_quantity (b, def->quantity, def->basis, &at), info->inf_word,
                         live_zero_word (def->quantity),
                         def->quantity != LLMENV_Q_weight_bytes && !(info->takes & LLMENV_NO_MODEL),
                         def->scale, cut_of (def, convention) };
}

/* Columns of joined tables are named after quantities. */
static int
joined_rule (live_book *live, live_block **b, const sheet *s, const llmenv_column *column, column_rule *rule)
{
  char name[LIVE_KEY];
  const char *tail = strchr (column->name, ' ');
  if (s->table->defs[0] != NULL)
    return 0;
  live_print (name, sizeof name, "%.*s", tail == NULL ? (int) strlen (column->name) : (int) (tail - column->name),
              column->name);
  const int q = llmenv_quantity_find (name);
  if (q < 0)
    return 0;
  if (tail != NULL)
    *b = live->of_models[strcmp (tail, " published") == 0 ? LLMENV_PUBLISHED : LLMENV_LAYERED];
  const llmenv_quantity_info *info = llmenv_quantity_get ((llmenv_quantity) q);
  live_at_point at = live_at_row ();
  if (info->takes & LLMENV_TAKES_BYTES)
    at = live_at_memory ();
  *rule = (column_rule) { live_quantity (*b, (llmenv_quantity) q, LLMENV_BASIS_DEFAULT, &at), info->inf_word,
                          live_zero_word ((llmenv_quantity) q),
                          q != LLMENV_Q_weight_bytes && !(info->takes & LLMENV_NO_MODEL),
                          strcmp (info->unit, "bytes") == 0 ? 1e-9 : 1, LIVE_AS_IS };
  return 1;
}

static int
rule_of (live_book *live, live_block **b, const sheet *s, size_t column, column_rule *rule)
{
  const llmenv_column *c = &s->table->columns[column];
  const llmenv_column_def *def = s->table->defs[column];
  if (def == NULL)
    return joined_rule (live, b, s, c, rule);
  if (def->cell == llmenv_cell_quantity)
    {
      *rule = quantity_rule (live, *b, def, s->convention);
      return 1;
    }
  for (size_t i = 0; i < N_OF (quotients); i++)
    if (strcmp (quotients[i].name, c->name) == 0)
      {
        *rule = quotient_rule (*b, i);
        return 1;
      }
  for (size_t i = 0; i < N_OF (sums_of); i++)
    if (strcmp (sums_of[i].name, c->name) == 0)
      {
        char key[LIVE_KEY];
        live_print (key, sizeof key, "= %s", c->name);
        *rule = (column_rule) { live_computed (live, *b, key, sums_of[i].formula), "", "", sums_of[i].of_cache, 1, LIVE_AS_IS };
        return 1;
      }
  return 0;
}

/* Row of the block that a row of the table is: the same, but where the block
 * has all models or cards the one of its id. */
static size_t
block_row (const live_book *live, const live_block *b, const sheet *s, size_t row)
{
  const llmenv_catalogue *c = live->data.catalogue;
  const int of_models = b == live->of_models[b->convention], of_cards = b == live->of_cards[b->convention];
  const char *id = llmenv_table_cell (s->table, row, 0)->text;
  for (size_t i = 0; (of_models || of_cards) && i < b->n; i++)
    if (strcmp (of_models ? c->models[i]->id : c->cards[i]->id, id) == 0)
      return i;
  return row;
}

/* Where ROW's cell of COLUMN is: itself, or the one that stands there now. */
static void
reference (const live_book *live, const live_table *behind, const live_block *b, const sheet *s,
           const live_column *column, size_t row, char *out, size_t size)
{
  if (behind->order == NULL)
    live_print (out, size, "%s", live_cell_ref (b, column, block_row (live, b, s, row)).text);
  else
    live_print (out, size, "INDEX(%s,%s)", live_range_ref (b, column).text,
                live_cell_ref (behind->block, behind->order, row).text);
}

void
live_id_formula (live_book *live, const live_table *behind, size_t row, char *out, size_t size)
{
  const live_block *b = behind->block;
  const live_ref ids = b == live->of_cards[b->convention] ? live_card_range (&live->data, 0)
                                                          : live_model_range (&live->data, 0);
  live_print (out, size, "=IFERROR(INDEX(%s,%s),\"\")", ids.text, live_cell_ref (b, behind->order, row).text);
}

/* The K-th id; other texts and figures of the records, looked up by it. */
static int
looked_up (live_book *live, const live_table *behind, const sheet *s, size_t row, size_t column,
           char *out, size_t size)
{
  const llmenv_column_def *def = s->table->defs[column];
  const llmenv_table *t = s->table;
  char at[200];
  if (behind->order == NULL || def == NULL)
    return 0;
  const live_ref k = live_cell_ref (behind->block, behind->order, row);
  if (def->cell == llmenv_cell_model_id || def->cell == llmenv_cell_card_id)
    live_print (at, sizeof at, "INDEX(%s,%s)", (def->cell == llmenv_cell_model_id ? live_model_range (&live->data, 0)
                                                : live_card_range (&live->data, 0)).text, k.text);
  else if (def->cell == llmenv_cell_rank)
    live_print (at, sizeof at, "%zu+0*%s", row + 1, k.text);
  else
    {
      const live_column *texts = looked_up_column (live, behind, s, column);
      if (texts == NULL)
        return 0;
      live_print (at, sizeof at, "INDEX(%s,%s)%s", live_range_ref (behind->block, texts).text, k.text,
                  t->columns[column].kind == LLMENV_TEXT_COLUMN ? "&\"\"" : "");
    }
  live_print (out, size, "=IFERROR(%s,\"\")", at);
  return 1;
}

int
live_header (live_book *live, const live_table *behind, const sheet *s, size_t column,
             char *out, size_t size, char *text, size_t text_size)
{
  const llmenv_column *c = &s->table->columns[column];
  const llmenv_column_def *def = s->table->defs[column];
  const int i = behind->block == NULL || def == NULL || def->cell != llmenv_cell_quantity || isnan (def->at)
                ? -1 : llmenv_table_point_find (def->at, 0);
  if (i < 0)
    return 0;
  const llmenv_table_point_info *p = llmenv_table_point_get ((size_t) i);
  const int bytes = strcmp (p->unit, "bytes") == 0;
  const double own = bytes ? p->value / 1e9 : p->value;
  const double at = live->request->points == NULL ? own : live->request->points[i] / (bytes ? 1e9 : 1);
  char moved[40] = "";
  if (at != own)
    live_print (moved, sizeof moved, " at %.15g%s", at, bytes ? " GB" : "");
  live_print (text, text_size, *c->unit != '\0' ? "%s%s\n[%s]" : "%s%s", c->name, moved, c->unit);
  live_print (out, size, "=\"%s\"&IF(%s=%s,\"\",\" at \"&%s%s)&CHAR(10)&\"[%s]\"", c->name, p->name,
              live_number (own).text, p->name, bytes ? "&\" GB\"" : "", c->unit);
  return 1;
}

/* A number of the core, shown while the Inputs are as written. */
static int
fixed_cell (const sheet *s, size_t row, size_t column, char *out, size_t size)
{
  const llmenv_cell *cell = llmenv_table_cell (s->table, row, column);
  if (s->table->columns[column].kind != LLMENV_NUMBER_COLUMN || cell->text != NULL
      || cell->reason != LLMENV_HAS_VALUE || !isfinite (cell->number))
    return 0;
  const llmenv_column_def *def = s->table->defs[column];
  const int cut = def != NULL && def->rounding != LLMENV_NEAREST;
  live_print (out, size, "=IF(in_changed=0,%s,\"" LIVE_STALE "\")",
              live_number (cut ? cell->shown : cell->number).text);
  return 1;
}

/* The basis in words: the Inputs', or "total" where a published record has no
 * active parameters. */
static void
basis_cell (live_book *live, const live_table *behind, const sheet *s, size_t row, char *out, size_t size)
{
  const live_block *b = behind->block;
  const int published = b->convention == LLMENV_PUBLISHED;
  char total[300];
  reference (live, behind, b, s, live_find (behind->block, "F"), row, total, sizeof total);
  if (published)
    live_print (out, size, "=IF(ISNUMBER(%s),IF(in_basis=\"default\",\"active\",in_basis),\"total\")", total);
  else
    live_print (out, size, "=IF(in_basis=\"default\",\"touched\",in_basis)");
}

int
live_cell (live_book *live, const live_table *behind, const sheet *s, size_t row, size_t column,
           char *out, size_t size)
{
  column_rule rule;
  live_block *b = behind->block;
  char ref[300], why[300] = "\"" LIVE_NO_RECORD "\"";
  if (behind->is_fixed)
    return fixed_cell (s, row, column, out, size);
  if (b == NULL)
    return 0;
  if (strcmp (s->table->name, "published_vs_layered") == 0)
    return live_compared_cell (behind, s, row, column, out, size);
  if (strcmp (s->table->columns[column].name, "basis") == 0)
    {
      basis_cell (live, behind, s, row, out, size);
      return 1;
    }
  if (!rule_of (live, &b, s, column, &rule) || rule.from == NULL)
    return looked_up (live, behind, s, row, column, out, size);
  reference (live, behind, b, s, rule.from, row, ref, sizeof ref);
  if (rule.of_cache)
    reference (live, behind, b, s, live_find (b, "why"), row, why, sizeof why);
  live_shown (out, size, ref, rule.inf_word, rule.zero_word, why, rule.scale, rule.cut);
  if (behind->n_rows > s->table->n_rows)
    {
      char whole[LIVE_FORMULA];
      live_print (whole, sizeof whole, "=IF(ISNUMBER(%s),%s,\"\")",
                  live_cell_ref (behind->block, behind->order, row).text, out + 1);
      live_print (out, size, "%s", whole);
    }
  return 1;
}
