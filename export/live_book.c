/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_book.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_inputs.h"
#include "live_own.h"
#include "live_quantity.h"
#include "llmenv_builder.h"
#include "llmenv_table_points.h"
#include "sheet_chart_data.h"

#define CALC_MODELS "'Calc models'"
#define CALC_CARDS "'Calc cards'"
#define CALC_TABLES "'Calc tables'"
#define NOT_A_MEMBER 3e300
#define UNKNOWN 2e300

enum { FIRST = 6, GAP = 5 };

int
live_can (const llmenv_request *request, const char **why)
{
  const int pieces = live_data_pieces (request->catalogue, &request->options);
  *why = request->options.settings.engine.engine != LLMENV_ENGINE_IDEAL
         ? "an engine allocates by rules that formulas do not have"
         : request->contexts != NULL ? "a mix of contexts is summed by the core"
         : request->as_printed ? "printed tables do not follow inputs"
         : pieces > LIVE_PIECES ? "a model has more lengths of windows than formulas take" : NULL;
  return *why == NULL;
}

/* ---- rows of blocks ------------------------------------------------------ */

live_who
live_who_is (const live_book *live, const llmenv_model_record *record, llmenv_convention convention)
{
  return record == NULL ? (live_who) { NULL, 0, NAN }
         : (live_who) { &record->model, live_model_index (&live->data, record),
                        llmenv_record_number (record->json, "max_position_embeddings", convention) };
}

void
live_row_fill (live_block *b, size_t row, const live_who *who, const llmenv_card *card,
               const llmenv_settings *settings, double peak, double B, double L)
{
  static const llmenv_model no_model = { .kv_reason = LLMENV_NO_RECORD };
  live_row *r = &b->row[row];
  r->B = B;
  r->L = L;
  r->longest = who->longest;
  r->model = who->place;
  for (int basis = 0; basis < 4; basis++)
    {
      llmenv_settings s = *settings;
      s.convention = b->convention;
      if (basis != LLMENV_BASIS_DEFAULT)
        s.basis = (llmenv_basis) basis;
      r->envelope[basis].kv_reason = LLMENV_NO_RECORD;
      llmenv_envelope_make (who->model == NULL ? &no_model : who->model, card, &s, &r->envelope[basis]);
      if (isnan (peak))
        continue;
      r->envelope[basis].peak = peak;
      r->envelope[basis].ridge = peak / r->envelope[basis].bandwidth;
    }
}

/* The same for records. */
static void
fill_record (live_book *live, live_block *b, size_t row, const llmenv_model_record *model,
             const llmenv_card_record *card, const llmenv_settings *settings, double peak,
             double B, double L)
{
  const live_who who = live_who_is (live, model, b->convention);
  const llmenv_card one = live_card_of (&live->data, card, b->convention);
  live_row_fill (b, row, &who, &one, settings, peak, B, L);
}

static double
model_place (const live_block *b, size_t row, const void *what)
{
  (void) what;
  return b->row[row].model == 0 ? NAN : (double) b->row[row].model;
}

static double
row_number (const live_block *b, size_t row, const void *what)
{
  (void) b;
  (void) what;
  return (double) row + 1;
}

/* Numbers of the card behind an envelope. */
typedef enum { PEAK, BANDWIDTH, MEMORY, BATCH, CONTEXT } row_part;

static double
part_value (const live_block *b, size_t row, const void *what)
{
  const llmenv_envelope *e = &b->row[row].envelope[0];
  switch (*(const row_part *) what)
    {
    case PEAK: return e->peak;
    case BANDWIDTH: return e->bandwidth;
    case MEMORY: return e->memory;
    case BATCH: return b->row[row].B;
    default: return b->row[row].L;
    }
}

static const row_part parts[] = { PEAK, BANDWIDTH, MEMORY, BATCH, CONTEXT };
static const char *const part_names[] = { "peak", "bandwidth", "memory", "B", "L" };

/* Bytes per weight: exact bytes over parameters, a type's, or the text of a
 * record's own.  OWN: bytes that the row brings (NaN: none). */
