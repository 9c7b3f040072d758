/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the simple formulas get wrong and why, and what moves when the storage
 * of the KV cache or the share of experts is varied. */
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_element.h"
#include "llmenv_sweep.h"

#define DEFAULT LLMENV_BASIS_DEFAULT
#define GB 1e-9

static llmenv_cell
model_quantity (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (row->text[0]);
}

static llmenv_cell
unit (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (row->text[1]);
}

/* VALUE of a row that has its own unit: bytes are whole. */
static llmenv_cell
cell_in_unit (const llmenv_row *row, const llmenv_column_def *column, double value,
              llmenv_reason reason)
{
  llmenv_column_def own = *column;
  if (strcmp (row->text[1], "bytes") == 0)
    own.decimals = 0;
  return llmenv_cell_of (row, &own, value, reason);
}

/* ---- published beside layered ------------------------------------------ */

/* Envelopes of such a row. */
enum { LAYERED_AT, PUBLISHED_AT };

/* Why the two conventions differ in a quantity, most specific first.
 * X (symbol, words): touched by a row where `applies` says so. */
#define CAUSES(X)                                                             \
  X (CORRECTED,  "corrected value")                                           \
  X (WINDOW,     "window")                                                    \
  X (SPARSE,     "sparse attention")                                          \
  X (LATENT,     "latent")                                                    \
  X (SHARED,     "shared layers")                                             \
  X (STATE,      "recurrent state")                                           \
  X (CROSS,      "cross attention")                                           \
  X (EXPERTS,    "experts touched")                                           \
  X (FOUR_BIT,   "4-bit weights with 16-bit arithmetic")                      \
  X (EIGHT_BIT,  "8-bit weights with 16-bit arithmetic")                      \
  X (WIDE,       "32-bit weights with 16-bit arithmetic")                     \
  X (LOOKUP,     "embedding lookup")                                          \
  X (NO_ACTIVE,  "total in the place of active parameters")                   \
  X (CARD,       "figure of the card")                                        \
  X (COUNTED,    "parameters counted, not rounded")

typedef enum
{
#define X(symbol, words) CAUSE_##symbol,
  CAUSES (X)
#undef X
  N_CAUSES
} cause;

static const char *const cause_words[] = {
#define X(symbol, words) words,
  CAUSES (X)
#undef X
};

/* Quantities compared, and where: L NaN is the request's context. */
static const struct
{
  llmenv_quantity q;
  const char *name;
  double L, B;                 /* NaN: the row's */
  int of_weights, of_cache;    /* which causes can matter */
} compared[] = {
  { LLMENV_Q_kv_bytes, "kv_bytes at 128k", 131072, NAN, 0, 1 },
  { LLMENV_Q_weight_bytes, "weight_bytes at batch 1", NAN, 1, 1, 0 },
  { LLMENV_Q_l_wall, "l_wall", NAN, NAN, 0, 1 },
  { LLMENV_Q_b_star, "b_star", NAN, NAN, 1, 1 },
  { LLMENV_Q_ceiling, "ceiling", NAN, NAN, 0, 1 },
};

static int
is_corrected (const llmenv_row *row, const char *field)
{
  const double a = llmenv_record_number (row->model->json, field, LLMENV_PUBLISHED);
  const double b = llmenv_record_number (row->model->json, field, LLMENV_LAYERED);
  return !isnan (a) && !isnan (b) && a != b;
}

/* Layers of KIND, or that read one; of windows, those that end before L. */
static int
has_layers (const llmenv_model *m, llmenv_layer_kind kind, double L)
{
  for (size_t i = 0; i < m->n_layers; i++)
    {
      const llmenv_layer_group *g = &m->layers[i];
      const llmenv_layer_kind reads = g->kind == LLMENV_SHARED ? g->reads : g->kind;
      const int is_window = kind == LLMENV_WINDOW || kind == LLMENV_CHUNK;
      if ((reads == kind || g->kind == kind) && (!is_window || g->window < L))
        return 1;
    }
  return 0;
}

static int
has_state (const llmenv_envelope *e)
{
  return e->piece[0].constant[LLMENV_READ] > 0;
}

static int
has_lookups (const llmenv_model *m)
{
  for (size_t i = 0; i < m->n_parts; i++)
    if (m->parts[i].params > 0 && (m->parts[i].role == LLMENV_ROLE_EMBEDDING
                                   || m->parts[i].role == LLMENV_ROLE_TABLE))
      return 1;
  return 0;
}

