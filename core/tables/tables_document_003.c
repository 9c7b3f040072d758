/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of document 003: ridge points, the three families, the rankings
 * of B_eq, L_wall and B*, the worst and the cheapest caches. */
#include "tables.h"

#include <math.h>
#include <string.h>

#define DEFAULT LLMENV_BASIS_DEFAULT
#define GB 1e-9
#define KIB (1.0 / 1024)

/* ---- rows: as printed, or all that qualify ----------------------------- */

static int
always (const llmenv_row *row)
{
  (void) row;
  return 1;
}

/* As printed: the document's ids in its order. */
static llmenv_status
printed_rows (const llmenv_build *build, int of_cards, llmenv_rows *rows,
              llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  llmenv_card_record *card = NULL;
  size_t i;
  json_t *entry;
  if (!of_cards)
    LLMENV_TRY (llmenv_build_card (build, &card, error));
  json_array_foreach (json_object_get (build->selection, "rows"), i, entry)
    {
      const char *id = json_is_string (entry) ? json_string_value (entry)
                                              : llmenv_record_text (entry, "id");
      llmenv_model_record *model = of_cards ? NULL : llmenv_catalogue_model (c, id);
      if (of_cards)
        card = llmenv_catalogue_card (c, id);
      if (of_cards ? card == NULL : model == NULL)
        return llmenv_error_set (error, LLMENV_EBADRECORD,
                                 "printed.json: rows[%zu]: no record '%s'", i, id);
      llmenv_row *row = llmenv_row_add (rows, build, model, card, error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      row->printed = json_is_object (entry) ? entry : NULL;
      LLMENV_TRY (llmenv_row_ready (row, error));
      row->rank = i + 1;
    }
  return LLMENV_OK;
}

/* All models for which QUALIFIES, sorted by SORT. */
static llmenv_status
model_rows (const llmenv_build *build, int (*qualifies) (const llmenv_row *),
            double (*sort) (const llmenv_row *), llmenv_rows *rows,
            llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  llmenv_card_record *card;
  if (build->selection != NULL)
    return printed_rows (build, 0, rows, error);
  LLMENV_TRY (llmenv_build_card (build, &card, error));
  for (size_t i = 0; i < c->n_models; i++)
    {
      llmenv_row *row = llmenv_row_add (rows, build, c->models[i], card, error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      LLMENV_TRY (llmenv_row_ready (row, error));
      row->sort = sort (row);
      if (!qualifies (row))
        rows->n--;
    }
  llmenv_rows_sort (rows);
  return LLMENV_OK;
}

/* ---- what rows are sorted by ------------------------------------------- */

static double
by_kv_token (const llmenv_row *row)
{
  return llmenv_row_value (row, LLMENV_Q_kv_bytes, DEFAULT, 1)
         - llmenv_row_value (row, LLMENV_Q_kv_bytes, DEFAULT, 0);
}

static double
by_b_eq (const llmenv_row *row)
{
  return llmenv_row_value (row, LLMENV_Q_b_eq, LLMENV_ACTIVE, 1);
}

static double
by_l_wall (const llmenv_row *row)
{
  return llmenv_row_value (row, LLMENV_Q_l_wall, DEFAULT, 0);
}

static double
by_b_star (const llmenv_row *row)
{
  return llmenv_row_value (row, LLMENV_Q_b_star, LLMENV_ACTIVE,
                           llmenv_row_point (row, 1024));
}

static double
by_80_gb (const llmenv_row *row)
{
  return llmenv_row_value (row, LLMENV_Q_kv_context, DEFAULT,
                           llmenv_row_point (row, 80e9));
}

static double
eq_ratio (const llmenv_row *row)
{
  return llmenv_row_value (row, LLMENV_Q_b_eq, LLMENV_RESIDENT, 1) / by_b_eq (row);
}

static double
by_ratio_falling (const llmenv_row *row)
{
  return -eq_ratio (row);
}

static double
kv_at_max_context (const llmenv_row *row)
{
  return llmenv_row_value (row, LLMENV_Q_kv_bytes, DEFAULT,
                           llmenv_record_number (row->model->json,
                                                 "max_position_embeddings",
                                                 row->options.settings.convention));
}

static double
by_kv_at_max_falling (const llmenv_row *row)
{
  /* A silent maximum must not fall back to the row's own context. */
  const double max = llmenv_record_number (row->model->json,
                                           "max_position_embeddings",
                                           row->options.settings.convention);
  return isnan (max) ? NAN : -kv_at_max_context (row);
}

/* ---- ridge ------------------------------------------------------------- */

static llmenv_status
ridge_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  if (build->selection != NULL)
    return printed_rows (build, 1, rows, error);
  for (size_t i = 0; i < c->n_cards; i++)
    {
      llmenv_row *row = llmenv_row_add (rows, build, NULL, c->cards[i], error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      LLMENV_TRY (llmenv_row_ready (row, error));
      row->sort = -row->envelope[0].ridge;
    }
  llmenv_rows_sort (rows);
  return LLMENV_OK;
}

static llmenv_cell
peak_tflops (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[0].peak / 1e12, LLMENV_HAS_VALUE);
}

static llmenv_cell
bandwidth_gb_s (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[0].bandwidth / 1e9,
                         LLMENV_HAS_VALUE);
}