static void
each_term (live_book *live, live_block *b, const double own[], const double settings_each[])
{
  live_column *c = live_open (b, "each", "bytes per weight; a text: as released");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[500], fallback[200] = "in_weight_each";
      live_ref params = live_model_range (&live->data, live_model_at (&live->data, b->convention, LIVE_M_held_p));
      const live_ref m = live_cell_ref (b, live_find (b, "m"), r);
      if (own != NULL && !isnan (own[r]))
        live_print (fallback, sizeof fallback, "IF(ISNUMBER(in_weight_each),in_weight_each,%s/INDEX(%s,%s))",
                    live_number (own[r]).text, params.text, m.text);
      live_print (formula, sizeof formula, "IF(ISNUMBER(in_weight_bytes),in_weight_bytes*1E9/INDEX(%s,%s),%s)",
                  params.text, m.text, fallback);
      live_set (b, c, r, formula, settings_each[r]);
    }
}

/* Bytes per weight that the row's settings impose; NaN: as released. */
static double
imposed_each (const live_block *b, size_t row, const llmenv_settings *s)
{
  const llmenv_envelope *e = &b->row[row].envelope[0];
  return isnan (s->weight_bytes) && isnan (s->weight_bytes_each) ? NAN : e->weight_bytes_each;
}

/* ---- blocks of models and of cards ---------------------------------------- */

static void
inline_inputs (live_block *b)
{
  live_inline (b, "kb", "in_k_bytes", NULL, NULL);
  live_inline (b, "vb", "in_v_bytes", NULL, NULL);
}

void
live_uniform_each (live_book *live, live_block *b, const llmenv_settings *s)
{
  double *each = calloc (b->n + 1, sizeof *each);
  if (each == NULL)
    {
      xl_note (b->xl, LXW_ERROR_MEMORY_MALLOC_FAILED, b->first, 0);
      return;
    }
  for (size_t r = 0; r < b->n; r++)
    each[r] = imposed_each (b, r, s);
  each_term (live, b, NULL, each);
  free (each);
}

static void
open_models (live_book *live, llmenv_convention convention, size_t first)
{
  const llmenv_catalogue *c = live->data.catalogue;
  const llmenv_options *o = &live->request->options;
  const llmenv_card_record *card = llmenv_catalogue_card (c, o->card);
  const char *word = convention == LLMENV_LAYERED ? "layered" : "published";
  char title[80], name[40];
  snprintf (title, sizeof title, "Every model on the card of the Inputs, %s", word);
  live_block *b = live_block_new (&live->models, CALC_MODELS, first, c->n_models, convention, title);
  live->of_models[convention] = b;
  if (b == NULL)
    return;
  for (size_t r = 0; r < c->n_models; r++)
    fill_record (live, b, r, c->models[r], card, &o->settings, NAN, o->batch, o->context);
  live_constants (b, "m", "row of Data models", row_number, NULL);
  inline_inputs (b);
  live_uniform_each (live, b, &o->settings);
  for (size_t i = 0; i < 3; i++)
    {
      snprintf (name, sizeof name, "%s_%s", part_names[i], word);
      live_inline (b, part_names[i], name, part_value, &parts[i]);
    }
  live_inline (b, "B", "in_batch", part_value, &parts[BATCH]);
  live_inline (b, "L", "in_context", part_value, &parts[CONTEXT]);
  live_envelope_terms (b, &live->data);
}

/* "INDEX(cards, {c})" times efficiency and {count}. */
void
live_card_terms (live_book *live, live_block *b)
{
  static const char *const times[] = { "*in_compute_efficiency*{count}", "*in_bandwidth_efficiency*{count}", "" };
  for (size_t i = 0; i < 3; i++)
    {
      char formula[300];
      const live_ref range = live_card_range (&live->data, live_card_at (b->convention, (live_card_column) i));
      if (i == MEMORY)
        live_print (formula, sizeof formula, "IF(ISNUMBER(in_memory),in_memory*1E9,INDEX(%s,{c}))*{count}", range.text);
      else
        live_print (formula, sizeof formula, "INDEX(%s,{c})%s", range.text, times[i]);
      live_term (b, part_names[i], formula, part_value, &parts[i]);
    }
}