static int
applies (const llmenv_row *row, cause c, size_t what)
{
  const llmenv_model *m = &row->model->model;
  const llmenv_envelope *layered = &row->envelope[LAYERED_AT];
  const llmenv_envelope *published = &row->envelope[PUBLISHED_AT];
  const llmenv_quantity q = compared[what].q;
  const int weights = compared[what].of_weights, cache = compared[what].of_cache;
  const int arithmetic = cache && q != LLMENV_Q_kv_bytes;
  const double L = !isnan (compared[what].L) ? llmenv_row_point (row, compared[what].L)
                   : q == LLMENV_Q_l_wall ? INFINITY : row->L;
  const double each = layered->weight_bytes_each;
  switch (c)
    {
    case CAUSE_CORRECTED:
      return (cache && is_corrected (row, "kv_cache_bytes_per_token"))
             || (arithmetic && is_corrected (row, "gqa_ratio"))
             || (q != LLMENV_Q_kv_bytes && (is_corrected (row, "params_b")
                                            || is_corrected (row, "active_params_b")));
    case CAUSE_WINDOW:
      return cache && (has_layers (m, LLMENV_WINDOW, L) || has_layers (m, LLMENV_CHUNK, L));
    case CAUSE_SPARSE:
      return cache && has_layers (m, LLMENV_SPARSE_LATENT, L);
    case CAUSE_LATENT:
      return arithmetic && has_layers (m, LLMENV_LATENT, L);
    case CAUSE_SHARED:
      return cache && has_layers (m, LLMENV_SHARED, L);
    case CAUSE_STATE:
      return cache && has_state (layered) && !has_layers (m, LLMENV_CROSS, L);
    case CAUSE_CROSS:
      return cache && has_layers (m, LLMENV_CROSS, L);
    case CAUSE_EXPERTS:
      return q == LLMENV_Q_b_star && layered->routed > 0 && layered->share < 1;
    case CAUSE_FOUR_BIT:
      return weights && each < 0.9;
    case CAUSE_EIGHT_BIT:
      return weights && each >= 0.9 && each < 1.5;
    case CAUSE_WIDE:
      return weights && each > 3;
    case CAUSE_LOOKUP:
      return q != LLMENV_Q_kv_bytes && layered->convention == LLMENV_LAYERED
             && has_lookups (m) && row->options.settings.embedding == LLMENV_LOOKUP;
    case CAUSE_NO_ACTIVE:
      return q != LLMENV_Q_kv_bytes && isnan (m->published.active_params);
    case CAUSE_CARD:
      return llmenv_quantity_get (q)->takes & LLMENV_TAKES_CARD
             && fabs (layered->ridge / published->ridge - 1) > 1e-9;
    default:
      return q != LLMENV_Q_kv_bytes && !has_lookups (m)
             && fabs (layered->flops / published->flops - 1) > 5e-4;
    }
}

static double
compared_value (const llmenv_row *row, size_t what, int which)
{
  const double L = llmenv_row_point (row, compared[what].L), B = compared[what].B;
  return llmenv_quantity_value (compared[what].q, &row->envelope[which],
                                isnan (B) ? row->B : B, isnan (L) ? row->L : L);
}

/* Published over layered; 1 where neither has a finite answer, or where they
 * differ by rounding alone. */
static double
error_ratio (const llmenv_row *row, size_t what)
{
  const double a = compared_value (row, what, PUBLISHED_AT);
  const double b = compared_value (row, what, LAYERED_AT);
  return a == b || fabs (a / b - 1) < 1e-12 ? 1 : a / b;
}

/* In words; nothing where both agree to half a per mille. */
static void
explain (llmenv_row *row, size_t what, double ratio)
{
  size_t used = 0;
  row->own[0] = '\0';
  if (isnan (ratio) || fabs (ratio - 1) < 5e-4)
    return;
  for (int c = 0; c < N_CAUSES && used < sizeof row->own; c++)
    if (applies (row, (cause) c, what))
      used += (size_t) snprintf (row->own + used, sizeof row->own - used, "%s%s",
                                 used == 0 ? "" : ", ", cause_words[c]);
}

static llmenv_status
ready_both (llmenv_row *row, llmenv_error *error)
{
  llmenv_row other = *row;
  row->options.settings.convention = LLMENV_LAYERED;
  other.options.settings.convention = LLMENV_PUBLISHED;
  LLMENV_TRY (llmenv_row_ready (row, error));
  LLMENV_TRY (llmenv_row_ready (&other, error));
  row->envelope[LAYERED_AT] = row->envelope[DEFAULT];
  row->envelope[PUBLISHED_AT] = other.envelope[DEFAULT];
  return LLMENV_OK;
}

