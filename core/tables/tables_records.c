/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables about the records: what there is, what was corrected, what cannot be
 * computed and why, where the documents are misprinted, what is assumed; and
 * the lists of quantities, options and types that help prints. */
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_element.h"
#include "llmenv_json.h"

#define DEFAULT LLMENV_BASIS_DEFAULT

/* ---- cells of rows made of texts or of a JSON object -------------------- */

static llmenv_cell
text_at (const llmenv_row *row, size_t i)
{
  return llmenv_text_cell (row->text[i]);
}

#define TEXT_CELL(i)                                                          \
  static llmenv_cell                                                          \
  text_##i (const llmenv_row *row, const llmenv_column_def *column)           \
  {                                                                           \
    (void) column;                                                            \
    return text_at (row, i);                                                  \
  }
TEXT_CELL (0)
TEXT_CELL (1)
TEXT_CELL (2)
TEXT_CELL (3)
TEXT_CELL (4)

/* Text of the note's field named like the column. */
static llmenv_cell
note_text (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_text_cell (llmenv_record_text (row->note, column->name));
}

/* Its number; a text where the field holds one. */
static llmenv_cell
note_number (const llmenv_row *row, const llmenv_column_def *column)
{
  const json_t *value = json_object_get (row->note, column->name);
  if (json_is_string (value))
    return llmenv_text_cell (json_string_value (value));
  return json_is_number (value)
         ? llmenv_cell_of (row, column, json_number_value (value), LLMENV_HAS_VALUE)
         : llmenv_text_cell ("");
}

static llmenv_row *
add_texts (llmenv_rows *rows, const llmenv_build *build, llmenv_error *error,
           const char *a, const char *b, const char *c, const char *d,
           const char *e)
{
  llmenv_row *row = llmenv_row_add (rows, build, NULL, NULL, error);
  if (row != NULL)
    {
      const char *const texts[] = { a, b, c, d, e };
      memcpy (row->text, texts, sizeof texts);
    }
  return row;
}

/* ---- models and cards -------------------------------------------------- */

static llmenv_status
model_list (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  for (size_t i = 0; i < c->n_models; i++)
    {
      llmenv_row *row = llmenv_row_add (rows, build, c->models[i], NULL, error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      LLMENV_TRY (llmenv_row_ready (row, error));
    }
  return LLMENV_OK;
}

static llmenv_cell
model_text (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_text_cell (llmenv_record_text (row->model->json, column->name));
}

/* How well the model is known: by layers, by scalars, or not. */
static llmenv_cell
known_by (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  const llmenv_model *m = &row->model->model;
  if (m->kv_reason != LLMENV_HAS_VALUE)
    return llmenv_text_cell (llmenv_reason_word (m->kv_reason));
  return llmenv_text_cell (m->n_layers > 0 && m->n_parts > 0 ? "layers and weights"
                           : m->n_layers > 0 ? "layers" : "scalars");
}

static const llmenv_column_def model_columns[] = {
  TEXT_COLUMN ("id", "id of the model", llmenv_cell_model_id),
  TEXT_COLUMN ("name", "as its vendor writes it", model_text),
  TEXT_COLUMN ("vendor", "who released it", model_text),
  TEXT_COLUMN ("architecture", "dense, moe, hybrid-attention-ssm, ssm, recurrent, diffusion or other", model_text),
  NUMBER_COLUMN ("total_b", "1e9 parameters", "all parameters", 2, llmenv_cell_params),
  NUMBER_COLUMN ("active_b", "1e9 parameters", "parameters that compute a token", 2, llmenv_cell_active),
  NUMBER_COLUMN ("kv_kib_per_tok", "KiB", "KV cache bytes that one token adds, all layers", 1, llmenv_cell_kv_kib),
  NUMBER_COLUMN ("max_position_embeddings", "tokens", "longest context the model advertises", 0, llmenv_cell_max_context),
  TEXT_COLUMN ("known_by", "what its figures are computed from", known_by),
};

static llmenv_status
card_list (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  for (size_t i = 0; i < c->n_cards; i++)
    {
      llmenv_row *row = llmenv_row_add (rows, build, NULL, c->cards[i], error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      LLMENV_TRY (llmenv_row_ready (row, error));
    }
  return LLMENV_OK;
}

static llmenv_cell
card_text (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_text_cell (llmenv_record_text (row->card->json, column->name));
}

static llmenv_cell
card_peak (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[0].peak / 1e12, LLMENV_HAS_VALUE);
}

static llmenv_cell
card_bandwidth (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[0].bandwidth / 1e9, LLMENV_HAS_VALUE);
}