static void
open_cards (live_book *live, llmenv_convention convention, size_t first)
{
  const llmenv_catalogue *c = live->data.catalogue;
  const llmenv_options *o = &live->request->options;
  const llmenv_model_record *model = llmenv_catalogue_model (c, o->model);
  char title[80], formula[200];
  snprintf (title, sizeof title, "The model of the Inputs on every card, %s",
            convention == LLMENV_LAYERED ? "layered" : "published");
  live_block *b = live_block_new (&live->cards, CALC_CARDS, first, c->n_cards, convention, title);
  live->of_cards[convention] = b;
  if (b == NULL)
    return;
  for (size_t r = 0; r < c->n_cards; r++)
    fill_record (live, b, r, model, c->cards[r], &o->settings, NAN, o->batch, o->context);
  live_constants (b, "c", "row of Data cards", row_number, NULL);
  live_print (formula, sizeof formula, "MATCH(in_model,%s,0)", live_model_range (&live->data, 0).text);
  live_term (b, "m", formula, model_place, NULL);
  inline_inputs (b);
  live_inline (b, "count", "in_count", NULL, NULL);
  live_uniform_each (live, b, &o->settings);
  live_card_terms (live, b);
  live_inline (b, "B", "in_batch", part_value, &parts[BATCH]);
  live_inline (b, "L", "in_context", part_value, &parts[CONTEXT]);
  live_envelope_terms (b, &live->data);
}

/* ---- blocks of one table --------------------------------------------------- */

/* Name of the point of the tables that stands at X, or NULL. */
static const char *
point_name (const llmenv_request *request, double x, int of_batches)
{
  const llmenv_table_point_info *p;
  for (size_t i = 0; (p = llmenv_table_point_get (i)) != NULL; i++)
    if ((strcmp (p->unit, "sequences") == 0) == of_batches && strcmp (p->unit, "bytes") != 0
        && (request->points == NULL ? p->value : request->points[i]) == x)
      return p->name;
  return NULL;
}

/* What the rows of a table of its own run over. */
typedef struct { const char *table; int batches, contexts, types; } axes;

static const axes own_blocks[] = {
  { "context_lengths", 0, 0, 0 }, { "nstar_by_card", 0, 0, 0 }, { "fill", 0, 0, 1 },
  { "knee", 0, 1, 0 }, { "scaling", 1, 1, 0 }, { "kv_sensitivity", 0, 0, 2 },
};

static const axes *
axes_of (const char *table)
{
  for (size_t i = 0; i < N_OF (own_blocks); i++)
    if (strcmp (own_blocks[i].table, table) == 0)
      return &own_blocks[i];
  return NULL;
}

void
live_given (live_block *b, const char *key, const char *about, size_t row, const char *name, double x)
{
  live_column *c = live_find (b, key);
  if (c == NULL)
    c = live_open (b, key, about);
  live_set (b, c, row, name != NULL ? name : live_number (x).text, x);
}

size_t
live_card_place (const live_book *live, const llmenv_card_record *card)
{
  const llmenv_catalogue *c = live->data.catalogue;
  for (size_t i = 0; i < c->n_cards; i++)
    if (c->cards[i] == card)
      return i + 1;
  return 0;
}

static void
own_row (live_book *live, live_block *b, const axes *a, const llmenv_table_row *row, size_t r)
{
  const llmenv_options *o = &live->request->options;
  const int of_document = a->types != 2;
  char match[200], count[60];
  live_print (match, sizeof match, "MATCH(in_model,%s,0)", live_model_range (&live->data, 0).text);
  live_given (b, "m", "row of Data models", r, of_document && o->given_model ? match : NULL, (double) b->row[r].model);
  live_print (match, sizeof match, "MATCH(in_card,%s,0)", live_card_range (&live->data, 0).text);
  live_given (b, "c", "row of Data cards", r, !of_document || o->given_card ? match : NULL,
                   (double) live_card_place (live, row->card));
  live_print (count, sizeof count, "%s*in_count", live_number (row->settings.count / o->settings.count).text);
  live_given (b, "count", "cards", r, count, row->settings.count);
  const int follows = a->types == 0 || (a->types == 1 && strcmp (row->k_type, o->k_type) == 0);
  live_given (b, "kb", "bytes per K element", r, follows ? "in_k_bytes" : NULL, row->settings.k_bytes);
  live_given (b, "vb", "bytes per V element", r, follows ? "in_v_bytes" : NULL, row->settings.v_bytes);
  live_given (b, "B", "batch", r, a->batches ? point_name (live->request, row->B, 1) : "in_batch", row->B);
  live_given (b, "L", "context", r, a->contexts ? point_name (live->request, row->L, 0) : "in_context", row->L);
}