static llmenv_status
compared_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  llmenv_card_record *card;
  LLMENV_TRY (llmenv_build_card (build, &card, error));
  for (size_t i = 0; i < c->n_models; i++)
    for (size_t what = 0; what < N_OF (compared); what++)
      {
        llmenv_row *row = llmenv_row_add (rows, build, c->models[i], card, error);
        if (row == NULL)
          return LLMENV_ETOOLARGE;
        LLMENV_TRY (ready_both (row, error));
        const double ratio = error_ratio (row, what);
        row->text[0] = compared[what].name;
        row->text[1] = llmenv_quantity_get (compared[what].q)->unit;
        row->reference = (double) what;
        /* The larger of the ratio and its inverse, the largest first; before
           all others where only one of the two has a finite answer.  To nine
           decimals, so that rounding decides no place. */
        row->sort = ratio == 0 || isinf (ratio) ? -1e300 : -1e-9 * round (1e9 * fabs (log (ratio)));
        explain (row, what, ratio);
      }
  llmenv_rows_sort (rows);
  return LLMENV_OK;
}

static llmenv_cell
compared_cell (const llmenv_row *row, const llmenv_column_def *column, int which)
{
  const size_t what = (size_t) row->reference;
  const double value = compared_value (row, what, which);
  return cell_in_unit (row, column, value,
                       llmenv_quantity_reason (compared[what].q, &row->envelope[which], value));
}

static llmenv_cell
published (const llmenv_row *row, const llmenv_column_def *column)
{
  return compared_cell (row, column, PUBLISHED_AT);
}

static llmenv_cell
layered (const llmenv_row *row, const llmenv_column_def *column)
{
  return compared_cell (row, column, LAYERED_AT);
}

static llmenv_cell
ratio_cell (const llmenv_row *row, const llmenv_column_def *column)
{
  const size_t what = (size_t) row->reference;
  const double ratio = error_ratio (row, what);
  const double value = compared_value (row, what, isnan (compared_value (row, what, LAYERED_AT))
                                                  ? LAYERED_AT : PUBLISHED_AT);
  const llmenv_reason reason
    = isnan (ratio) ? llmenv_quantity_reason (compared[what].q, &row->envelope[LAYERED_AT], value)
      : isinf (ratio) ? LLMENV_UNBOUNDED : LLMENV_HAS_VALUE;
  return llmenv_cell_of (row, column, ratio, reason);
}

static llmenv_cell
why (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (row->own);
}

static const llmenv_column_def compared_columns[] = {
  NUMBER_COLUMN ("rank", "", "by the size of the error, up or down", 0, llmenv_cell_rank),
  TEXT_COLUMN ("model", "id of the model", llmenv_cell_model_id),
  TEXT_COLUMN ("quantity", "what is compared", model_quantity),
  NUMBER_COLUMN ("published", "", "by the document's formula, in the unit of the row", 2, published),
  NUMBER_COLUMN ("layered", "", "by sums over layers with right inputs", 2, layered),
  TEXT_COLUMN ("unit", "unit of both", unit),
  NUMBER_COLUMN ("ratio", "", "published over layered", 3, ratio_cell),
  TEXT_COLUMN ("why", "what the simple formula leaves out", why),
};

/* ---- storage of the KV cache ------------------------------------------- */

static const char *const kv_types[] = { "fp32", "bf16", "fp8", "q8_0", "q5_0", "q4_0", "nvfp4" };

static llmenv_status
kv_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  llmenv_card_record *card;
  LLMENV_TRY (llmenv_build_card (build, &card, error));
  for (size_t i = 0; i < c->n_models; i++)
    for (size_t t = 0; t < N_OF (kv_types); t++)
      {
        llmenv_row *row = llmenv_row_add (rows, build, c->models[i], card, error);
        if (row == NULL)
          return LLMENV_ETOOLARGE;
        LLMENV_TRY (llmenv_option_set_text (&row->options, "KVType", kv_types[t], error));
        LLMENV_TRY (llmenv_row_ready (row, error));
        row->text[0] = kv_types[t];
      }
  return LLMENV_OK;
}

static llmenv_cell
kv_bytes_each (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->options.settings.k_bytes, LLMENV_HAS_VALUE);
}