static llmenv_cell
vram_gb (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column,
                         llmenv_record_number (row->card->json, "vram_gb",
                                               row->options.settings.convention),
                         LLMENV_HAS_VALUE);
}

static const llmenv_column_def ridge_columns[] = {
  TEXT_COLUMN ("part", "id of the card", llmenv_cell_card_id),
  NUMBER_COLUMN ("bf16_dense_tflops", "TFLOP/s", "peak dense rate of the compute type, bf16 unless given", -1, peak_tflops),
  NUMBER_COLUMN ("bandwidth_gb_s", "GB/s", "peak memory bandwidth", -1, bandwidth_gb_s),
  QUANTITY_COLUMN ("ridge_flop_per_byte", "FLOP/byte", "R, peak FLOP/s over peak bytes/s", 1, LLMENV_NEAREST, ridge, DEFAULT, 0, 1),
  NUMBER_COLUMN ("vram_gb", "GB", "memory as the vendor states it", -1, vram_gb),
};

/* ---- the three families ------------------------------------------------ */

static const char *
architecture (const llmenv_row *row)
{
  return llmenv_record_text (row->model->json, "architecture");
}

static int
is_dense (const llmenv_row *row)
{
  return strcmp (architecture (row), "dense") == 0;
}

static int
is_moe (const llmenv_row *row)
{
  return strcmp (architecture (row), "moe") == 0;
}

static int
is_hybrid (const llmenv_row *row)
{
  return strcmp (architecture (row), "hybrid-attention-ssm") == 0
         || strcmp (architecture (row), "ssm") == 0
         || strcmp (architecture (row), "recurrent") == 0;
}

static llmenv_status
dense_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, is_dense, by_kv_token, rows, error);
}

static llmenv_status
moe_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, is_moe, by_kv_token, rows, error);
}

static llmenv_status
hybrid_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, is_hybrid, by_kv_token, rows, error);
}

#define ID TEXT_COLUMN ("id", "id of the model", llmenv_cell_model_id)
#define MARK TEXT_COLUMN ("mark", "* KV bytes derived by the document, ‡ corrected by it, † total weights", llmenv_cell_mark)
#define TOTAL_B NUMBER_COLUMN ("total_b", "1e9 parameters", "all parameters", -1, llmenv_cell_params)
#define ACTIVE_B NUMBER_COLUMN ("active_b", "1e9 parameters", "parameters that compute a token", -1, llmenv_cell_active)
#define KV_KIB NUMBER_COLUMN ("kv_kib_per_tok", "KiB", "KV cache bytes that one token adds, all layers", 1, llmenv_cell_kv_kib)
#define ACTIVE_GB QUANTITY_COLUMN ("active_weights_gb", "GB", "weights that one token streams", 2, LLMENV_NEAREST, weight_bytes, LLMENV_ACTIVE, 0, GB)
#define L_WALL QUANTITY_COLUMN ("l_wall", "tokens", "context past which no batch reaches the ridge", 0, LLMENV_FLOOR, l_wall, DEFAULT, 0, 1)
#define KV_GB(name, note, decimals, tokens) QUANTITY_COLUMN (name, "GB", note, decimals, LLMENV_NEAREST, kv_bytes, DEFAULT, tokens, GB)
#define KV_PAST(name, note, bytes) QUANTITY_COLUMN (name, "tokens", note, 0, LLMENV_FLOOR, kv_context, DEFAULT, bytes, 1)