static llmenv_cell
card_memory (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->envelope[0].memory / 1e9, LLMENV_HAS_VALUE);
}

static llmenv_cell
card_assumed (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  const llmenv_card_numbers n = llmenv_card_numbers_get (row->card, &row->options);
  return llmenv_text_cell (n.peak_is_assumed && n.memory_is_assumed
                           ? "peak of fp16; memory GB x 2^30"
                           : n.peak_is_assumed ? "peak of fp16"
                           : n.memory_is_assumed ? "memory GB x 2^30" : "");
}

static const llmenv_column_def card_columns[] = {
  TEXT_COLUMN ("id", "id of the card", llmenv_cell_card_id),
  TEXT_COLUMN ("name", "as its vendor writes it", card_text),
  TEXT_COLUMN ("vendor", "who makes it", card_text),
  NUMBER_COLUMN ("peak_tflops", "TFLOP/s", "peak dense rate of the compute type", 1, card_peak),
  NUMBER_COLUMN ("bandwidth_gb_s", "GB/s", "peak memory bandwidth", 1, card_bandwidth),
  NUMBER_COLUMN ("memory_gb", "GB", "memory that may be used, in units of 1e9 bytes", 2, card_memory),
  QUANTITY_COLUMN ("ridge", "FLOP/byte", "R, peak FLOP/s over peak bytes/s", 1, LLMENV_NEAREST, ridge, DEFAULT, 0, 1),
  TEXT_COLUMN ("assumed", "what is assumed in these figures", card_assumed),
};

/* ---- corrections ------------------------------------------------------- */

static llmenv_status
add_corrections (const llmenv_build *build, const char *id, const json_t *record,
                 llmenv_rows *rows, llmenv_error *error)
{
  size_t i;
  json_t *c;
  json_array_foreach (json_object_get (record, "corrections"), i, c)
    {
      const char *applies = json_is_false (json_object_get (c, "applies"))
                            ? "noted only" : "yes";
      llmenv_row *row = add_texts (rows, build, error, id, applies, NULL, NULL, NULL);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      row->note = c;
    }
  return LLMENV_OK;
}

static llmenv_status
correction_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  for (size_t i = 0; i < c->n_models; i++)
    LLMENV_TRY (add_corrections (build, c->models[i]->id, c->models[i]->json,
                                 rows, error));
  for (size_t i = 0; i < c->n_cards; i++)
    LLMENV_TRY (add_corrections (build, c->cards[i]->id, c->cards[i]->json,
                                 rows, error));
  return LLMENV_OK;
}

static const llmenv_column_def correction_columns[] = {
  TEXT_COLUMN ("id", "id of the model or card", text_0),
  TEXT_COLUMN ("field", "field of its record", note_text),
  NUMBER_COLUMN ("published", "", "value that the documents use", -1, note_number),
  NUMBER_COLUMN ("right", "", "value that layered uses", -1, note_number),
  NUMBER_COLUMN ("older", "", "value of an earlier record, for the audit", -1, note_number),
  TEXT_COLUMN ("applied", "whether the evidence replaces the recorded value", text_1),
  TEXT_COLUMN ("why", "what is wrong with it", note_text),
  TEXT_COLUMN ("source", "where the right value comes from", note_text),
};

/* ---- records that cannot be computed ----------------------------------- */

static llmenv_status
no_record_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_catalogue *c = build->request->catalogue;
  for (size_t i = 0; i < c->n_models; i++)
    {
      const llmenv_model_record *m = c->models[i];
      const char *why = llmenv_record_text (m->json, "unavailable_reason");
      const int answers = m->model.kv_reason == LLMENV_HAS_VALUE;
      const int silent = isnan (m->model.published.active_params);
      if (answers && !silent && *why == '\0')
        continue;
      if (*why == '\0')
        why = "the record holds no active parameter count, so that the documents' formulas have no W";
      const char *what = !answers ? "KV cache and everything that follows from it"
                         : silent ? "active parameters" : "part of the geometry";
      if (add_texts (rows, build, error, m->id, m->name, what,
                     answers ? "no record" : llmenv_reason_word (m->model.kv_reason),
                     why) == NULL)
        return LLMENV_ETOOLARGE;
    }
  for (size_t i = 0; i < c->n_cards; i++)
    {
      const llmenv_card_numbers n
        = llmenv_card_numbers_get (c->cards[i], &build->request->options);
      if (isfinite (n.card.peak / n.card.bandwidth))
        continue;
      if (add_texts (rows, build, error, c->cards[i]->id, c->cards[i]->name,
                     "ridge and everything that follows from it", "no record",
                     isnan (n.card.bandwidth)
                     ? "the record holds no memory bandwidth"
                     : "the record holds no dense rate of the compute type")
          == NULL)
        return LLMENV_ETOOLARGE;
    }
  return LLMENV_OK;
}