#define AT(name, unit, note, decimals, rounding, q, at)                       \
  QUANTITY_COLUMN (name, unit, note, decimals, rounding, q, DEFAULT, at, 1)

static const llmenv_column_def kv_columns[] = {
  TEXT_COLUMN ("model", "id of the model", llmenv_cell_model_id),
  TEXT_COLUMN ("kv_type", "storage of the KV cache", model_quantity),
  NUMBER_COLUMN ("bytes_each", "bytes", "bytes per element, block scales included", 4, kv_bytes_each),
  AT ("l_wall", "tokens", "context past which no batch reaches the ridge", 0, LLMENV_FLOOR, l_wall, NAN),
  AT ("b_star_1k", "sequences", "batch that reaches the ridge at 1,024 tokens", 0, LLMENV_FLOOR, b_star, 1024),
  AT ("ceiling_8k", "FLOP/byte", "arithmetic intensity at infinite batch, 8,192 tokens", 2, LLMENV_NEAREST, ceiling, 8192),
  AT ("capacity_8k", "sequences", "sequences of 8,192 tokens that fit", 2, LLMENV_NEAREST, capacity, 8192),
  AT ("throughput", "tokens/s", "of the whole batch, at most, at the caption's batch and context", 1, LLMENV_NEAREST, throughput, NAN),
};

/* ---- share and number of experts --------------------------------------- */

static llmenv_status
add_experts (const llmenv_build *build, llmenv_model_record *model,
             llmenv_card_record *card, llmenv_input input, double value,
             llmenv_rows *rows, llmenv_error *error)
{
  llmenv_row *row = llmenv_row_add (rows, build, model, card, error);
  if (row == NULL)
    return LLMENV_ETOOLARGE;
  LLMENV_TRY (llmenv_row_ready (row, error));
  llmenv_point p = llmenv_point_make (&model->model, card, &row->options, NULL);
  llmenv_status st = llmenv_point_set (&p, input, value);
  if (st == LLMENV_OK)
    st = llmenv_point_envelope (&p, &row->envelope[DEFAULT]);
  if (st != LLMENV_OK)
    return llmenv_error_set (error, st, "%s: %s", model->id, llmenv_status_text (st));
  row->text[0] = input == LLMENV_IN_experts ? "E" : "e/E";
  row->reference = llmenv_point_get (&p, LLMENV_IN_experts);
  row->sort = llmenv_point_get (&p, LLMENV_IN_expert_ratio);
  return LLMENV_OK;
}

/* e = 1, 2, 4, ... E of the model's experts, and its own e between. */
static llmenv_status
add_ratios (const llmenv_build *build, llmenv_model_record *model,
            llmenv_card_record *card, llmenv_rows *rows, llmenv_error *error)
{
  const double experts = model->model.experts, top = model->model.top;
  for (double e = 1, next; e <= experts; e = next)
    {
      LLMENV_TRY (add_experts (build, model, card, LLMENV_IN_expert_ratio,
                               e / experts, rows, error));
      next = exp2 (floor (log2 (e)) + 1);
      if (e < top && next > top)
        next = top;
      if (e < experts && next > experts)
        next = experts;
    }
  return LLMENV_OK;
}

static llmenv_status
expert_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  static const double growths[] = { 0.25, 0.5, 1, 2, 4 };
  const llmenv_catalogue *c = build->request->catalogue;
  llmenv_card_record *card;
  LLMENV_TRY (llmenv_build_card (build, &card, error));
  for (size_t i = 0; i < c->n_models; i++)
    {
      const llmenv_model *m = &c->models[i]->model;
      if (!(m->experts > 0) || isnan (m->top))
        continue;
      LLMENV_TRY (add_ratios (build, c->models[i], card, rows, error));
      for (size_t g = 0; g < N_OF (growths); g++)
        if (growths[g] * m->experts >= m->top)
          LLMENV_TRY (add_experts (build, c->models[i], card, LLMENV_IN_experts,
                                   growths[g] * m->experts, rows, error));
    }
  return LLMENV_OK;
}

static llmenv_cell
experts_cell (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->reference, LLMENV_HAS_VALUE);
}

static llmenv_cell
top_cell (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->reference * row->sort, LLMENV_HAS_VALUE);
}

static llmenv_cell
share_cell (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->sort, LLMENV_HAS_VALUE);
}

static llmenv_cell
active_cell (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[DEFAULT].flops / 2e9, LLMENV_HAS_VALUE);
}

static llmenv_cell
held_cell (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[DEFAULT].held * GB, LLMENV_HAS_VALUE);
}

