/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "llmenv_element.h"

/* ---- names ------------------------------------------------------------- */

llmenv_status
llmenv_input_named (const char *name, llmenv_input *input, llmenv_error *error)
{
  const int found = llmenv_input_find (name);
  if (found >= 0)
    {
      *input = (llmenv_input) found;
      return LLMENV_OK;
    }
  llmenv_nearest nearest;
  char shown[80], near[300];
  llmenv_nearest_start (&nearest, name);
  for (int i = 0; i < LLMENV_INPUT_COUNT; i++)
    llmenv_nearest_offer (&nearest, llmenv_input_get ((llmenv_input) i)->name);
  llmenv_printable (name, shown, sizeof shown);
  llmenv_nearest_text (&nearest, near, sizeof near);
  if (*near == '\0')
    snprintf (near, sizeof near, ", expected kv_bytes, weight_bytes, expert_ratio, experts, context, batch, bandwidth, peak, memory, reserve or utilization");
  return llmenv_error_set (error, LLMENV_EBADOPTION, "no input '%s'%s", shown, near);
}

llmenv_status
llmenv_quantity_named (const char *name, llmenv_quantity *q, llmenv_error *error)
{
  const int found = llmenv_quantity_find (name);
  if (found >= 0)
    {
      *q = (llmenv_quantity) found;
      return LLMENV_OK;
    }
  llmenv_nearest nearest;
  char shown[80], near[300];
  llmenv_nearest_start (&nearest, name);
  for (int i = 0; i < LLMENV_QUANTITY_COUNT; i++)
    llmenv_nearest_offer (&nearest, llmenv_quantity_get ((llmenv_quantity) i)->name);
  llmenv_printable (name, shown, sizeof shown);
  llmenv_nearest_text (&nearest, near, sizeof near);
  return llmenv_error_set (error, LLMENV_EBADOPTION, "no quantity '%s'%s", shown, near);
}

/* ---- axes -------------------------------------------------------------- */

enum { MOST_VALUES = 100000000 };

static llmenv_status
refuse_axis (const char *text, llmenv_error *error)
{
  char shown[120];
  llmenv_printable (text, shown, sizeof shown);
  return llmenv_error_set (error, LLMENV_EBADOPTION,
                           "vary: '%s' is not accepted, expected INPUT=FROM:TO:COUNT, INPUT=FROM:TO:COUNT:log or INPUT=VALUE,VALUE,...",
                           shown);
}

/* Number or, for bytes, a storage type. */
static int
parse_value (llmenv_input input, const char *text, double *value)
{
  const llmenv_element *e
    = input == LLMENV_IN_kv_bytes || input == LLMENV_IN_weight_bytes
      ? llmenv_element_find (text, input == LLMENV_IN_weight_bytes) : NULL;
  if (e != NULL)
    *value = llmenv_element_bytes (e);
  return e != NULL || (llmenv_parse_number (text, value) && isfinite (*value));
}