static const llmenv_column_def no_record_columns[] = {
  TEXT_COLUMN ("id", "id of the model or card", text_0),
  TEXT_COLUMN ("name", "its name", text_1),
  TEXT_COLUMN ("what", "what cannot be computed", text_2),
  TEXT_COLUMN ("answer", "the word that stands in its cells", text_3),
  TEXT_COLUMN ("why", "the reason", text_4),
};

/* ---- misprints --------------------------------------------------------- */

/* Our cell of the printed table that NOTE speaks of, as shown. */
static llmenv_status
our_cell (const llmenv_build *build, const json_t *note, char *text, size_t size,
          llmenv_error *error)
{
  llmenv_request request = *build->request;
  llmenv_table *table;
  request.as_printed = 1;
  request.options = llmenv_options_default ();
  request.options.settings.convention = LLMENV_PUBLISHED;
  LLMENV_TRY (llmenv_table_make (llmenv_record_text (note, "table"), &request,
                                 &table, error));
  const int column = llmenv_table_column (table, llmenv_record_text (note, "column"));
  *text = '\0';
  for (size_t r = 0; r < table->n_rows && column >= 0; r++)
    {
      char key[200];
      llmenv_cell_text (llmenv_table_cell (table, r, 0), 0, key, sizeof key);
      if (strcmp (key, llmenv_record_text (note, "row")) == 0)
        llmenv_cell_text (llmenv_table_cell (table, r, (size_t) column), 0, text, size);
    }
  llmenv_table_free (table);
  return LLMENV_OK;
}

static llmenv_status
misprint_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  size_t i;
  json_t *note;
  json_array_foreach (json_object_get (build->misprints, "misprints"), i, note)
    {
      llmenv_row *row = llmenv_row_add (rows, build, NULL, NULL, error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      row->note = note;
      LLMENV_TRY (our_cell (build, note, row->own, sizeof row->own, error));
    }
  return LLMENV_OK;
}

static llmenv_cell
ours (const llmenv_row *row, const llmenv_column_def *column)
{
  (void) column;
  return llmenv_text_cell (row->own);
}

static const llmenv_column_def misprint_columns[] = {
  TEXT_COLUMN ("table", "table of document 003", note_text),
  TEXT_COLUMN ("row", "first cell of the row", note_text),
  TEXT_COLUMN ("column", "column", note_text),
  TEXT_COLUMN ("printed", "what the document prints", note_text),
  TEXT_COLUMN ("ours", "what its own formula gives", ours),
  TEXT_COLUMN ("proof", "why the printed figure cannot be right", note_text),
};

/* ---- assumptions and sources ------------------------------------------- */

static const char *const assumptions[][3] = {
  { "units", "bytes, tokens, seconds, FLOP (a multiply-add is 2); GB = 1e9 bytes, GiB = 2^30 bytes, KiB = 1024 bytes", "spec" },
  { "published", "one k, one g, one P per model, closed formulas; values that the documents' tables use, also where wrong", "documents 000 and 003" },
  { "layered", "exact sums over layer groups, corrected values, weights by parts", "configuration files" },
  { "ridge of document 003", "1000 x 989.5/3350 FLOP/byte on an H100 SXM; document 000 takes 989/3.35", "documents 000 and 003" },
  { "weights streamed", "published: active; layered: touched, uniform independent routing, an expectation and not a floor", "spec section 1" },
  { "lookups", "an untied input embedding, per-layer and n-gram tables are held, not streamed, and cost no FLOPs", "spec section 2" },
  { "resident only", "encoders, vision and audio towers, multi-token-prediction layers", "spec section 2" },
  { "FLOPs", "2 per streamed active parameter whatever its storage type, plus attention; a scan counts 0", "spec section 2" },
  { "memory", "published: GB x 1e9; layered: what the driver reports, else GB x 2^30, assumed", "spec section 2" },
  { "reserve", "1.5e9 bytes, once per gang, unless given", "document 000" },
  { "cards ganged", "bandwidth, peak and memory add; no cost of communication", "spec section 5" },
  { "compute type", "bf16; a card without such a row uses its dense fp16 row, assumed", "spec section 2" },
  { "recurrent state", "type of the configuration, else bf16 for Mamba and gated-delta layers, fp32 for KDA, lightning and RWKV layers, assumed; once in memory, twice in traffic", "spec section 2" },
  { "KV writes", "left out: 1/L of the read", "spec section 2" },
  { "ceilings", "peak bandwidth and peak dense FLOP/s: every tokens/s figure is an upper bound", "document 000" },
};

