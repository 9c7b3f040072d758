/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the gateways share.  They run in three phases: validate (may raise,
 * owns nothing), compute (may own, must not raise), report (free, then raise
 * or return).  Octave raises through C frames without cleaning up, hence the
 * order. */
#ifndef LLMENV_MEX_H
#define LLMENV_MEX_H

#include <mex.h>

#include <jansson.h>

#include "llmenv_record.h"
#include "llmenv_table.h"

/* Raise "llmenv:TAIL".  Never returns. */
__attribute__ ((noreturn, format (printf, 2, 3)))
void llmenv_mex_fail (const char *tail, const char *format, ...);

/* Raise what ERROR says. */
__attribute__ ((noreturn)) void llmenv_mex_raise (const llmenv_error *error);

/* ---- validate ---------------------------------------------------------- */

/* Text of a char row; memory of Octave's. */
const char *llmenv_mex_text (const mxArray *a, const char *argument);

/* Real numbers of any numeric class as doubles, in a's order: a's own data
 * where it is double, else a converted copy of Octave's. */
const double *llmenv_mex_doubles (const mxArray *a, const char *argument);

/* Name, value pairs ARGS[0..N) into OPTIONS. */
void llmenv_mex_options (const mxArray *const *args, int n,
                         llmenv_options *options);

/* Whether A is text that names an option. */
int llmenv_mex_is_option (const mxArray *a);

/* ---- convert ----------------------------------------------------------- */

/* JSON of a struct, cell, text, number or logical: NaN and [] become null.
 * NULL when memory is out or the value has no JSON form.  Does not raise. */
json_t *llmenv_mex_to_json (const mxArray *a);

/* The reverse: objects become structs, lists of numbers row vectors, other
 * lists cell rows; null becomes "" in a text field of records, else NaN.
 * May raise when memory is out. */
mxArray *llmenv_mex_from_json (const json_t *json, const char *key);

/* A record from an id, a name or a struct.  Does not raise. */
llmenv_status llmenv_mex_model (const mxArray *a, llmenv_model_record **record,
                                llmenv_error *error);
llmenv_status llmenv_mex_card (const mxArray *a, llmenv_card_record **record,
                               llmenv_error *error);

#endif
