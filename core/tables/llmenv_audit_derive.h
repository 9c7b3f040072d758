/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One record audited: what its layers and weights add up to, which fields
 * differ, and the factor that explains by how much. */
#ifndef LLMENV_AUDIT_DERIVE_H
#define LLMENV_AUDIT_DERIVE_H

#include "llmenv_record.h"

typedef struct
{
  const char *id;              /* of the record, not owned */
  const char *field;           /* lives as long as the program */
  double recorded, derived;
  double corrected;            /* NaN where the record has no correction */
  char cause[240];
  char explained[480];         /* "" where the record does not account for it */
} llmenv_finding;

typedef struct
{
  llmenv_finding *finding;     /* owned */
  size_t n;
} llmenv_findings;

/* Append the findings of RECORD, as CONVENTION holds its values.
 * Errors: LLMENV_ETOOLARGE. */
llmenv_status llmenv_audit_record (const llmenv_model_record *record,
                                   llmenv_convention convention,
                                   llmenv_findings *findings,
                                   llmenv_error *error);

/* ---- between the two files of it ----------------------------------------- */

/* Sums over the layers and parts of a record.  Layers first: counts. */
typedef struct
{
  const llmenv_model_record *record;
  const json_t *json;
  llmenv_convention convention;
  double layers, caching, shared, encoder, recurrent, idle, full, window;
  double dense_mlp;            /* layers with a dense MLP */
  double kv, kv_window;        /* bytes a token adds; of window layers */
  double kv_shared;            /* what shared layers would add */
  double kv_heads;             /* latent layers as if K and V were expanded */
  double g;                    /* query heads per KV head, or NaN */
  double cross_length;         /* tokens, or NaN */
  double matrices, columns;    /* bytes of state */
  double params, mtp, embedding, head, routed, used; /* used: of routed, a token */
  double vocabulary, positions; /* sizes of tables, or NaN */
} llmenv_audit_sums;

llmenv_audit_sums llmenv_audit_sum (const llmenv_model_record *record,
                                    llmenv_convention convention);

/* The value audited of FIELD, NaN where the record is silent. */
double llmenv_audit_value (const llmenv_audit_sums *s, const char *field);

/* num_layers x num_kv_heads x head_dim x 2 x 2 where attention is plain. */
double llmenv_audit_product (const llmenv_audit_sums *s);

/* Why RECORDED is not DERIVED, found by trying what people get wrong. */
void llmenv_cause_kv (const llmenv_audit_sums *s, double recorded, double derived,
                      char *cause, size_t size);
void llmenv_cause_state (const llmenv_audit_sums *s, double recorded,
                         double derived, char *cause, size_t size);
void llmenv_cause_params (const llmenv_audit_sums *s, double recorded,
                          double derived, char *cause, size_t size);
void llmenv_cause_count (const llmenv_audit_sums *s, const char *field,
                         double recorded, double derived, char *cause, size_t size);
void llmenv_cause_flops (const llmenv_audit_sums *s, double recorded,
                         double derived, char *cause, size_t size);
void llmenv_cause_ratio (const llmenv_audit_sums *s, double recorded,
                         double derived, char *cause, size_t size);

/* Equal but for the last bits. */
int llmenv_audit_same (double a, double b);

#endif
