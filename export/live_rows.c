/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of calculation: their rows, what each is about, and their columns by
 * name. */
#include "live_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_quantity.h"
#include "llmenv_builder.h"
#include "llmenv_table_points.h"

#define CALC_MODELS "'Calc models'"
#define CALC_CARDS "'Calc cards'"
#define CALC_TABLES "'Calc tables'"

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
  /* Exact bytes of unknown parameters impose nothing. */
  return isnan (s->weight_bytes) ? s->weight_bytes_each : isnan (e->held) ? NAN : e->weight_bytes_each;
}

/* ---- blocks of models and of cards ---------------------------------------- */

static void
inline_inputs (live_block *b)
{
  live_inline (b, "kb", "in_k_bytes", NULL, NULL);
  live_inline (b, "vb", "in_v_bytes", NULL, NULL);
}

static void
uniform_each (live_book *live, live_block *b, const llmenv_settings *s)
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

void
live_open_models (live_book *live, llmenv_convention convention, size_t first)
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
  uniform_each (live, b, &o->settings);
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
static void
card_terms (live_book *live, live_block *b)
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

void
live_open_cards (live_book *live, llmenv_convention convention, size_t first)
{
  const llmenv_catalogue *c = live->data.catalogue;
  const llmenv_options *o = &live->request->options;
  const llmenv_model_record *model = llmenv_catalogue_model (c, o->model);
  char title[80];
  snprintf (title, sizeof title, "The model of the Inputs on every card, %s",
            convention == LLMENV_LAYERED ? "layered" : "published");
  live_block *b = live_block_new (&live->cards, CALC_CARDS, first, c->n_cards, convention, title);
  live->of_cards[convention] = b;
  if (b == NULL)
    return;
  for (size_t r = 0; r < c->n_cards; r++)
    fill_record (live, b, r, model, c->cards[r], &o->settings, NAN, o->batch, o->context);
  live_constants (b, "c", "row of Data cards", row_number, NULL);
  live_term (b, "m", live_match_model (live).text, model_place, NULL);
  inline_inputs (b);
  live_inline (b, "count", "in_count", NULL, NULL);
  uniform_each (live, b, &o->settings);
  card_terms (live, b);
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

void
live_about (live_block *b, size_t row, size_t card, const char *count, const llmenv_settings *s,
            const live_follows *f)
{
  const live_row *r = &b->row[row];
  live_given (b, "m", "row of Data models", row, f->m, (double) r->model);
  live_given (b, "c", "row of Data cards", row, f->c, (double) card);
  live_given (b, "count", "cards", row, count, s->count);
  live_given (b, "kb", "bytes per K element", row, f->kb, s->k_bytes);
  live_given (b, "vb", "bytes per V element", row, f->vb, s->v_bytes);
  live_given (b, "B", "batch", row, f->B, r->B);
  live_given (b, "L", "context", row, f->L, r->L);
}

static live_ref
match (const char *input, live_ref range)
{
  live_ref m = { "" };
  live_print (m.text, sizeof m.text, "MATCH(%s,%s,0)", input, range.text);
  return m;
}

live_ref
live_match_model (const live_book *live)
{
  return match ("in_model", live_model_range (&live->data, 0));
}

live_ref
live_match_card (const live_book *live)
{
  return match ("in_card", live_card_range (&live->data, 0));
}

void
live_complete (live_book *live, live_block *b)
{
  uniform_each (live, b, &live->request->options.settings);
  card_terms (live, b);
  live_envelope_terms (b, &live->data);
}

static void
own_row (live_book *live, live_block *b, const axes *a, const llmenv_table_row *row, size_t r)
{
  const llmenv_options *o = &live->request->options;
  const int of_document = a->types != 2;
  const int follows = a->types == 0 || (a->types == 1 && strcmp (row->k_type, o->k_type) == 0);
  const live_ref model = live_match_model (live), card = live_match_card (live);
  char count[60];
  live_print (count, sizeof count, "%s*in_count", live_number (row->settings.count / o->settings.count).text);
  const live_follows f = {
    .m = of_document && o->given_model ? model.text : NULL,
    .c = !of_document || o->given_card ? card.text : NULL,
    .kb = follows ? "in_k_bytes" : NULL, .vb = follows ? "in_v_bytes" : NULL,
    .B = a->batches ? point_name (live->request, row->B, 1) : "in_batch",
    .L = a->contexts ? point_name (live->request, row->L, 0) : "in_context",
  };
  live_about (b, r, live_card_place (live, row->card), count, &row->settings, &f);
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
  live->next_row += n + LIVE_GAP;
  return b;
}

live_block *
live_open_table (live_book *live, const sheet *s)
{
  const llmenv_table *t = s->table;
  const axes *a = axes_of (t->name);
  live_block *b = a == NULL || t->n_rows == 0 ? NULL : live_block_add (live, t->n_rows, s->convention, s->name);
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
  card_terms (live, b);
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
  if (strcmp (name, "W@1") == 0)
    return live_single_weights (b);
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

live_column *
live_computed (live_book *live, live_block *b, const char *key, const char *formula)
{
  char name[LIVE_KEY];
  for (const char *c = strchr (formula, '{'); c != NULL; c = strchr (c + 1, '{'))
    {
      live_print (name, sizeof name, "%.*s", (int) strcspn (c + 1, "}"), c + 1);
      live_named (live, b, name);
    }
  return live_arithmetic (b, key, formula);
}