/* Peaks that document 000 has of its own replace the card's. */
static void
own_peaks (live_book *live, live_block *b, const llmenv_table *t)
{
  const llmenv_settings *s = &live->request->options.settings;
  const live_ref range = live_card_range (&live->data, live_card_at (b->convention, LIVE_C_peak));
  live_column *c = live_open (b, "peak", "FLOP/s of the gang");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[300], one[200];
      const double own = t->rows[r].peak / (s->compute_efficiency * t->rows[r].settings.count);
      if (isnan (own))
        live_print (one, sizeof one, "INDEX(%s,%s)", range.text, live_cell_ref (b, live_find (b, "c"), r).text);
      else
        live_print (one, sizeof one, "%s", live_number (round (own / 1e9) * 1e9).text);
      live_print (formula, sizeof formula, "%s*in_compute_efficiency*%s", one,
                  live_cell_ref (b, live_find (b, "count"), r).text);
      live_set (b, c, r, formula, b->row[r].envelope[0].peak);
    }
}

static void
own_weights (live_book *live, live_block *b, const llmenv_table *t)
{
  const llmenv_settings *s = &live->request->options.settings;
  double *own = calloc (b->n + 1, sizeof *own), *each = calloc (b->n + 1, sizeof *each);
  if (own != NULL && each != NULL)
    {
      for (size_t r = 0; r < b->n; r++)
        {
          const int brings = isnan (s->weight_bytes) && isnan (s->weight_bytes_each);
          own[r] = brings ? t->rows[r].settings.weight_bytes : NAN;
          each[r] = imposed_each (b, r, &t->rows[r].settings);
        }
      each_term (live, b, own, each);
    }
  else
    xl_note (b->xl, LXW_ERROR_MEMORY_MALLOC_FAILED, b->first, 0);
  free (own);
  free (each);
}

live_block *
live_block_add (live_book *live, size_t n, llmenv_convention convention, const char *title)
{
  live_block *b = live->n_tables == LIVE_BLOCKS ? NULL
                  : live_block_new (&live->tables, CALC_TABLES, live->next_row, n, convention, title);
  if (b == NULL)
    {
      xl_note (&live->tables, LXW_ERROR_MEMORY_MALLOC_FAILED, live->next_row, 0);
      return NULL;
    }
  live->of_table[live->n_tables++] = b;
  live->next_row += n + GAP;
  return b;
}

static live_block *
open_table (live_book *live, const sheet *s, const axes *a)
{
  const llmenv_table *t = s->table;
  live_block *b = live_block_add (live, t->n_rows, s->convention, s->name);
  if (b == NULL)
    return NULL;
  for (size_t r = 0; r < t->n_rows; r++)
    {
      const llmenv_table_row *row = &t->rows[r];
      fill_record (live, b, r, row->model, row->card, &row->settings, row->peak, row->B, row->L);
      own_row (live, b, a, row, r);
    }
  own_peaks (live, b, t);
  own_weights (live, b, t);
  live_card_terms (live, b);
  live_envelope_terms (b, &live->data);
  return b;
}

/* ---- names of columns ------------------------------------------------------ */

static live_at_point
point_of (live_book *live, const char *at)
{
  if (strcmp (at, "L") == 0)
    return live_at_row ();
  if (strcmp (at, "longest") == 0)
    return live_at_longest ();
  for (size_t i = 0; llmenv_table_point_get (i) != NULL; i++)
    if (strcmp (llmenv_table_point_get (i)->name, at) == 0)
      return live_at_figure (llmenv_table_point_get (i)->value, live->request->points);
  return live_at_figure (strtod (at, NULL), live->request->points);
}

live_column *
live_named (live_book *live, live_block *b, const char *name)
{
  static const char *const sums[] = { "K", "T", "A" }, *const words[] = { "", " active", " touched", " resident" };
  char head[LIVE_KEY], quantity[LIVE_KEY];
  live_column *known = live_find (b, name);
  if (known != NULL)
    return known;
  const char *tail = strchr (name, '@');
  live_print (head, sizeof head, "%.*s", tail == NULL ? (int) strlen (name) : (int) (tail - name), name);
  const live_at_point at = tail == NULL ? live_at_row () : point_of (live, tail + 1);
  for (int i = 0; i < 3; i++)
    if (strcmp (head, sums[i]) == 0)
      return live_sum (b, (llmenv_sum) i, &at);
  if (strcmp (head, "free") == 0)
    return live_free_memory (b);
  if (strcmp (head, "throughput of 1") == 0)
    return live_single_throughput (b);
  for (int basis = 3; basis >= 0; basis--)
    {
      const size_t n = strlen (head), k = strlen (words[basis]);
      live_print (quantity, sizeof quantity, "%.*s", (int) (n >= k ? n - k : 0), head);
      if (n >= k && strcmp (head + n - k, words[basis]) == 0 && llmenv_quantity_find (quantity) >= 0)
        return live_quantity (b, (llmenv_quantity) llmenv_quantity_find (quantity), (llmenv_basis) basis, &at);
    }
  return NULL;
}

