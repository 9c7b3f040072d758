/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of claims: the document's facts, ours, the verdict and why. */
#include "claims.h"
#include "tables.h"

static llmenv_status
claim_rows (const llmenv_build *build, llmenv_rows *rows, llmenv_error *error)
{
  size_t i;
  json_t *claim;
  json_array_foreach (build->claims, i, claim)
    {
      llmenv_row *row = llmenv_row_add (rows, build, NULL, NULL, error);
      if (row == NULL)
        return LLMENV_ETOOLARGE;
      row->note = claim;
    }
  return LLMENV_OK;
}

static llmenv_cell
fact (const llmenv_row *row, const llmenv_column_def *column)
{
  return llmenv_text_cell (llmenv_record_text (row->note, column->name));
}

/* A number with one digit more than is printed, or a text. */
static llmenv_cell
ours (const llmenv_row *row, const llmenv_column_def *column)
{
  const json_t *value = json_object_get (row->note, column->name);
  const double number = json_number_value (value);
  const int decimals
    = (int) json_integer_value (json_object_get (row->note, "decimals"));
  if (json_is_string (value))
    return llmenv_text_cell (json_string_value (value));
  return llmenv_number_cell (number, LLMENV_HAS_VALUE,
                             number == (double) (long long) number ? 0 : decimals,
                             LLMENV_NEAREST);
}

static const llmenv_column_def claim_columns[] = {
  TEXT_COLUMN ("section", "section of the document", fact),
  TEXT_COLUMN ("key", "name of the claim", fact),
  TEXT_COLUMN ("value", "what the document prints", fact),
  TEXT_COLUMN ("unit", "of the value", fact),
  TEXT_COLUMN ("formula", "how ours is computed", fact),
  NUMBER_COLUMN ("ours", "", "in the published convention", -1, ours),
  NUMBER_COLUMN ("ours_right", "", "with corrected records and exact sums over layers", -1, ours),
  TEXT_COLUMN ("verdict", "the first that fits", fact),
  TEXT_COLUMN ("why", "the reason, in a line", fact),
};

const llmenv_definition llmenv_tables_claims[] = {
#define TABLE(name, title, group)                                             \
  { { name, title, group }, claim_columns, N_OF (claim_columns), claim_rows }
  TABLE ("claims_000", "Claims of document 000, recomputed", "document 000"),
  TABLE ("claims_003", "Claims of document 003, recomputed", "document 003"),
#undef TABLE
};
const size_t llmenv_n_tables_claims = N_OF (llmenv_tables_claims);
