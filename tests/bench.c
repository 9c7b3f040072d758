/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed as ratios: an intensity grid of 4,000 batches by 2,500 contexts in the
 * core against a memset of its result, best of several rounds in one run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gsl/gsl_errno.h>

#include "llmenv_catalogue.h"
#include "llmenv_quantity.h"

enum { N_B = 4000, N_L = 2500, ROUNDS = 9 };

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
grid (llmenv_quantity q, const llmenv_envelope *e, llmenv_at_batch *B,
      llmenv_at_context *L, double *out)
{
  for (size_t i = 0; i < N_B; i++)
    B[i] = llmenv_batch_at (e, (double) i + 1);
  for (size_t i = 0; i < N_L; i++)
    L[i] = llmenv_context_at (e, 10 * (double) i);
  for (size_t i = 0; i < N_B; i++)
    llmenv_quantity_run (q, e, N_L, B + i, 0, L, 1, out + i * N_L);
}

static void
compare (llmenv_quantity q, const llmenv_envelope *e, const char *model)
{
  llmenv_at_batch *B = malloc (N_B * sizeof *B);
  llmenv_at_context *L = malloc (N_L * sizeof *L);
  double *out = malloc (sizeof *out * N_B * N_L);
  double set = 1e9, fill = 1e9;
  if (B == NULL || L == NULL || out == NULL)
    exit (2);
  memset (out, 1, sizeof *out * N_B * N_L);
  for (int round = 0; round < ROUNDS; round++)
    {
      const double t0 = now ();
      memset (out, round, sizeof *out * N_B * N_L);
      const double t1 = now ();
      grid (q, e, B, L, out);
      const double t2 = now ();
      set = t1 - t0 < set ? t1 - t0 : set;
      fill = t2 - t1 < fill ? t2 - t1 : fill;
    }
  printf ("core:   %-10s %s grid of %d x %d: %.2f times a memset of the result\n",
          llmenv_quantity_get (q)->name, model, N_B, N_L, fill / set);
  free (B);
  free (L);
  free (out);
}

/* Roots: how many solves of a touched b_star a second takes, and the
 * evaluations each costs, are what a sweep feels. */
int
main (void)
{
  static const char *const models[] = { "llama-3-1-8b", "kimi-k3" };
  llmenv_error error;
  llmenv_card_record *card;
  llmenv_options options = llmenv_options_default ();
  gsl_set_error_handler_off ();
  if (llmenv_card_load ("nvidia-h100-sxm", &card, &error) != LLMENV_OK)
    return fprintf (stderr, "%s\n", error.text), 2;
  const llmenv_card numbers = llmenv_card_numbers_get (card, &options).card;
  for (size_t i = 0; i < 2; i++)
    {
      llmenv_model_record *model;
      llmenv_envelope e;
      if (llmenv_model_load (models[i], &model, &error) != LLMENV_OK)
        return fprintf (stderr, "%s\n", error.text), 2;
      if (llmenv_envelope_make (&model->model, &numbers, &options.settings, &e)
          != LLMENV_OK)
        return 2;
      compare (LLMENV_Q_intensity, &e, models[i]);
      compare (LLMENV_Q_throughput, &e, models[i]);
      llmenv_model_record_free (model);
    }
  llmenv_card_record_free (card);
  return 0;
}