static llmenv_status
assumption_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  for (size_t i = 0; i < N_OF (assumptions); i++)
    if (add_texts (rows, build, error, assumptions[i][0], assumptions[i][1],
                   assumptions[i][2], NULL, NULL) == NULL)
      return LLMENV_ETOOLARGE;
  return LLMENV_OK;
}

static const llmenv_column_def assumption_columns[] = {
  TEXT_COLUMN ("what", "subject", text_0),
  TEXT_COLUMN ("assumed", "what is assumed or defined", text_1),
  TEXT_COLUMN ("source", "where it comes from", text_2),
};

/* ---- quantities, options, types ---------------------------------------- */

static llmenv_status
quantity_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  for (int q = 0; q < LLMENV_QUANTITY_COUNT; q++)
    {
      const llmenv_quantity_info *i = llmenv_quantity_get (q);
      if (add_texts (rows, build, error, i->name, i->title, i->formula, i->unit,
                     i->inf_word) == NULL)
        return LLMENV_ETOOLARGE;
    }
  return LLMENV_OK;
}

static const llmenv_column_def quantity_columns[] = {
  TEXT_COLUMN ("quantity", "name, as in llmenv_<name>", text_0),
  TEXT_COLUMN ("question", "what it answers", text_1),
  TEXT_COLUMN ("formula", "symbols as in the README", text_2),
  TEXT_COLUMN ("unit", "unit of the value", text_3),
  TEXT_COLUMN ("infinite", "the word where there is no finite answer", text_4),
};

static llmenv_status
option_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  const llmenv_option_info *o;
  for (size_t i = 0; (o = llmenv_option_get (i)) != NULL; i++)
    if (add_texts (rows, build, error, o->name, o->kebab, o->accepts, o->help,
                   NULL) == NULL)
      return LLMENV_ETOOLARGE;
  return LLMENV_OK;
}

static const llmenv_column_def option_columns[] = {
  TEXT_COLUMN ("option", "name in Octave", text_0),
  TEXT_COLUMN ("command", "name in the command, after --", text_1),
  TEXT_COLUMN ("accepts", "what it takes", text_2),
  TEXT_COLUMN ("does", "what it does, with its default", text_3),
};

static llmenv_status
type_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  size_t n;
  const llmenv_element *e = llmenv_elements (&n);
  for (size_t i = 0; i < n; i++)
    {
      llmenv_row *row = add_texts (rows, build, error, e[i].name,
                                   e[i].is_mix ? "weights (file mix)" : "weights, KV, state",
                                   e[i].source, NULL, NULL);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      row->reference = llmenv_element_bytes (&e[i]);
    }
  return LLMENV_OK;
}

static llmenv_cell
bytes_each (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, row->reference, LLMENV_HAS_VALUE);
}

static llmenv_cell
bits_each (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_cell_of (row, column, 8 * row->reference, LLMENV_HAS_VALUE);
}

static const llmenv_column_def type_columns[] = {
  TEXT_COLUMN ("type", "name", text_0),
  NUMBER_COLUMN ("bytes", "bytes", "bytes per element, block scales included", 6, bytes_each),
  NUMBER_COLUMN ("bits", "bits", "bits per element, block scales included", 4, bits_each),
  TEXT_COLUMN ("for", "what it can store", text_1),
  TEXT_COLUMN ("source", "where the size comes from", text_2),
};

const llmenv_definition llmenv_tables_records[] = {
#define TABLE(name, title, group, columns, rows)                              \
  { { name, title, group }, columns, N_OF (columns), rows }
  TABLE ("models", "Models", "records", model_columns, model_list),
  TABLE ("cards", "Cards", "records", card_columns, card_list),
  TABLE ("corrections", "Corrections", "records", correction_columns, correction_rows),
  TABLE ("no_record", "What cannot be computed, and why", "records", no_record_columns, no_record_rows),
  TABLE ("misprints", "Misprinted cells of document 003", "records", misprint_columns, misprint_rows),
  TABLE ("assumptions", "Assumptions", "sources", assumption_columns, assumption_rows),
  TABLE ("quantities", "Quantities", "sources", quantity_columns, quantity_rows),
  TABLE ("options", "Options", "sources", option_columns, option_rows),
  TABLE ("types", "Storage types", "sources", type_columns, type_rows),
#undef TABLE
};
const size_t llmenv_n_tables_records = N_OF (llmenv_tables_records);
