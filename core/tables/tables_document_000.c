/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of document 000: the three context lengths of a card, how full it
 * gets, where added sequences stop paying, how throughput grows with the batch.
 * Long form, a row for each combination; the document's own models, cards,
 * KV types, contexts and batches unless the options name others. */
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_table_points.h"

#define DEFAULT LLMENV_BASIS_DEFAULT

/* Which axes a table's rows run over, besides models and cards. */
enum { BY_KV_TYPE = 1, BY_CONTEXT = 2, BY_BATCH = 4 };

/* ---- combinations ------------------------------------------------------ */

typedef struct
{
  llmenv_model_record *model;
  llmenv_card_record *card;
  llmenv_options options;
  double published_tflops;     /* of the document, NaN: the record's */
} combination;

/* Number in a JSON object, or NaN. */
static double
number_of (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : NAN;
}

static llmenv_status
add_row (const llmenv_build *build, const combination *c, llmenv_rows *rows,
         llmenv_error *error)
{
  llmenv_row *row = llmenv_row_add (rows, build, c->model, c->card, error);
  if (row == NULL)
    return LLMENV_ETOOLARGE;
  row->options = c->options;
  row->B = c->options.batch;
  row->L = c->options.context;
  LLMENV_TRY (llmenv_row_ready (row, error));
  if (isnan (c->published_tflops)
      || c->options.settings.convention != LLMENV_PUBLISHED)
    return LLMENV_OK;
  row->peak = 1e12 * c->published_tflops * c->options.settings.count
              * c->options.settings.compute_efficiency;
  for (int basis = 0; basis < 4; basis++)
    {
      llmenv_envelope *e = &row->envelope[basis];
      e->peak = row->peak;
      e->ridge = e->peak / e->bandwidth;
    }
  return LLMENV_OK;
}

static llmenv_status
over_batches (const llmenv_build *build, const combination *c, int axes,
              llmenv_rows *rows, llmenv_error *error)
{
  if (!(axes & BY_BATCH))
    return add_row (build, c, rows, error);
  size_t i;
  json_t *batch;
  json_array_foreach (json_object_get (build->document_000, "batches"), i, batch)
    {
      combination at = *c;
      at.options.batch = llmenv_table_point_at (build->request->points,
                                                json_number_value (batch), 1);
      LLMENV_TRY (add_row (build, &at, rows, error));
    }
  return LLMENV_OK;
}

static llmenv_status
over_contexts (const llmenv_build *build, const combination *c, int axes,
               llmenv_rows *rows, llmenv_error *error)
{
  if (!(axes & BY_CONTEXT))
    return over_batches (build, c, axes, rows, error);
  size_t i;
  json_t *context;
  json_array_foreach (json_object_get (build->document_000, "contexts"), i, context)
    {
      combination at = *c;
      at.options.context = llmenv_table_point_at (build->request->points,
                                                  json_number_value (context), 0);
      LLMENV_TRY (over_batches (build, &at, axes, rows, error));
    }
  return LLMENV_OK;
}

/* The document compares KV types only where the request leaves them alone. */
static llmenv_status
over_kv_types (const llmenv_build *build, const combination *c, int axes,
               llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_settings *s = &c->options.settings;
  if (!(axes & BY_KV_TYPE) || s->k_bytes != 2 || s->v_bytes != 2)
    return over_contexts (build, c, axes, rows, error);
  size_t i;
  json_t *type;
  json_array_foreach (json_object_get (build->document_000, "kv_types"), i, type)
    {
      combination at = *c;
      LLMENV_TRY (llmenv_option_set_text (&at.options, "KVType",
                                          json_string_value (type), error));
      LLMENV_TRY (over_contexts (build, &at, axes, rows, error));
    }
  return LLMENV_OK;
}

static llmenv_status
over_cards (const llmenv_build *build, const combination *c, int axes,
            llmenv_rows *rows, llmenv_error *error)
{
  if (build->request->options.given_card)
    {
      combination at = *c;
      LLMENV_TRY (llmenv_build_card (build, &at.card, error));
      return over_kv_types (build, &at, axes, rows, error);
    }
  size_t i;
  json_t *entry;
  json_array_foreach (json_object_get (build->document_000, "cards"), i, entry)
    {
      combination at = *c;
      LLMENV_TRY (llmenv_build_document_card (build, llmenv_record_text (entry, "id"),
                                              &at.card, error));
      if (at.card == NULL)
        continue;
      at.options.settings.count *= number_of (entry, "count");
      at.published_tflops = number_of (entry, "published_tflops");
      LLMENV_TRY (over_kv_types (build, &at, axes, rows, error));
    }
  return LLMENV_OK;
}