/* The columns that FORMULA names, and then its own. */
static live_column *
arithmetic (live_book *live, live_block *b, const char *key, const char *formula)
{
  char name[LIVE_KEY];
  for (const char *c = strchr (formula, '{'); c != NULL; c = strchr (c + 1, '{'))
    {
      live_print (name, sizeof name, "%.*s", (int) strcspn (c + 1, "}"), c + 1);
      live_named (live, b, name);
    }
  return live_arithmetic (b, key, formula);
}

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
sorted_terms (live_book *live, live_block *b, const char *name, live_column *key)
{
  char rank_name[LIVE_KEY], order_name[LIVE_KEY];
  live_print (order_name, sizeof order_name, "order %.32s", name);
  live_print (rank_name, sizeof rank_name, "rank %.32s", name);
  const int of_cards = b == live->of_cards[b->convention];
  live_column *tie = of_cards ? NULL : tie_term (b);
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
  const live_column *value = arithmetic (live, b, value_name, orders[order].key);
  key_terms (live, b, key_name, value, &m, orders[order].limit);
  return sorted_terms (live, b, t->name, live_find (b, key_name));
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
      live_print (formula, sizeof formula, "IF(MAX(%s*1,%s*1)>=1E+300,\"" LIVE_NO_RECORD "\",-ABS(LN(%s/%s)))", px.text, lx.text,
                  px.text, lx.text);
      live_set (b, c, r, formula, isfinite (p) && isfinite (l) && p > 0 && l > 0 ? -fabs (log (p / l)) : NAN);
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
  const live_column *value = strcmp (key, CHART_BY_MOVE) == 0 ? moved_term (live, b)
                             : arithmetic (live, b, value_name, key);
  live_column *c = live_open (b, key_name, "sorted by, smallest first; walls at 0 and words last");
  for (size_t r = 0; r < b->n; r++)
    {
      char formula[300];
      const live_ref x = live_cell_ref (b, value, r);
      const double v = value->value[r];
      live_print (formula, sizeof formula, "IF(ISNUMBER(%s),IF(OR(%s=0,ABS(%s)>=1E+300),2E+300,%s),2E+300)", x.text, x.text,
                  x.text, x.text);
      live_set (b, c, r, formula, isnan (v) || v == 0 || fabs (v) >= LIVE_INFINITE ? UNKNOWN : v);
    }
  return sorted_terms (live, b, name, c);
}

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

/* ---- tables ------------------------------------------------------------------ */

static live_table
ranked_table (live_book *live, const sheet *s)
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

/* ---- the book ------------------------------------------------------------------ */

/* The own card is the request's card until an analyst changes it; a price of 1
 * makes the cost of a million tokens a share of any. */
static void
propose_own (llmenv_request *r, llmenv_inputs *own)
{
  llmenv_options o = r->options;
  *own = r->inputs == NULL ? llmenv_inputs_default () : *r->inputs;
  r->inputs = own;
  o.settings.convention = LLMENV_LAYERED;
  const llmenv_card card = llmenv_card_numbers_get (llmenv_catalogue_card (r->catalogue, o.card), &o).card;
  if (isnan (own->price))
    own->price = 1;
  if (isnan (own->own_peak))
    own->own_peak = isnan (card.peak) ? 100 : card.peak / 1e12;
  if (isnan (own->own_bandwidth))
    own->own_bandwidth = isnan (card.bandwidth) ? 1000 : card.bandwidth / 1e9;
  if (isnan (own->own_memory))
    own->own_memory = isnan (card.memory) ? 32 : card.memory / 1e9;
}

void
live_book_open (live_book *live, xl_book *book, const llmenv_request *request)
{
  *live = (live_book) { .own = *request, .request = &live->own, .book = book, .next_row = FIRST,
                        .data = { .catalogue = request->catalogue, .options = request->options,
                                  .n_pieces = live_data_pieces (request->catalogue, &request->options) } };
  book->is_live = 1;
  propose_own (&live->own, &live->own_inputs);
  live->inputs = xl_sheet_add (book, "Inputs");
  live->whatif = xl_sheet_add (book, "What-if");
  live->own_sheet = xl_sheet_add (book, "Own model");
}

