/* SPDX-License-Identifier: GPL-3.0-or-later */
/* STEP = __llmenv_step__ (MODEL, CARD, B, L, OPTION, VALUE, ...)
 *
 * One decode step: a struct with a field per figure of llmenv_step, each of
 * the result's size (see __llmenv_quantity__), and `limit`, words. */
#include <stddef.h>

#include "llmenv_call.h"

static const struct
{
  const char *name;
  size_t offset;
} figures[] = {
#define FIGURE(name) { #name, offsetof (llmenv_step, name) }
  FIGURE (flops), FIGURE (weight_bytes), FIGURE (kv_bytes), FIGURE (state_bytes),
  FIGURE (bytes), FIGURE (intensity), FIGURE (compute_seconds),
  FIGURE (memory_seconds), FIGURE (seconds), FIGURE (tokens_per_second),
  FIGURE (tokens_per_second_each),
#undef FIGURE
};
enum { N_FIGURES = sizeof figures / sizeof *figures };

typedef struct
{
  double *out[N_FIGURES];
  llmenv_limit *limits;
} workspace;

static void
visit (const llmenv_call *call, const llmenv_envelope *e, size_t m, size_t c,
       void *context)
{
  const workspace *w = context;
  for (size_t i = 0; i < call->n_numeric; i++)
    {
      size_t b, l;
      llmenv_call_elements (call, i, &b, &l);
      const llmenv_step s = llmenv_step_of (e, call->B[b], llmenv_call_context (call, e, l));
      const size_t at = llmenv_call_index (call, i, m, c);
      for (int f = 0; f < N_FIGURES; f++)
        w->out[f][at] = *(const double *) (const void *) ((const char *) &s
                                                          + figures[f].offset);
      w->limits[at] = s.limit;
    }
}

static mxArray *
limit_words (const llmenv_call *call, const llmenv_limit *limits, size_t n)
{
  if (n == 1)
    return mxCreateString (llmenv_limit_word (limits[0]));
  mxArray *cells = llmenv_call_cell (call);
  for (size_t i = 0; i < n; i++)
    mxSetCell (cells, (mwIndex) i, mxCreateString (llmenv_limit_word (limits[i])));
  return cells;
}

void
mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  if (nlhs > 1)
    llmenv_mex_fail ("badCall", "usage: step = __llmenv_step__ (MODEL, CARD, B, L, ...)");
  llmenv_call call = { .name = "step",
                       .takes = LLMENV_TAKES_CARD | LLMENV_TAKES_B | LLMENV_TAKES_L,
                       .options = llmenv_options_default () };
  llmenv_call_read (&call, prhs, nrhs);

  workspace w;
  plhs[0] = mxCreateStructMatrix (1, 1, 0, NULL);
  for (int f = 0; f < N_FIGURES; f++)
    {
      mxArray *a = llmenv_call_doubles (&call);
      w.out[f] = mxGetPr (a);
      mxAddField (plhs[0], figures[f].name);
      mxSetField (plhs[0], 0, figures[f].name, a);
    }
  const size_t n = call.n_numeric * call.n_models * call.n_cards;
  w.limits = mxMalloc ((n + 1) * sizeof *w.limits);
  llmenv_card *cards = mxMalloc ((call.n_cards + 1) * sizeof *cards);

  llmenv_error error;
  if (llmenv_call_run (&call, cards, visit, &w, &error) != LLMENV_OK)
    llmenv_mex_raise (&error);
  mxAddField (plhs[0], "limit");
  mxSetField (plhs[0], 0, "limit", limit_words (&call, w.limits, n));
}