static llmenv_status
combine (const llmenv_build *build, int axes, llmenv_rows *rows,
         llmenv_error *error)
{
  combination c = { NULL, NULL, build->request->options, NAN };
  if (c.options.given_model)
    {
      LLMENV_TRY (llmenv_build_model (build, &c.model, error));
      return over_cards (build, &c, axes, rows, error);
    }
  size_t i;
  json_t *entry;
  json_array_foreach (json_object_get (build->document_000, "models"), i, entry)
    {
      combination at = c;
      LLMENV_TRY (llmenv_build_document_model (build, llmenv_record_text (entry, "id"),
                                               &at.model, error));
      if (at.model == NULL)
        continue;
      if (isnan (c.options.settings.weight_bytes)
          && isnan (c.options.settings.weight_bytes_each))
        at.options.settings.weight_bytes = number_of (entry, "weight_bytes");
      LLMENV_TRY (over_cards (build, &at, axes, rows, error));
    }
  return LLMENV_OK;
}

/* ---- cells ------------------------------------------------------------- */

static llmenv_cell
weight_gb (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[0].held, LLMENV_HAS_VALUE);
}

static llmenv_cell
count (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->options.settings.count, LLMENV_HAS_VALUE);
}

static llmenv_cell
context (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->L, LLMENV_HAS_VALUE);
}

static llmenv_cell
batch (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->B, LLMENV_HAS_VALUE);
}

static llmenv_cell
kv_type (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  char text[60];
  const llmenv_options *o = &row->options;
  snprintf (text, sizeof text, strcmp (o->k_type, o->v_type) == 0 ? "%s" : "%s/%s",
            o->k_type, o->v_type);
  return llmenv_text_cell (text);
}

static llmenv_cell
free_gb (const llmenv_row *row, const llmenv_column_def *column)
{
  const llmenv_envelope *e = &row->envelope[0];
  return llmenv_cell_of (row, column,
                         (e->memory * e->utilization - e->held - e->reserve) / 1e9,
                         LLMENV_HAS_VALUE);
}

/* Quotient of two quantities at the row's batch and context. */
static llmenv_cell
quotient (const llmenv_row *row, const llmenv_column_def *column,
          llmenv_quantity over, llmenv_quantity under)
{
  const double a = llmenv_row_value (row, over, DEFAULT, NAN);
  const double b = llmenv_row_value (row, under, DEFAULT, NAN);
  llmenv_reason reason = llmenv_row_reason (row, over, a);
  if (reason == LLMENV_HAS_VALUE && !isfinite (a / b))
    reason = llmenv_row_reason (row, under, b);
  return llmenv_cell_of (row, column, a / b,
                         isfinite (a / b) ? LLMENV_HAS_VALUE : reason);
}

static llmenv_cell
fill_over_n_star (const llmenv_row *row, const llmenv_column_def *column)
{
  return quotient (row, column, LLMENV_Q_fill, LLMENV_Q_n_star);
}

static llmenv_cell
capacity_over_b_50 (const llmenv_row *row, const llmenv_column_def *column)
{
  return quotient (row, column, LLMENV_Q_capacity, LLMENV_Q_b_50);
}

static double
throughput_at (const llmenv_row *row, double B)
{
  return llmenv_quantity_value (LLMENV_Q_throughput, &row->envelope[0], B, row->L);
}

static llmenv_cell
gain (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column,
                         throughput_at (row, row->B) / throughput_at (row, 1),
                         LLMENV_HAS_VALUE);
}

#define MODEL TEXT_COLUMN ("model", "id of the model", llmenv_cell_model_id)
#define CARD TEXT_COLUMN ("card", "id of the card", llmenv_cell_card_id)
#define COUNT NUMBER_COLUMN ("count", "cards", "cards ganged", 0, count)
#define WEIGHTS NUMBER_COLUMN ("weight_bytes", "bytes", "weight bytes that memory holds", 0, weight_gb)
#define CONTEXT NUMBER_COLUMN ("context", "tokens", "tokens of each sequence", 0, context)
#define KV_TYPE TEXT_COLUMN ("kv_type", "storage of the KV cache", kv_type)
#define PLAIN(name, unit, note, decimals, rounding, q)                        \
  QUANTITY_COLUMN (name, unit, note, decimals, rounding, q, DEFAULT, NAN, 1)