/* Steps from LO to HI; the ends are exact. */
static llmenv_status
make_range (double lo, double hi, size_t n, int is_log, llmenv_axis *axis,
            llmenv_error *error)
{
  axis->value = malloc (n * sizeof *axis->value);
  if (axis->value == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  for (size_t i = 0; i < n; i++)
    {
      const double share = n == 1 ? 0 : (double) i / (double) (n - 1);
      axis->value[i] = i == 0 ? lo : i == n - 1 ? hi
                       : is_log ? lo * pow (hi / lo, share) : lo + (hi - lo) * share;
    }
  axis->n = n;
  return LLMENV_OK;
}

/* FROM:TO, then a count and a word in any order. */
static llmenv_status
parse_range (char *text, const char *whole, llmenv_axis *axis, llmenv_error *error)
{
  double ends[2] = { NAN, NAN }, count = NAN;
  int n = 0, is_log = 0;
  char *save;
  for (char *word = strtok_r (text, ":", &save); word != NULL;
       word = strtok_r (NULL, ":", &save), n++)
    if (n > 3)
      return refuse_axis (whole, error);
    else if (n < 2 && parse_value (axis->input, word, &ends[n]))
      continue;
    else if (n >= 2 && strcmp (word, "log") == 0)
      is_log = 1;
    else if (n >= 2 && strcmp (word, "linear") == 0)
      is_log = 0;
    else if (n < 2 || !isnan (count) || !llmenv_parse_number (word, &count))
      return refuse_axis (whole, error);
  if (isnan (count))
    count = 50;
  if (n < 2 || !(count >= 1 && count <= MOST_VALUES) || count != floor (count)
      || (is_log && !(ends[0] > 0 && ends[1] > 0)))
    return refuse_axis (whole, error);
  return make_range (ends[0], ends[1], (size_t) count, is_log, axis, error);
}

static llmenv_status
parse_list (char *text, const char *whole, llmenv_axis *axis, llmenv_error *error)
{
  size_t most = 1;
  char *save;
  for (const char *c = text; *c != '\0'; c++)
    most += *c == ',';
  axis->value = malloc (most * sizeof *axis->value);
  if (axis->value == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  for (char *word = strtok_r (text, ",", &save); word != NULL;
       word = strtok_r (NULL, ",", &save))
    if (!parse_value (axis->input, word, &axis->value[axis->n++]))
      return refuse_axis (whole, error);
  return axis->n > 0 ? LLMENV_OK : refuse_axis (whole, error);
}

llmenv_status
llmenv_axis_parse (const char *text, llmenv_axis *axis, llmenv_error *error)
{
  char name[32];
  const char *values = strchr (text, '=');
  const size_t length = values == NULL ? 0 : (size_t) (values - text);
  llmenv_axis own = { LLMENV_IN_batch, NULL, 0 };
  if (length == 0 || length >= sizeof name)
    return refuse_axis (text, error);
  memcpy (name, text, length);
  name[length] = '\0';
  LLMENV_TRY (llmenv_input_named (name, &own.input, error));
  char *copy = strdup (values + 1);
  if (copy == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  const llmenv_status st = strchr (copy, ':') != NULL
                           ? parse_range (copy, text, &own, error)
                           : parse_list (copy, text, &own, error);
  free (copy);
  if (st == LLMENV_OK)
    *axis = own;
  else
    free (own.value);
  return st;
}

/* ---- progress ---------------------------------------------------------- */

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

void
llmenv_progress_start (llmenv_progress *p, double all)
{
  *p = (llmenv_progress) { now (), 0, 0, all };
}

void
llmenv_progress_add (llmenv_progress *p, double points)
{
  p->done += points;
  const double time = now ();
  if (time - p->started < 1 || time - p->shown < 0.25 || !isatty (STDERR_FILENO))
    return;
  p->shown = time;
  fprintf (stderr, "\r%3.0f %%", 100 * p->done / p->all);
}

void
llmenv_progress_end (llmenv_progress *p)
{
  if (p->shown > 0)
    fputs ("\r      \r", stderr);
}

/* ---- filling ----------------------------------------------------------- */

/* Batches and contexts that are summed at a time. */
enum { BLOCK = 512 };

typedef struct
{
  const llmenv_quantity *q;
  size_t n_q;
  const llmenv_axis *axes;
  size_t n[LLMENV_MAX_AXES], stride[LLMENV_MAX_AXES], plane;
  int batch, context;          /* which axis they are, or -1 */
  double *out;
  llmenv_progress *progress;
} filling;

/* Part of one plane that runs over batch and context. */
typedef struct
{
  size_t n_b, n_l, b_stride, l_stride;
  int is_large;                /* an element is beyond LLMENV_LARGE */
  llmenv_at_batch b[BLOCK];
  llmenv_at_context l[BLOCK];
} block;

static void
scatter (const double *from, size_t n, double *to, size_t stride)
{
  for (size_t i = 0; i < n; i++)
    to[i * stride] = from[i];
}

/* Row I of what fill_block computes, where products may have overflowed. */
static void
settle_row (llmenv_quantity q, const llmenv_envelope *e, const block *k, size_t i,
            int along_l, double *at)
{
  const size_t n = along_l ? k->n_l : k->n_b;
  for (size_t j = 0; j < n; j++)
    at[j] = along_l ? llmenv_quantity_settle (q, e, k->b[i].B, &k->l[j], at[j])
                    : llmenv_quantity_settle (q, e, k->b[j].B, &k->l[i], at[j]);
}

static void
fill_block (llmenv_quantity q, const llmenv_envelope *e, const block *k, double *out)
{
  double own[BLOCK];
  const int along_l = k->n_b == 1 || (k->n_l > 1 && k->l_stride == 1);
  const size_t outer = along_l ? k->n_b : k->n_l, inner = along_l ? k->n_l : k->n_b;
  const size_t outer_stride = along_l ? k->b_stride : k->l_stride;
  const size_t inner_stride = along_l ? k->l_stride : k->b_stride;
  for (size_t i = 0; i < outer; i++)
    {
      double *to = out + i * outer_stride;
      double *at = inner_stride == 1 || inner == 1 ? to : own;
      if (along_l)
        llmenv_quantity_run (q, e, inner, &k->b[i], 0, k->l, 1, at);
      else
        llmenv_quantity_run (q, e, inner, k->b, 1, &k->l[i], 0, at);
      if (k->is_large)
        settle_row (q, e, k, i, along_l, at);
      if (at == own)
        scatter (own, inner, to, inner_stride);
    }
}

/* The context of axis value I, or that of the point. */
static llmenv_at_context
context_at (const filling *f, const llmenv_point *p, const llmenv_envelope *e, size_t i)
{
  if (f->context < 0)
    return llmenv_point_context (p, e);
  if (p->n_lengths == 0)
    return llmenv_context_at (e, f->axes[f->context].value[i]);
  llmenv_point stretched = *p;
  llmenv_point_set (&stretched, LLMENV_IN_context, f->axes[f->context].value[i]);
  return llmenv_point_context (&stretched, e);
}

static void
fill_quantities (const filling *f, const llmenv_envelope *e, const block *k, double *out)
{
  for (size_t q = 0; q < f->n_q; q++)
    {
      block own;
      const block *at = k;
      if (llmenv_quantity_get (f->q[q])->takes & LLMENV_TAKES_BYTES)
        {
          own = *k;
          for (size_t i = 0; i < k->n_l; i++)
            own.l[i].L = e->memory;
          at = &own;
        }
      fill_block (f->q[q], e, at, out + q * f->plane);
    }
}

static int
has_large (const block *k)
{
  for (size_t i = 0; i < k->n_l; i++)
    if (k->l[i].L > LLMENV_LARGE)
      return 1;
  for (size_t i = 0; i < k->n_b; i++)
    if (k->b[i].B > LLMENV_LARGE)
      return 1;
  return 0;
}

/* All batches and contexts of one envelope, from OUT on. */
static void
fill_envelope (const filling *f, const llmenv_point *p, const llmenv_envelope *e,
               double *out)
{
  block k;
  const size_t n_b = f->batch < 0 ? 1 : f->n[f->batch];
  const size_t n_l = f->context < 0 ? 1 : f->n[f->context];
  k.b_stride = f->batch < 0 ? 0 : f->stride[f->batch];
  k.l_stride = f->context < 0 ? 0 : f->stride[f->context];
  for (size_t l = 0; l < n_l; l += BLOCK)
    {
      k.n_l = n_l - l < BLOCK ? n_l - l : BLOCK;
      for (size_t i = 0; i < k.n_l; i++)
        k.l[i] = context_at (f, p, e, l + i);
      for (size_t b = 0; b < n_b; b += BLOCK)
        {
          k.n_b = n_b - b < BLOCK ? n_b - b : BLOCK;
          for (size_t i = 0; i < k.n_b; i++)
            k.b[i] = llmenv_batch_at (e, f->batch < 0 ? p->B
                                         : f->axes[f->batch].value[b + i]);
          k.is_large = has_large (&k);
          fill_quantities (f, e, &k, out + b * k.b_stride + l * k.l_stride);
          if (f->progress != NULL)
            llmenv_progress_add (f->progress, (double) (k.n_b * k.n_l));
        }
    }
}

llmenv_status
llmenv_input_refuse (llmenv_input input, double value, const llmenv_point *p,
                     llmenv_error *error)
{
  const llmenv_input_info *i = llmenv_input_get (input);
  char range[80];
  if (input == LLMENV_IN_experts)
    snprintf (range, sizeof range, "a number of at least %g, the experts of a token", p->model.top);
  else
    snprintf (range, sizeof range, "a number %s%s",
              i->least_is_out ? "above 0" : "of 0 or more",
              isinf (i->most) ? "" : " and up to 1");
  return llmenv_error_set (error, LLMENV_EBADVALUE, "%s: %.15g is not accepted, expected %s",
                           i->name, value, range);
}

static llmenv_status
set_or_refuse (llmenv_point *p, llmenv_input input, double value, llmenv_error *error)
{
  return llmenv_point_set (p, input, value) == LLMENV_OK ? LLMENV_OK
         : llmenv_input_refuse (input, value, p, error);
}

/* Every value of every axis, before anything is computed. */
static llmenv_status
check_axes (const llmenv_point *point, const llmenv_axis axes[], size_t n_axes,
            llmenv_error *error)
{
  if (n_axes > LLMENV_MAX_AXES)
    return llmenv_error_set (error, LLMENV_EBADCALL, "at most two inputs can be varied");
  if (n_axes == 2 && axes[0].input == axes[1].input)
    return llmenv_error_set (error, LLMENV_EBADCALL, "%s: varied twice",
                             llmenv_input_get (axes[0].input)->name);
  for (size_t a = 0; a < n_axes; a++)
    {
      llmenv_point p = *point;
      for (size_t i = 0; i < axes[a].n; i++)
        LLMENV_TRY (set_or_refuse (&p, axes[a].input, axes[a].value[i], error));
    }
  return LLMENV_OK;
}

/* Values I of those axes that change the envelope.  The number of experts goes
 * before their ratio, which is then of that number. */
static llmenv_status
set_axes (const filling *f, const size_t i[], size_t n_axes, llmenv_point *p,
          llmenv_error *error)
{
  const int swap = n_axes == 2 && f->axes[1].input == LLMENV_IN_experts;
  for (size_t k = 0; k < n_axes; k++)
    {
      const size_t a = swap ? n_axes - 1 - k : k;
      if ((int) a != f->batch && (int) a != f->context)
        LLMENV_TRY (set_or_refuse (p, f->axes[a].input, f->axes[a].value[i[a]], error));
    }
  return LLMENV_OK;
}

llmenv_status
llmenv_sweep_fill (const llmenv_point *point, const llmenv_quantity q[],
                   size_t n_q, const llmenv_axis axes[], size_t n_axes,
                   double *out, llmenv_progress *progress, llmenv_error *error)
{
  LLMENV_TRY (check_axes (point, axes, n_axes, error));
  filling f = { .q = q, .n_q = n_q, .axes = axes, .n = { 1, 1 }, .batch = -1,
                .context = -1, .out = out, .progress = progress };
  size_t runs[LLMENV_MAX_AXES] = { 1, 1 }; /* values that need an envelope each */
  for (size_t a = 0; a < n_axes; a++)
    {
      f.n[a] = axes[a].n;
      if (axes[a].input == LLMENV_IN_batch)
        f.batch = (int) a;
      else if (axes[a].input == LLMENV_IN_context)
        f.context = (int) a;
      else
        runs[a] = axes[a].n;
    }
  f.stride[0] = 1;
  f.stride[1] = f.n[0];
  f.plane = f.n[0] * f.n[1];
  if (f.plane == 0)
    return LLMENV_OK;
  for (size_t j = 0; j < runs[1]; j++)
    for (size_t i = 0; i < runs[0]; i++)
      {
        llmenv_point p = *point;
        llmenv_envelope e;
        LLMENV_TRY (set_axes (&f, (size_t[2]) { i, j }, n_axes, &p, error));
        const llmenv_status st = llmenv_point_envelope (&p, &e);
        if (st != LLMENV_OK)
          return llmenv_error_set (error, st, "options: %s", llmenv_status_text (st));
        fill_envelope (&f, &p, &e, out + i + j * f.stride[1]);
      }
  return LLMENV_OK;
}

/* ---- points ------------------------------------------------------------ */

llmenv_point
llmenv_point_make (const llmenv_model *model, const llmenv_card_record *card,
                   const llmenv_options *options, const llmenv_lengths *lengths)
{
  static const llmenv_model no_model = { .kv_reason = LLMENV_NO_RECORD };
  llmenv_point p = { .model = model == NULL ? no_model : *model,
                     .card = { NAN, NAN, NAN }, .settings = options->settings,
                     .B = options->batch, .L = options->context, .stretch = 1 };
  if (card != NULL)
    p.card = llmenv_card_numbers_get (card, options).card;
  if (lengths != NULL)
    {
      p.lengths = lengths->length;
      p.weights = lengths->weight;
      p.n_lengths = lengths->n;
    }
  return p;
}
