/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The audit: every derived field of a record computed again from its layers,
 * its weights and its own counts, and what does not match.
 *
 * Under layered the right values are audited.  Under published it is what the
 * documents and their earlier records hold: `older` of a correction, else its
 * `published`, else the field.  Rounded parameter counts, within the digits
 * they are given with or within 5 %, are no findings. */
#ifndef LLMENV_AUDIT_H
#define LLMENV_AUDIT_H

#include "llmenv_import.h"
#include "llmenv_table.h"

/* The records to audit. */
typedef struct
{
  llmenv_model_record **record; /* n; the first n_borrowed are another's */
  size_t n, n_borrowed;
} llmenv_audit;

/* Add all models of CATALOGUE, which must outlive AUDIT.  Only the first. */
llmenv_status llmenv_audit_add_all (llmenv_audit *audit,
                                    const llmenv_catalogue *catalogue,
                                    llmenv_error *error);

/* Add what WHICH names: an id, a name, or a path (a record, whose layers may
 * contradict it, anything that can be imported, or a folder of records).
 * NOTES may be NULL.  ERROR must not be NULL here. */
llmenv_status llmenv_audit_add (llmenv_audit *audit, const char *which,
                                llmenv_import_notes *notes, llmenv_error *error);

/* Add the record JSON, whose reference is taken over; FILE names it in errors. */
llmenv_status llmenv_audit_add_json (llmenv_audit *audit, json_t *json,
                                     const char *file, llmenv_error *error);

/* Findings of AUDIT in the convention of REQUEST.  Columns id, field, recorded,
 * derived, ratio (recorded / derived), cause (computed), explained (where the
 * record itself accounts for the difference) and corrected (the right value
 * that a correction of the record holds).  UNEXPLAINED: rows without a text in
 * explained. */
llmenv_status llmenv_audit_make (const llmenv_audit *audit,
                                 const llmenv_request *request,
                                 llmenv_table **table, size_t *unexplained,
                                 llmenv_error *error);

/* Free what AUDIT owns; zeros are free. */
void llmenv_audit_free (llmenv_audit *audit);

#endif