#define N_STAR PLAIN ("n_star", "tokens", "context past which no batch reaches the ridge", 0, LLMENV_NEAREST, n_star)

/* ---- the tables -------------------------------------------------------- */

static llmenv_status
by_card_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return combine (build, 0, rows, error);
}

static const llmenv_column_def context_length_columns[] = {
  MODEL, WEIGHTS, CARD, COUNT,
  PLAIN ("ridge", "FLOP/byte", "R, peak FLOP/s over peak bytes/s", 1, LLMENV_NEAREST, ridge),
  PLAIN ("n_prefill", "tokens", "prefill tokens whose arithmetic costs what one step's bytes cost", 0, LLMENV_NEAREST, n_prefill),
  N_STAR,
  PLAIN ("n_cross", "tokens", "context at which one sequence's read equals the weights", 0, LLMENV_NEAREST, n_cross),
};

static const llmenv_column_def n_star_columns[] = {
  MODEL, WEIGHTS, CARD, COUNT, N_STAR,
};

static llmenv_status
fill_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return combine (build, BY_KV_TYPE, rows, error);
}

static const llmenv_column_def fill_columns[] = {
  MODEL, WEIGHTS, CARD, COUNT, KV_TYPE,
  NUMBER_COLUMN ("free_gb", "GB", "memory less weights and reserve", 1, free_gb),
  PLAIN ("fill", "tokens", "largest context of one sequence", 0, LLMENV_NEAREST, fill),
  N_STAR,
  NUMBER_COLUMN ("fill_over_nstar", "", "first over second; in published free of the KV type", 1, fill_over_n_star),
  QUANTITY_COLUMN ("seqs_4k", "sequences", "sequences that fit at 4,096 tokens", 1, LLMENV_NEAREST, capacity, DEFAULT, 4096, 1),
  QUANTITY_COLUMN ("seqs_16k", "sequences", "the same at 16,384 tokens", 1, LLMENV_NEAREST, capacity, DEFAULT, 16384, 1),
};

static llmenv_status
knee_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return combine (build, BY_CONTEXT, rows, error);
}

static const llmenv_column_def knee_columns[] = {
  MODEL, WEIGHTS, CARD, COUNT, CONTEXT,
  PLAIN ("b_50", "sequences", "batch at half the asymptote of memory-bound tokens/s", 1, LLMENV_NEAREST, b_50),
  PLAIN ("b_knee", "sequences", "batch at which the gain of one more sequence halves", 1, LLMENV_NEAREST, b_knee),
  PLAIN ("capacity", "sequences", "sequences that fit", 1, LLMENV_NEAREST, capacity),
  NUMBER_COLUMN ("capacity_over_b50", "", "sequences that fit over b_50", 2, capacity_over_b_50),
};

static llmenv_status
scaling_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return combine (build, BY_CONTEXT | BY_BATCH, rows, error);
}

static const llmenv_column_def scaling_columns[] = {
  MODEL, WEIGHTS, CARD, COUNT, CONTEXT,
  NUMBER_COLUMN ("batch", "sequences", "sequences of the step", 0, batch),
  PLAIN ("tokens_per_second", "tokens/s", "of the whole batch, at most", 1, LLMENV_NEAREST, throughput),
  NUMBER_COLUMN ("gain", "", "over batch 1", 2, gain),
  PLAIN ("capacity", "sequences", "sequences that fit", 1, LLMENV_NEAREST, capacity),
};

const llmenv_definition llmenv_tables_document_000[] = {
#define TABLE(name, title, columns, rows)                                     \
  { { name, title, "document 000" }, columns, N_OF (columns), rows }
  TABLE ("context_lengths", "Three context lengths of a card", context_length_columns, by_card_rows),
  TABLE ("nstar_by_card", "Context past which batching cannot reach the ridge", n_star_columns, by_card_rows),
  TABLE ("fill", "How full a card gets", fill_columns, fill_rows),
  TABLE ("knee", "Where added sequences stop paying", knee_columns, knee_rows),
  TABLE ("scaling", "Throughput against batch", scaling_columns, scaling_rows),
#undef TABLE
};
const size_t llmenv_n_tables_document_000 = N_OF (llmenv_tables_document_000);