static const llmenv_column_def family_columns[] = {
  ID, MARK, TOTAL_B, ACTIVE_B, ACTIVE_GB, KV_KIB,
  KV_GB ("kv_gb_8k", "cache and state of one sequence at 8,192 tokens", 2, 8192),
  KV_GB ("kv_gb_32k", "the same at 32,768 tokens", 2, 32768),
  KV_GB ("kv_gb_128k", "the same at 131,072 tokens", 1, 131072),
  WHOLE_COLUMN ("kv_gb_1m", "GB", "the same at 1,048,576 tokens", 1, LLMENV_NEAREST, kv_bytes, DEFAULT, 1048576, GB),
  KV_PAST ("kv_gt_1gb_tok", "context at which one sequence passes 1 GB", 1e9),
  WHOLE_COLUMN ("kv_gt_8gb_tok", "tokens", "the same for 8 GB", 0, LLMENV_FLOOR, kv_context, DEFAULT, 8e9, 1),
  KV_PAST ("kv_gt_24gb_tok", "the same for 24 GB", 24e9),
  KV_PAST ("kv_gt_80gb_tok", "the same for 80 GB", 80e9),
  QUANTITY_COLUMN ("b_eq_active", "sequences", "batch at which KV bytes equal active weight bytes, context of one token", 0, LLMENV_FLOOR, b_eq, LLMENV_ACTIVE, 1, 1),
  L_WALL,
};

/* ---- Gemma 4's two geometries ------------------------------------------ */

static int
is_gemma_4 (const llmenv_row *row)
{
  return strncmp (row->model->id, "gemma-4-", 8) == 0;
}

static llmenv_status
gemma_4_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, is_gemma_4, by_kv_token, rows, error);
}

/* First group of KIND, or NULL. */
static const llmenv_layer_group *
group_of (const llmenv_row *row, llmenv_layer_kind kind)
{
  const llmenv_model *m = &row->model->model;
  for (size_t i = 0; i < m->n_layers; i++)
    if (m->layers[i].kind == kind)
      return &m->layers[i];
  return NULL;
}

/* A size of the window (sliding) or full (global) layers. */
static llmenv_cell
geometry (const llmenv_row *row, const llmenv_column_def *column,
          llmenv_layer_kind kind, size_t offset, size_t times)
{
  const llmenv_layer_group *g = group_of (row, kind);
  if (g == NULL)
    return llmenv_word_cell (LLMENV_NO_RECORD);
  double value = *(const double *) (const void *) ((const char *) g + offset);
  if (times != 0)
    value *= *(const double *) (const void *) ((const char *) g + times);
  return llmenv_cell_of (row, column, value, LLMENV_HAS_VALUE);
}

#define GEOMETRY(fn, kind, field, times)                                      \
  static llmenv_cell                                                          \
  fn (const llmenv_row *row, const llmenv_column_def *column)                 \
  {                                                                           \
    return geometry (row, column, kind, offsetof (llmenv_layer_group, field), \
                     times);                                                  \
  }
GEOMETRY (sliding_heads, LLMENV_WINDOW, kv_heads, 0)
GEOMETRY (sliding_dim, LLMENV_WINDOW, k_dim, 0)
GEOMETRY (sliding_elements, LLMENV_WINDOW, kv_heads,
          offsetof (llmenv_layer_group, k_dim))