#define WEIGHTS_AT(name, batch)                                               \
  static llmenv_cell                                                          \
  name (const llmenv_row *row, const llmenv_column_def *column)               \
  {                                                                           \
    return llmenv_cell_of (row, column, GB * llmenv_envelope_weights            \
                           (&row->envelope[DEFAULT], batch), LLMENV_HAS_VALUE); \
  }
WEIGHTS_AT (weights_1, 1)
WEIGHTS_AT (weights_8, 8)
WEIGHTS_AT (weights_64, 64)

/* (1 - e/E)^B = 1/10. */
static llmenv_cell
batch_90 (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->sort == 1 ? 1 : -M_LN10 / log1p (-row->sort),
                         LLMENV_HAS_VALUE);
}

static const llmenv_column_def expert_columns[] = {
  TEXT_COLUMN ("model", "id of the model", llmenv_cell_model_id),
  TEXT_COLUMN ("vary", "e/E at fixed E (P moves), or E at fixed e (P does not)", model_quantity),
  NUMBER_COLUMN ("experts", "", "E, routed experts of a layer", 0, experts_cell),
  NUMBER_COLUMN ("top", "", "e, experts of a token", 2, top_cell),
  NUMBER_COLUMN ("ratio", "", "e/E", 5, share_cell),
  NUMBER_COLUMN ("active_b", "1e9 parameters", "parameters that compute a token", 2, active_cell),
  NUMBER_COLUMN ("held_gb", "GB", "weights in memory", 1, held_cell),
  NUMBER_COLUMN ("weights_1_gb", "GB", "weights streamed at batch 1", 2, weights_1),
  NUMBER_COLUMN ("weights_8_gb", "GB", "weights streamed at batch 8", 2, weights_8),
  NUMBER_COLUMN ("weights_64_gb", "GB", "weights streamed at batch 64", 2, weights_64),
  NUMBER_COLUMN ("batch_90", "sequences", "batch that streams nine tenths of the experts", 1, batch_90),
  AT ("b_star", "sequences", "batch that reaches the ridge at the caption's context", 0, LLMENV_FLOOR, b_star, NAN),
  AT ("l_wall", "tokens", "context past which no batch reaches the ridge", 0, LLMENV_FLOOR, l_wall, NAN),
};

/* ---- touched weights from layers and from scalars ----------------------- */

enum { FROM_LAYERS, FROM_SCALARS };

/* Both with the same bytes per weight, so that only the split differs. */
static llmenv_status
ready_fallback (llmenv_row *row, llmenv_error *error)
{
  const llmenv_card card = { NAN, NAN, NAN };
  llmenv_settings *s = &row->options.settings;
  llmenv_model without = row->model->model;
  s->convention = LLMENV_LAYERED;
  s->basis = LLMENV_TOUCHED;
  if (isnan (s->weight_bytes_each) && isnan (s->weight_bytes))
    s->weight_bytes_each = 2;
  without.n_parts = 0;
  llmenv_status st = llmenv_envelope_make (&row->model->model, &card, s,
                                           &row->envelope[FROM_LAYERS]);
  if (st == LLMENV_OK)
    st = llmenv_envelope_make (&without, &card, s, &row->envelope[FROM_SCALARS]);
  return st == LLMENV_OK ? st
         : llmenv_error_set (error, st, "%s: %s", row->model->id, llmenv_status_text (st));
}

static llmenv_status
fallback_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  static const double batches[] = { 0, 1, 8, 64, INFINITY };
  static const char *const names[] = { "0 (always streamed, S)", "1", "8", "64", "inf" };
  const llmenv_catalogue *c = build->request->catalogue;
  for (size_t i = 0; i < c->n_models; i++)
    {
      const llmenv_model *m = &c->models[i]->model;
      if (m->n_parts == 0 || !(m->experts > 0))
        continue;
      for (size_t b = 0; b < N_OF (batches); b++)
        {
          llmenv_row *row = llmenv_row_add (rows, build, c->models[i], NULL, error);
          if (row == NULL)
            return LLMENV_ETOOLARGE;
          LLMENV_TRY (ready_fallback (row, error));
          row->B = batches[b];
          row->text[0] = names[b];
        }
    }
  return LLMENV_OK;
}

static double
fallback_bytes (const llmenv_row *row, int which)
{
  return llmenv_envelope_weights (&row->envelope[which], row->B);
}

