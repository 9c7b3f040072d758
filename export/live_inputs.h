/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sheet Inputs: what an analyst changes.  Each value is a named cell that all
 * formulas read; beside it stand its unit, what is accepted, and the value that
 * the workbook was written with. */
#ifndef LIVE_INPUTS_H
#define LIVE_INPUTS_H

#include "live_data.h"
#include "llmenv_report.h"

/* Kinds of input. */
typedef enum { LIVE_MODEL, LIVE_CARD, LIVE_CACHE_TYPE, LIVE_WEIGHT_TYPE, LIVE_BASIS_WORD,
               LIVE_ABOVE_0, LIVE_FROM_0, LIVE_SHARE, LIVE_WHOLE, LIVE_MAYBE } live_input_kind;

/* Inputs in the order of the sheet.  X (name, kind, unit, label, help) */
#define LIVE_INPUTS(X)                                                        \
  X (in_model, LIVE_MODEL, "", "Model", "of cards overview and of the charts of one model") \
  X (in_card, LIVE_CARD, "", "Card", "of every table that has one card; own-card is described below") \
  X (in_count, LIVE_WHOLE, "cards", "Cards ganged", "bandwidth, peak and memory add; on document 000's cards too") \
  X (in_k_type, LIVE_CACHE_TYPE, "", "K cache type", "storage of K and of latent caches, or bytes per element") \
  X (in_v_type, LIVE_CACHE_TYPE, "", "V cache type", "storage of V, or bytes per element") \
  X (in_weight, LIVE_WEIGHT_TYPE, "", "Weight type", "of all weights, or bytes per weight; released: each record's own (published: bf16)") \
  X (in_weight_bytes, LIVE_MAYBE, "GB", "Weight bytes", "exact size of the whole model, in the place of the type; blank: none") \
  X (in_basis, LIVE_BASIS_WORD, "", "Basis", "weights that a step streams; default: touched, in published active") \
  X (in_context, LIVE_FROM_0, "tokens", "Context", "of tables without a context of their own") \
  X (in_batch, LIVE_FROM_0, "sequences", "Batch", "of tables without a batch of their own") \
  X (in_reserve, LIVE_FROM_0, "GB", "Reserve", "memory kept free, once per gang") \
  X (in_utilization, LIVE_SHARE, "", "Utilization", "share of memory that may be used") \
  X (in_bandwidth_efficiency, LIVE_SHARE, "", "Bandwidth efficiency", "share of peak bandwidth that is reached") \
  X (in_compute_efficiency, LIVE_SHARE, "", "Compute efficiency", "share of peak FLOP/s that is reached") \
  X (in_overhead, LIVE_FROM_0, "s", "Overhead", "time added to each decode step") \
  X (in_memory, LIVE_MAYBE, "GB", "Memory of one card", "in the place of the record's; blank: the record's") \
  X (in_price, LIVE_FROM_0, "per hour", "Price", "of one card, in any currency: cost per million tokens") \
  X (own_peak, LIVE_ABOVE_0, "TFLOP/s", "Own card: peak", "dense FLOP/s of own-card") \
  X (own_bandwidth, LIVE_ABOVE_0, "GB/s", "Own card: bandwidth", "peak memory bandwidth of own-card") \
  X (own_memory, LIVE_ABOVE_0, "GB", "Own card: memory", "bytes of own-card, 1e9 a GB")

typedef enum
{
#define X(name, kind, unit, label, help) LIVE_I_##name,
  LIVE_INPUTS (X)
#undef X
  LIVE_INPUT_COUNT
} live_input;

/* Write the sheet, its lists, the names and the own card's row; WORDS: what is
 * assumed. */
void live_inputs_write (xl_sheet *xl, xl_sheet *lists, live_data *data, const llmenv_request *request,
                        char *words, size_t size);

#endif