static void
head_calc (xl_sheet *xl, const char *title)
{
  static const xl_style bold = { .flags = XL_BOLD, .size = 14 }, plain = { .color = 0x404040 };
  xl_text (xl, 0, 0, title, &bold);
  xl_text (xl, 1, 0, "Under each block's title its formulas in words ({name}: the column of that name), then the names. "
           "1E+300 stands for infinite.", &plain);
}

/* What is only looked at to see how a figure comes about is hidden: it would
 * print on hundreds of pages. */
static void
finish_sheets (live_book *live)
{
  xl_sheet *hidden[] = { &live->data.models, &live->data.cards, &live->lists, &live->models, &live->cards, &live->tables };
  xl_sheet *shown[] = { &live->inputs, &live->whatif, &live->own_sheet };
  for (size_t i = 0; i < N_OF (hidden); i++)
    {
      worksheet_hide (hidden[i]->worksheet);
      worksheet_set_tab_color (hidden[i]->worksheet, 0xBFBFBF);
    }
  for (size_t i = 0; i < N_OF (shown); i++)
    worksheet_set_tab_color (shown[i]->worksheet, 0xC00000);
}

void
live_book_data (live_book *live)
{
  static const llmenv_convention conventions[] = { LLMENV_LAYERED, LLMENV_PUBLISHED };
  live->data.models = xl_sheet_add (live->book, "Data models");
  live->data.cards = xl_sheet_add (live->book, "Data cards");
  live->lists = xl_sheet_add (live->book, "Data lists");
  live->models = xl_sheet_add (live->book, "Calc models");
  live->cards = xl_sheet_add (live->book, "Calc cards");
  live->tables = xl_sheet_add (live->book, "Calc tables");
  if (live->book->error != LXW_NO_ERROR)
    return;
  head_calc (&live->models, "Where rankings of models are computed");
  head_calc (&live->cards, "Where rankings of cards are computed");
  head_calc (&live->tables, "Where tables with rows of their own are computed");
  live_data_write (&live->data);
  live_inputs_write (&live->inputs, &live->lists, &live->data, live->request, live->words, sizeof live->words);
  live_own_data (live);
  for (size_t i = 0; i < 2; i++)
    {
      open_models (live, conventions[i], FIRST + i * (live->data.catalogue->n_models + GAP));
      open_cards (live, conventions[i], FIRST + i * (live->data.catalogue->n_cards + GAP));
    }
  live_own_write (live);
  live_whatif_write (live);
  finish_sheets (live);
}

void
live_book_free (live_book *live)
{
  for (int i = 0; i < 2; i++)
    {
      live_block_free (live->of_models[i]);
      live_block_free (live->of_cards[i]);
    }
  for (size_t i = 0; i < live->n_tables; i++)
    live_block_free (live->of_table[i]);
}

/* Tables that change with the Inputs in ways that formulas do not follow. */
static int
is_fixed (const char *table)
{
  static const char *const names[] = { "published_vs_layered", "expert_sensitivity", "touched_fallback", "elasticities" };
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
  const axes *a = axes_of (t->name);
  if (is_fixed (t->name))
    {
      behind.is_fixed = 1;
      return behind;
    }
  if (a != NULL && t->n_rows > 0)
    behind.block = open_table (live, s, a);
  else if (strcmp (s->name, "cards overview") == 0)
    behind.block = live->of_cards[s->convention];
  else if (strcmp (s->name, "models overview") == 0 || strcmp (s->name, "both conventions") == 0)
    behind.block = live->of_models[s->convention];
  else
    return ranked_table (live, s);
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
  { "bandwidth_gb_s", "{bandwidth}/1E9", 0 }, { "count", "{count}", 0 }, { "context", "{L}", 0 },
  { "batch", "{B}", 0 }, { "weight_bytes", "{held}", 0 },
  { "free_gb", "{free}/1E9", 0 },
  { "fill_over_nstar", "{fill}/{n_star}", 0 }, { "capacity_over_b50", "{capacity@L}/{b_50@L}", 0 },
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
  for (size_t i = 0; i < N_OF (sums_of); i++)
    if (strcmp (sums_of[i].name, c->name) == 0)
      {
        char key[LIVE_KEY];
        live_print (key, sizeof key, "= %s", c->name);
        *rule = (column_rule) { arithmetic (live, *b, key, sums_of[i].formula), "", "", sums_of[i].of_cache, 1, LIVE_AS_IS };
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