static llmenv_cell
from_layers (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, GB * fallback_bytes (row, FROM_LAYERS), LLMENV_HAS_VALUE);
}

static llmenv_cell
from_scalars (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, GB * fallback_bytes (row, FROM_SCALARS), LLMENV_HAS_VALUE);
}

static llmenv_cell
difference (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, 100 * (fallback_bytes (row, FROM_SCALARS)
                                             / fallback_bytes (row, FROM_LAYERS) - 1),
                         LLMENV_HAS_VALUE);
}

static const llmenv_column_def fallback_columns[] = {
  TEXT_COLUMN ("model", "id of the model", llmenv_cell_model_id),
  TEXT_COLUMN ("batch", "sequences of the step", model_quantity),
  NUMBER_COLUMN ("layers_gb", "GB", "weights streamed, S and X from the layer derivation, 2 bytes a weight unless options say otherwise", 2, from_layers),
  NUMBER_COLUMN ("scalars_gb", "GB", "the same with X = (P_tot - P)/(1 - e/E), S = P_tot - X of the record's scalars", 2, from_scalars),
  NUMBER_COLUMN ("difference", "%", "second against first", 1, difference),
};

/* ---- elasticities ------------------------------------------------------ */

static llmenv_status
elasticity_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  llmenv_model_record *model;
  llmenv_card_record *card;
  LLMENV_TRY (llmenv_build_model (build, &model, error));
  LLMENV_TRY (llmenv_build_card (build, &card, error));
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    {
      llmenv_row *row = llmenv_row_add (rows, build, model, card, error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      LLMENV_TRY (llmenv_row_ready (row, error));
      row->reference = q;
      row->text[0] = llmenv_quantity_get ((llmenv_quantity) q)->name;
      row->text[1] = llmenv_quantity_get ((llmenv_quantity) q)->unit;
    }
  return LLMENV_OK;
}

static llmenv_point
row_point (const llmenv_row *row)
{
  return llmenv_point_make (&row->model->model, row->card, &row->options,
                            row->build->request->contexts);
}

static llmenv_cell
point_value (const llmenv_row *row, const llmenv_column_def *column)
{
  const llmenv_point p = row_point (row);
  const llmenv_quantity q = (llmenv_quantity) row->reference;
  const double value = llmenv_point_value_in (q, &p, &row->envelope[DEFAULT]);
  return cell_in_unit (row, column, value, llmenv_row_reason (row, q, value));
}

/* In the input that the column is named after. */
static llmenv_cell
elasticity (const llmenv_row *row, const llmenv_column_def *column)
{
  const llmenv_point p = row_point (row);
  double value = NAN;
  llmenv_reason reason = LLMENV_NO_RECORD;
  for (int i = 0; i < LLMENV_INPUT_COUNT; i++)
    if (strcmp (llmenv_input_get ((llmenv_input) i)->column, column->name) == 0)
      llmenv_elasticity ((llmenv_quantity) row->reference, (llmenv_input) i, &p, &value, &reason);
  return llmenv_cell_of (row, column, value, reason);
}

static const llmenv_column_def elasticity_columns[] = {
  TEXT_COLUMN ("quantity", "as in llmenv_<name>", model_quantity),
  NUMBER_COLUMN ("value", "", "in the unit of its row", 2, point_value),
  TEXT_COLUMN ("unit", "unit of the value", unit),
#define X(name, column, unit, least, open, most, help)                        \
  NUMBER_COLUMN (column, "", "d ln quantity / d ln input: " help, 3, elasticity),
  LLMENV_INPUTS (X)
#undef X
};

/* ---- the tables -------------------------------------------------------- */

const llmenv_definition llmenv_tables_crossovers[] = {
#define TABLE(name, title, columns, rows)                                     \
  { { name, title, "crossovers" }, columns, N_OF (columns), rows }
  TABLE ("published_vs_layered", "The simple formulas beside sums over layers, largest error first", compared_columns, compared_rows),
  TABLE ("kv_sensitivity", "Walls, batches and capacity by storage of the KV cache", kv_columns, kv_rows),
  TABLE ("expert_sensitivity", "Weights, batches and walls by share and number of experts", expert_columns, expert_rows),
  TABLE ("touched_fallback", "Touched weights from layers and from a record's scalars", fallback_columns, fallback_rows),
  TABLE ("elasticities", "Elasticities of every quantity in every input", elasticity_columns, elasticity_rows),
#undef TABLE
};
const size_t llmenv_n_tables_crossovers = N_OF (llmenv_tables_crossovers);