GEOMETRY (global_heads, LLMENV_FULL, kv_heads, 0)
GEOMETRY (global_dim, LLMENV_FULL, k_dim, 0)
GEOMETRY (global_elements, LLMENV_FULL, kv_heads,
          offsetof (llmenv_layer_group, k_dim))

static llmenv_cell
layer_count (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column,
                         llmenv_record_number (row->model->json, "num_layers",
                                               row->options.settings.convention),
                         LLMENV_HAS_VALUE);
}

/* The document's own count where a correction has one, else the layers'. */
static llmenv_cell
global_layers (const llmenv_row *row, const llmenv_column_def *column)
{
  const double stated
    = llmenv_record_number (row->model->json, "full_attention_layers",
                            row->options.settings.convention);
  const llmenv_layer_group *g = group_of (row, LLMENV_FULL);
  return llmenv_cell_of (row, column, !isnan (stated) ? stated
                         : g != NULL ? g->count : NAN, LLMENV_HAS_VALUE);
}

static llmenv_cell
kv_token_bytes (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, by_kv_token (row), LLMENV_HAS_VALUE);
}

static const llmenv_column_def gemma_4_columns[] = {
  ID, MARK,
  NUMBER_COLUMN ("layers", "", "layers of the stack", 0, layer_count),
  NUMBER_COLUMN ("global_layers", "", "layers that attend to the whole context", 0, global_layers),
  NUMBER_COLUMN ("sliding_kv_heads", "", "KV heads of a sliding layer", 0, sliding_heads),
  NUMBER_COLUMN ("sliding_head_dim", "", "width of those heads", 0, sliding_dim),
  NUMBER_COLUMN ("sliding_kv_elts_per_layer", "elements", "K (or V) elements a token adds to a sliding layer", 0, sliding_elements),
  NUMBER_COLUMN ("global_kv_heads", "", "KV heads of a global layer", 0, global_heads),
  NUMBER_COLUMN ("global_head_dim", "", "width of those heads", 0, global_dim),
  NUMBER_COLUMN ("global_kv_elts_per_layer", "elements", "K (or V) elements a token adds to a global layer", 0, global_elements),
  NUMBER_COLUMN ("kv_bytes_per_tok", "bytes", "KV bytes a token adds; the document leaves out one factor of two", 0, kv_token_bytes),
  KV_KIB,
};

/* ---- rankings ---------------------------------------------------------- */

static llmenv_status
b_eq_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, always, by_b_eq, rows, error);
}

static const llmenv_column_def b_eq_columns[] = {
  ID, MARK,
  QUANTITY_COLUMN ("b_eq_active", "sequences", "batch at which KV bytes equal active weight bytes, context of one token", 0, LLMENV_FLOOR, b_eq, LLMENV_ACTIVE, 1, 1),
  QUANTITY_COLUMN ("b_eq_total", "sequences", "the same with all weights that can be streamed", 0, LLMENV_FLOOR, b_eq, LLMENV_RESIDENT, 1, 1),
  KV_KIB, ACTIVE_GB,
  QUANTITY_COLUMN ("total_weights_gb", "GB", "all weights that can be streamed", 2, LLMENV_NEAREST, weight_bytes, LLMENV_RESIDENT, 0, GB),
};

static llmenv_status
l_wall_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, always, by_l_wall, rows, error);
}

/* Attention FLOP per byte of a first token: g where all layers are alike. */
static llmenv_cell
attention_intensity (const llmenv_row *row, const llmenv_column_def *column)
{
  const llmenv_piece *p = row->envelope[0].piece;
  const double read = p->slope[LLMENV_READ];
  return llmenv_cell_of (row, column, read > 0 ? p->slope[LLMENV_FLOPS] / read : NAN,
                         row->envelope[0].kv_reason);
}

