/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The claims of documents 000 and 003, each recomputed and judged.
 *
 * data/claims_<document>.json holds the facts (section, key, printed value,
 * unit) and, for each claim, a check: an expression over the core's quantities,
 * the records' fields and counts of rows (claims_eval.h).  What the check gives
 * decides the verdict; none is stored. */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "llmenv_catalogue.h"

/* Verdicts, first that fits.  X (symbol, word, meaning) */
#define LLMENV_VERDICTS(X)                                                    \
  X (LLMENV_REPRODUCED, "reproduced", "equal at the printed digits")          \
  X (LLMENV_ROUNDING, "rounding",                                             \
     "off by less than one unit of the last printed digit")                   \
  X (LLMENV_NOT_COMPUTABLE, "not computable", "needs what no record holds")   \
  X (LLMENV_WRONG_DIRECTION, "wrong direction",                               \
     "an ordering, sign or bound that is reversed")                           \
  X (LLMENV_CONTRADICTION, "contradiction",                                   \
     "disagrees with another statement of the same document")                 \
  X (LLMENV_MISCOUNT, "miscount", "a count of rows that is not theirs")       \
  X (LLMENV_ARITHMETIC_SLIP, "arithmetic slip",                               \
     "a figure that its own formula, or the right one, does not give")

typedef enum
{
#define X(symbol, word, meaning) symbol,
  LLMENV_VERDICTS (X)
#undef X
  LLMENV_VERDICT_COUNT
} llmenv_verdict;

const char *llmenv_verdict_word (llmenv_verdict verdict);
const char *llmenv_verdict_meaning (llmenv_verdict verdict);

/* 1 for a verdict by which a claim does not hold. */
int llmenv_verdict_fails (llmenv_verdict verdict);

/* All claims of DOCUMENT ("000" or "003") against CATALOGUE: a list of objects
 * with section, key, value, unit, formula, ours, ours_right (numbers or texts),
 * decimals (of those numbers), verdict and why.  The caller owns it.
 * ERROR must not be NULL here.
 * Errors: LLMENV_EBADFILE, LLMENV_EBADRECORD naming the claim. */
llmenv_status llmenv_claims_judge (const char *document,
                                   const llmenv_catalogue *catalogue,
                                   json_t **judged, llmenv_error *error);

/* How many claims of both documents have each verdict. */
typedef struct
{
  size_t of[LLMENV_VERDICT_COUNT];
  size_t claims, failing;
} llmenv_claims_counts;

llmenv_status llmenv_claims_summary (const llmenv_catalogue *catalogue,
                                     llmenv_claims_counts *counts,
                                     llmenv_error *error);

/* For a table named claims_<document>, its claims judged; NULL for another. */
llmenv_status llmenv_claims_of_table (const char *table,
                                      const llmenv_catalogue *catalogue,
                                      json_t **judged, llmenv_error *error);

#endif