static const llmenv_column_def l_wall_columns[] = {
  ID, MARK, L_WALL, KV_KIB,
  NUMBER_COLUMN ("g", "FLOP/byte", "attention FLOP per KV byte; query heads per KV head in plain attention at 16 bits", 1, attention_intensity),
  QUANTITY_COLUMN ("ai_ceiling_8k", "FLOP/byte", "intensity at infinite batch, 8,192 tokens", 1, LLMENV_NEAREST, ceiling, DEFAULT, 8192, 1),
  QUANTITY_COLUMN ("ai_ceiling_32k", "FLOP/byte", "the same at 32,768 tokens", 1, LLMENV_NEAREST, ceiling, DEFAULT, 32768, 1),
  QUANTITY_COLUMN ("ai_ceiling_128k", "FLOP/byte", "the same at 131,072 tokens", 1, LLMENV_NEAREST, ceiling, DEFAULT, 131072, 1),
};

static int
has_experts (const llmenv_row *row)
{
  return eq_ratio (row) > 1.000001;
}

static llmenv_status
resident_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, has_experts, by_ratio_falling, rows, error);
}

static llmenv_cell
resident_ratio (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, eq_ratio (row), LLMENV_HAS_VALUE);
}

static const llmenv_column_def resident_columns[] = {
  ID, MARK,
  QUANTITY_COLUMN ("b_eq_active", "sequences", "batch at which KV bytes equal active weight bytes, context of one token", 0, LLMENV_FLOOR, b_eq, LLMENV_ACTIVE, 1, 1),
  QUANTITY_COLUMN ("b_eq_resident", "sequences", "the same with all weights that can be streamed", 0, LLMENV_FLOOR, b_eq, LLMENV_RESIDENT, 1, 1),
  NUMBER_COLUMN ("ratio", "", "second over first", 1, resident_ratio),
};

static llmenv_status
b_star_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, always, by_b_star, rows, error);
}

static llmenv_cell
star_basis (const llmenv_row *row, const llmenv_column_def *column)
{
  static const char *const words[] = { "", "active", "touched", "resident" };
  (void) column;
  const llmenv_envelope *e = &row->envelope[0];
  const int total = e->convention == LLMENV_PUBLISHED
                    && isnan (row->model->model.published.active_params);
  return llmenv_text_cell (total ? "total" : words[e->basis]);
}

#define STAR(name, note, tokens)                                              \
  QUANTITY_COLUMN (name, "sequences", note, 0, LLMENV_FLOOR, b_star, DEFAULT, tokens, 1)

static const llmenv_column_def b_star_columns[] = {
  ID, MARK,
  TEXT_COLUMN ("basis", "weights that the step streams", star_basis),
  STAR ("bstar_1k", "batch at which the step reaches the ridge, 1,024 tokens", 1024),
  STAR ("bstar_8k", "the same at 8,192 tokens", 8192),
  STAR ("bstar_32k", "the same at 32,768 tokens", 32768),
  STAR ("bstar_128k", "the same at 131,072 tokens", 131072),
};

/* ---- the largest and the smallest caches ------------------------------- */

static llmenv_status
worst_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, always, by_80_gb, rows, error);
}

static llmenv_cell
kv_gb_at_max (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, -by_kv_at_max_falling (row) * GB,
                         row->envelope[0].kv_reason);
}

#define MAX_CONTEXT NUMBER_COLUMN ("max_position_embeddings", "tokens", "longest context the model advertises", 0, llmenv_cell_max_context)

static const llmenv_column_def worst_columns[] = {
  NUMBER_COLUMN ("rank", "", "from the smallest context that fills 80 GB", 0, llmenv_cell_rank),
  ID, MARK, KV_KIB,
  KV_PAST ("kv_gt_80gb_tok", "context at which one sequence passes 80 GB", 80e9),
  MAX_CONTEXT,
  NUMBER_COLUMN ("kv_gb_at_max_ctx", "GB", "cache and state of one sequence there", 1, kv_gb_at_max),
};

static int
exceeds_80_gb (const llmenv_row *row)
{
  return -by_kv_at_max_falling (row) > llmenv_row_point (row, 80e9);
}

static llmenv_status
exceed_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  return model_rows (build, exceeds_80_gb, by_kv_at_max_falling, rows, error);
}

static llmenv_cell
is_excluded (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (json_is_true (json_object_get (row->printed, "excluded"))
                           ? "yes" : "no");
}

static const llmenv_column_def exceed_columns[] = {
  ID, MARK, MAX_CONTEXT,
  NUMBER_COLUMN ("kv_gb_full_ctx", "GB", "cache and state of one sequence there", 1, kv_gb_at_max),
  KV_KIB,
  TEXT_COLUMN ("excluded", "left out by the document, whose record calls that context nominal", is_excluded),
};

static int
has_cache (const llmenv_row *row)
{
  return by_kv_token (row) > 0;
}

/* Largest k of the rows, or that of the model which the document names. */
static double
reference_kv (const llmenv_build *build, const llmenv_rows *rows)
{
  const char *named = llmenv_record_text (build->selection, "reference");
  double largest = NAN;
  for (size_t i = 0; i < rows->n; i++)
    largest = fmax (largest, by_kv_token (&rows->row[i]));
  const llmenv_model_record *model
    = llmenv_catalogue_model (build->request->catalogue, named);
  return model == NULL ? largest : model->model.published.kv_bytes;
}

static llmenv_status
cheap_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  LLMENV_TRY (model_rows (build, has_cache, by_kv_token, rows, error));
  const double reference = reference_kv (build, rows);
  for (size_t i = 0; i < rows->n; i++)
    rows->row[i].reference = reference;
  return LLMENV_OK;
}

static llmenv_cell
label (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (llmenv_record_text (row->printed, "label"));
}

static llmenv_cell
times_vs_worst (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->reference / by_kv_token (row),
                         LLMENV_HAS_VALUE);
}

static llmenv_cell
named_reference (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (llmenv_record_text (row->printed, "named_reference"));
}

static const llmenv_column_def cheap_columns[] = {
  ID, MARK,
  TEXT_COLUMN ("label", "what the document calls the lever", label),
  TOTAL_B, ACTIVE_B, KV_KIB,
  KV_GB ("kv_gb_128k", "cache and state of one sequence at 131,072 tokens", 2, 131072),
  NUMBER_COLUMN ("times_vs_worst", "", "how often its KV bytes a token go into the reference's (the largest here)", 0, times_vs_worst),
  TEXT_COLUMN ("named_reference", "the reference, where the document names one", named_reference),
};

const llmenv_definition llmenv_tables_document_003[] = {
#define TABLE(name, title, columns, rows)                                     \
  { { name, title, "document 003" }, columns, N_OF (columns), rows }
  TABLE ("ridge", "Ridge point of every card", ridge_columns, ridge_rows),
  TABLE ("dense", "Memory envelope of the dense models", family_columns, dense_rows),
  TABLE ("moe", "Memory envelope of the mixtures of experts", family_columns, moe_rows),
  TABLE ("hybrid", "Memory envelope of hybrid and recurrent models", family_columns, hybrid_rows),
  TABLE ("gemma4_kv", "Gemma 4: KV bytes of two geometries", gemma_4_columns, gemma_4_rows),
  TABLE ("beq_ranked", "Models by the batch at which KV bytes overtake weights", b_eq_columns, b_eq_rows),
  TABLE ("lwall_ranked", "Models by the context past which no batch reaches the ridge", l_wall_columns, l_wall_rows),
  TABLE ("beq_resident", "What experts that rest change in B_eq", resident_columns, resident_rows),
  TABLE ("bstar", "Batch at which a step reaches the ridge", b_star_columns, b_star_rows),
  TABLE ("worst10", "Models by the context that fills 80 GB", worst_columns, worst_rows),
  TABLE ("exceed80", "Models whose longest context needs more than 80 GB", exceed_columns, exceed_rows),
  TABLE ("cheap_end", "Models by KV bytes a token, smallest first", cheap_columns, cheap_rows),
#undef TABLE
};
const size_t llmenv_n_tables_document_003 = N_OF (llmenv_tables_document_003);
