/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_sweep.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "llmenv_builder.h"
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
  llmenv_at_batch b[BLOCK];
  llmenv_at_context l[BLOCK];
} block;

static void
scatter (const double *from, size_t n, double *to, size_t stride)
{
  for (size_t i = 0; i < n; i++)
    to[i * stride] = from[i];
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
          fill_quantities (f, e, &k, out + b * k.b_stride + l * k.l_stride);
          if (f->progress != NULL)
            llmenv_progress_add (f->progress, (double) (k.n_b * k.n_l));
        }
    }
}

static llmenv_status
refuse_value (llmenv_input input, double value, const llmenv_point *p,
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
         : refuse_value (input, value, p, error);
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

/* ---- named models and cards -------------------------------------------- */

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

/* What a text of names stands for: records of the catalogue. */
typedef struct
{
  llmenv_model_record **models;
  llmenv_card_record **cards;
  size_t n_models, n_cards;
} named;

static llmenv_status
find_model (const char *name, const llmenv_catalogue *c,
            llmenv_model_record **found, llmenv_error *error)
{
  llmenv_model_record *loaded;
  *found = llmenv_catalogue_model (c, name);
  if (*found != NULL)
    return LLMENV_OK;
  LLMENV_TRY (llmenv_model_load (name, &loaded, error));
  *found = llmenv_catalogue_model (c, loaded->id);
  llmenv_model_record_free (loaded);
  return *found != NULL ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EMODEL, "no model '%.100s'", name);
}

static llmenv_status
find_card (const char *name, const llmenv_catalogue *c,
           llmenv_card_record **found, llmenv_error *error)
{
  llmenv_card_record *loaded;
  *found = llmenv_catalogue_card (c, name);
  if (*found != NULL)
    return LLMENV_OK;
  LLMENV_TRY (llmenv_card_load (name, &loaded, error));
  *found = llmenv_catalogue_card (c, loaded->id);
  llmenv_card_record_free (loaded);
  return *found != NULL ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_ECARD, "no card '%.100s'", name);
}

/* Split MODELS and CARDS at commas; COPY is room for both. */
static llmenv_status
resolve_lists (char *models, char *cards, const llmenv_catalogue *c, named *n,
               llmenv_error *error)
{
  char *save;
  if (strcmp (models, "all") == 0)
    for (; n->n_models < c->n_models; n->n_models++)
      n->models[n->n_models] = c->models[n->n_models];
  else
    for (char *name = strtok_r (models, ",", &save); name != NULL;
         name = strtok_r (NULL, ",", &save))
      LLMENV_TRY (find_model (name, c, &n->models[n->n_models++], error));
  if (strcmp (cards, "all") == 0)
    for (; n->n_cards < c->n_cards; n->n_cards++)
      n->cards[n->n_cards] = c->cards[n->n_cards];
  else
    for (char *name = strtok_r (cards, ",", &save); name != NULL;
         name = strtok_r (NULL, ",", &save))
      LLMENV_TRY (find_card (name, c, &n->cards[n->n_cards++], error));
  return n->n_models > 0 && n->n_cards > 0 ? LLMENV_OK
         : llmenv_error_set (error, LLMENV_EBADOPTION, "no models or no cards named");
}

static void
free_named (named *n)
{
  free (n->models);
  free (n->cards);
}

static llmenv_status
resolve (const char *models, const char *cards, const llmenv_request *request,
         named *n, llmenv_error *error)
{
  const llmenv_catalogue *c = request->catalogue;
  char *m = strdup (models != NULL ? models : request->options.model);
  char *a = strdup (cards != NULL ? cards : request->options.card);
  /* As many names as there are characters are not exceeded. */
  const size_t most_m = c->n_models + (m == NULL ? 0 : strlen (m)) + 1;
  const size_t most_a = c->n_cards + (a == NULL ? 0 : strlen (a)) + 1;
  *n = (named) { calloc (most_m, sizeof *n->models), calloc (most_a, sizeof *n->cards), 0, 0 };
  const llmenv_status st
    = m == NULL || a == NULL || n->models == NULL || n->cards == NULL
      ? llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory")
      : resolve_lists (m, a, c, n, error);
  free (m);
  free (a);
  if (st != LLMENV_OK)
    free_named (n);
  return st;
}

/* ---- the table of a sweep ---------------------------------------------- */

/* Six significant digits. */
static int
decimals_of (double x)
{
  if (!isfinite (x) || x == 0)
    return 0;
  const double digits = 5 - floor (log10 (fabs (x)));
  return digits < 0 ? 0 : digits > 9 ? 9 : (int) digits;
}

static llmenv_cell
number_cell (double x, llmenv_reason reason)
{
  return llmenv_number_cell (x, reason, decimals_of (x), LLMENV_NEAREST);
}

/* The usual caption, with what is varied, and no one card where rows have
 * theirs. */
static void
caption (const llmenv_request *request, const llmenv_input inputs[], size_t n,
         const named *who, llmenv_table *t)
{
  llmenv_options options = request->options;
  if (who->n_cards > 1)
    snprintf (options.card, sizeof options.card, "of the row");
  else
    snprintf (options.card, sizeof options.card, "%s", who->cards[0]->id);
  llmenv_caption_make (&options, 0, t->caption, sizeof t->caption);
  for (size_t i = 0; i < n; i++)
    {
      const size_t used = strlen (t->caption);
      snprintf (t->caption + used, sizeof t->caption - used, "%s%s",
                i == 0 ? "; varied: " : ", ", llmenv_input_get (inputs[i])->name);
    }
}

typedef struct
{
  llmenv_quantity q[LLMENV_QUANTITY_COUNT];
  size_t n_q;
  llmenv_axis axes[LLMENV_MAX_AXES];
  size_t n_axes;
  named who;
  size_t points;               /* of one model on one card */
} plan;

static llmenv_status
make_plan (const llmenv_sweep *s, plan *p, llmenv_error *error)
{
  if (s->n_quantities == 0 || s->n_quantities > LLMENV_QUANTITY_COUNT)
    return llmenv_error_set (error, LLMENV_EBADCALL, "between 1 and %d quantities",
                             LLMENV_QUANTITY_COUNT);
  if (s->n_vary < 1 || s->n_vary > LLMENV_MAX_AXES)
    return llmenv_error_set (error, LLMENV_EBADCALL,
                             "vary one or two inputs (--vary kv_bytes=0.5:4:50:log)");
  for (size_t i = 0; i < s->n_quantities; i++)
    LLMENV_TRY (llmenv_quantity_named (s->quantities[i], &p->q[p->n_q++], error));
  p->points = 1;
  for (size_t i = 0; i < s->n_vary; i++)
    {
      LLMENV_TRY (llmenv_axis_parse (s->vary[i], &p->axes[i], error));
      p->points *= p->axes[p->n_axes++].n;
    }
  return LLMENV_OK;
}

static void
free_plan (plan *p)
{
  for (size_t i = 0; i < p->n_axes; i++)
    free (p->axes[i].value);
}

static void
name_columns (const plan *p, llmenv_table *t)
{
  size_t c = 0;
  t->columns[c++] = (llmenv_column) { "model", "", "id of the model", LLMENV_TEXT_COLUMN, -1 };
  t->columns[c++] = (llmenv_column) { "card", "", "id of the card", LLMENV_TEXT_COLUMN, -1 };
  for (size_t a = 0; a < p->n_axes; a++)
    {
      const llmenv_input_info *i = llmenv_input_get (p->axes[a].input);
      t->columns[c++] = (llmenv_column) { i->column, i->unit, i->help, LLMENV_NUMBER_COLUMN, -1 };
    }
  for (size_t q = 0; q < p->n_q; q++)
    {
      const llmenv_quantity_info *i = llmenv_quantity_get (p->q[q]);
      t->columns[c++] = (llmenv_column) { i->name, i->unit, i->formula, LLMENV_NUMBER_COLUMN, 2 };
    }
}

/* Rows of one pair, from ROW on. */
static void
put_rows (const plan *p, const char *model, const char *card,
          const llmenv_envelope *e, const double *values, llmenv_table *t, size_t row,
          llmenv_progress *progress)
{
  for (size_t i = 0; i < p->points; i++)
    {
      size_t c = 0, rest = i;
      if (i > 0 && i % BLOCK == 0)
        llmenv_progress_add (progress, BLOCK);
      *llmenv_table_cell (t, row + i, c++) = llmenv_text_cell (model);
      *llmenv_table_cell (t, row + i, c++) = llmenv_text_cell (card);
      for (size_t a = 0; a < p->n_axes; a++)
        {
          *llmenv_table_cell (t, row + i, c++)
            = number_cell (p->axes[a].value[rest % p->axes[a].n], LLMENV_HAS_VALUE);
          rest /= p->axes[a].n;
        }
      for (size_t q = 0; q < p->n_q; q++)
        {
          const double x = values[q * p->points + i];
          *llmenv_table_cell (t, row + i, c++)
            = number_cell (x, llmenv_quantity_reason (p->q[q], e, x));
        }
    }
}

static llmenv_status
fill_table (const plan *p, const llmenv_request *request, llmenv_table *t,
            double *values, llmenv_error *error)
{
  llmenv_progress progress;
  size_t row = 0;
  llmenv_progress_start (&progress, 2 * (double) t->n_rows);
  for (size_t m = 0; m < p->who.n_models; m++)
    for (size_t a = 0; a < p->who.n_cards; a++, row += p->points)
      {
        const llmenv_model_record *model = p->who.models[m];
        const llmenv_card_record *card = p->who.cards[a];
        const llmenv_point point
          = llmenv_point_make (&model->model, card, &request->options, request->contexts);
        llmenv_envelope e;
        llmenv_error cause;
        llmenv_status st = llmenv_sweep_fill (&point, p->q, p->n_q, p->axes, p->n_axes,
                                              values, &progress, &cause);
        if (st != LLMENV_OK)
          return llmenv_error_set (error, st, "%s: %s", model->id, cause.text);
        LLMENV_TRY (llmenv_point_envelope (&point, &e));
        put_rows (p, model->id, card->id, &e, values, t, row, &progress);
      }
  llmenv_progress_end (&progress);
  return LLMENV_OK;
}

static llmenv_status
make_sweep (plan *p, const llmenv_request *request, llmenv_table **table,
            llmenv_error *error)
{
  llmenv_table *t
    = llmenv_table_new ("sweep", "Quantities over inputs", 2 + p->n_axes + p->n_q,
                        p->points * p->who.n_models * p->who.n_cards);
  double *values = malloc (p->points * p->n_q * sizeof *values);
  llmenv_status st = t == NULL || values == NULL
                     ? llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory")
                     : LLMENV_OK;
  if (st == LLMENV_OK)
    {
      name_columns (p, t);
      llmenv_input varied[LLMENV_MAX_AXES];
      for (size_t a = 0; a < p->n_axes; a++)
        varied[a] = p->axes[a].input;
      caption (request, varied, p->n_axes, &p->who, t);
      st = fill_table (p, request, t, values, error);
    }
  free (values);
  if (st == LLMENV_OK)
    *table = t;
  else if (t != NULL)
    llmenv_table_free (t);
  return st;
}

llmenv_status
llmenv_sweep_make (const llmenv_sweep *sweep, const llmenv_request *request,
                   llmenv_table **table, llmenv_error *error)
{
  plan p = { .n_q = 0 };
  llmenv_request own = *request;
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  llmenv_status st = make_plan (sweep, &p, error);
  if (st == LLMENV_OK)
    st = resolve (sweep->models, sweep->cards, &own, &p.who, error);
  if (st == LLMENV_OK)
    {
      st = make_sweep (&p, &own, table, error);
      free_named (&p.who);
    }
  free_plan (&p);
  return st;
}

/* ---- the table of a solve ---------------------------------------------- */

enum { MOST_ANSWERS = 64, SOLVE_COLUMNS = 9 };

typedef struct
{
  llmenv_quantity a, b;
  double target;
  int has_target, is_whole;    /* else B is the other quantity */
  llmenv_whole whole;
  llmenv_input input;
  double lo, hi;
} equation;

static llmenv_status
read_whole (const char *word, equation *q, llmenv_error *error)
{
  for (int k = 0; k < LLMENV_WHOLE_COUNT; k++)
    if (strcmp (word, llmenv_whole_word ((llmenv_whole) k)) == 0)
      {
        q->whole = (llmenv_whole) k;
        q->is_whole = 1;
        return LLMENV_OK;
      }
  char shown[60];
  llmenv_printable (word, shown, sizeof shown);
  return llmenv_error_set (error, LLMENV_EBADOPTION,
                           "whole: '%s' is not accepted, expected first-at-least, first-at-most, last-at-least or last-at-most",
                           shown);
}

static llmenv_status
read_equation (const llmenv_question *from, equation *q, llmenv_error *error)
{
  *q = (equation) { .lo = from->lo, .hi = from->hi };
  LLMENV_TRY (llmenv_quantity_named (from->quantity, &q->a, error));
  LLMENV_TRY (llmenv_input_named (from->input, &q->input, error));
  q->b = q->a;
  if (from->whole != NULL)
    LLMENV_TRY (read_whole (from->whole, q, error));
  if (from->target == NULL)
    return LLMENV_OK;
  q->has_target = llmenv_parse_number (from->target, &q->target);
  return q->has_target ? LLMENV_OK : llmenv_quantity_named (from->target, &q->b, error);
}

/* Answers of one row group. */
typedef struct
{
  const char *model, *card;
  llmenv_answer answers[MOST_ANSWERS];
  llmenv_solve_report report;
  llmenv_whole_answer whole;
  size_t n;
} solved;

static llmenv_status
refuse_bracket (const equation *q, const llmenv_point *p, llmenv_error *error)
{
  if (q->lo > q->hi || isnan (q->lo) || isnan (q->hi))
    return llmenv_error_set (error, LLMENV_EBADVALUE,
                             "%s: from %.15g to %.15g is no range", llmenv_input_get (q->input)->name, q->lo, q->hi);
  llmenv_point low = *p;
  return llmenv_point_set (&low, q->input, q->lo) != LLMENV_OK
         ? refuse_value (q->input, q->lo, p, error)
         : refuse_value (q->input, q->hi, p, error);
}

static llmenv_status
solve_pair (const equation *q, const llmenv_point *a, const llmenv_point *b,
            solved *s, llmenv_error *error)
{
  llmenv_status st;
  if (q->is_whole)
    st = q->has_target
         ? llmenv_solve_integer (q->a, q->whole, q->target, q->input, q->lo, q->hi, a, &s->whole)
         : llmenv_cross_integer (q->a, a, q->whole, q->b, b, q->input, q->lo, q->hi, &s->whole);
  else
    st = q->has_target
         ? llmenv_solve (q->a, q->target, q->input, q->lo, q->hi, a, s->answers, MOST_ANSWERS, &s->report)
         : llmenv_cross (q->a, a, q->b, b, q->input, q->lo, q->hi, s->answers, MOST_ANSWERS, &s->report);
  s->n = q->is_whole ? 1 : s->report.n == 0 ? 1
         : s->report.n < MOST_ANSWERS ? s->report.n : MOST_ANSWERS;
  return st == LLMENV_EBADVALUE ? refuse_bracket (q, a, error)
         : st != LLMENV_OK ? llmenv_error_set (error, st, "%s", llmenv_status_text (st)) : st;
}

/* The word for an infinite side of a jump. */
static llmenv_reason
reason_of (llmenv_quantity q, double x)
{
  const llmenv_envelope known = { .kv_reason = LLMENV_HAS_VALUE };
  return isinf (x) ? llmenv_quantity_reason (q, &known, x) : LLMENV_HAS_VALUE;
}

static void
put_answer (const equation *q, const solved *s, size_t i, llmenv_table *t, size_t row)
{
  const llmenv_answer *a = &s->answers[i];
  const int none = q->is_whole ? !s->whole.found : s->report.n == 0;
  const double at = none ? NAN : q->is_whole ? s->whole.at : a->at;
  const double value = none ? NAN : q->is_whole ? s->whole.value : a->value;
  const double before = q->is_whole ? s->whole.value_before : none ? s->report.at_lo : a->before;
  const double after = q->is_whole ? s->whole.value_after : none ? s->report.at_hi : a->after;
  const char *kind = none ? "no crossover" : q->is_whole ? "whole number"
                     : a->is_jump ? "jump" : a->until > a->at ? "from here on" : "root";
  const char *direction = none || q->is_whole ? "" : a->direction > 0 ? "rises"
                          : a->direction < 0 ? "falls" : "";
  const int evaluations = q->is_whole ? s->whole.evaluations
                          : none ? s->report.evaluations : a->evaluations;
  const llmenv_cell cells[SOLVE_COLUMNS] = {
    llmenv_text_cell (s->model), llmenv_text_cell (s->card),
    none ? llmenv_word_cell (LLMENV_NONE) : number_cell (at, LLMENV_HAS_VALUE),
    none ? llmenv_word_cell (LLMENV_NONE) : number_cell (value, LLMENV_HAS_VALUE),
    llmenv_text_cell (kind), llmenv_text_cell (direction),
    number_cell (before, none && !q->is_whole ? s->report.reason_lo : reason_of (q->a, before)),
    number_cell (after, none && !q->is_whole ? s->report.reason_hi : reason_of (q->a, after)),
    llmenv_number_cell (evaluations, LLMENV_HAS_VALUE, 0, LLMENV_NEAREST),
  };
  for (size_t c = 0; c < SOLVE_COLUMNS; c++)
    *llmenv_table_cell (t, row, c) = cells[c];
}

static llmenv_status
solve_table (const equation *q, const solved *all, size_t n, const named *who,
             const llmenv_request *request, llmenv_table **table, llmenv_error *error)
{
  const llmenv_input_info *in = llmenv_input_get (q->input);
  const llmenv_quantity_info *info = llmenv_quantity_get (q->a);
  const llmenv_column columns[SOLVE_COLUMNS] = {
    { "model", "", "id of the model, or of both", LLMENV_TEXT_COLUMN, -1 },
    { "card", "", "id of the card, or of both", LLMENV_TEXT_COLUMN, -1 },
    { in->column, in->unit, "where the quantity meets the target", LLMENV_NUMBER_COLUMN, -1 },
    { "value", info->unit, "of the quantity there", LLMENV_NUMBER_COLUMN, -1 },
    { "kind", "", "root, jump, from here on, whole number, or no crossover", LLMENV_TEXT_COLUMN, -1 },
    { "direction", "", "whether the quantity rises or falls through the target", LLMENV_TEXT_COLUMN, -1 },
    { "before", info->unit, "of the quantity (the difference of two) before it, or at the lower end", LLMENV_NUMBER_COLUMN, -1 },
    { "after", info->unit, "the same after it, or at the upper end", LLMENV_NUMBER_COLUMN, -1 },
    { "evaluations", "", "of the quantity for this answer, beyond the scan; all of them without one", LLMENV_NUMBER_COLUMN, 0 },
  };
  size_t rows = 0, row = 0;
  for (size_t i = 0; i < n; i++)
    rows += all[i].n;
  llmenv_table *t = llmenv_table_new ("solve", info->title, SOLVE_COLUMNS, rows);
  if (t == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  memcpy (t->columns, columns, sizeof columns);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < all[i].n; k++)
      put_answer (q, &all[i], k, t, row++);
  caption (request, &q->input, 1, who, t);
  *table = t;
  return LLMENV_OK;
}

/* Two models, or two cards, against each other. */
static llmenv_status
solve_two (const equation *q, const named *who, const llmenv_request *request,
           llmenv_table **table, llmenv_error *error)
{
  if (who->n_models * who->n_cards != 2)
    return llmenv_error_set (error, LLMENV_EBADCALL,
                             "give a target, or two models (--models A,B), or two cards (--cards A,B)");
  const llmenv_model_record *b_model = who->models[who->n_models - 1];
  const llmenv_card_record *b_card = who->cards[who->n_cards - 1];
  const llmenv_point a = llmenv_point_make (&who->models[0]->model, who->cards[0],
                                            &request->options, request->contexts);
  const llmenv_point b = llmenv_point_make (&b_model->model, b_card,
                                            &request->options, request->contexts);
  char models[300], cards[300];
  snprintf (models, sizeof models, who->n_models == 2 ? "%s = %s" : "%s",
            who->models[0]->id, b_model->id);
  snprintf (cards, sizeof cards, who->n_cards == 2 ? "%s = %s" : "%s",
            who->cards[0]->id, b_card->id);
  solved s = { .model = models, .card = cards };
  LLMENV_TRY (solve_pair (q, &a, &b, &s, error));
  return solve_table (q, &s, 1, who, request, table, error);
}

static llmenv_status
solve_each (const equation *q, const named *who, const llmenv_request *request,
            llmenv_table **table, llmenv_error *error)
{
  const size_t n = who->n_models * who->n_cards;
  llmenv_progress progress;
  solved *all = calloc (n, sizeof *all);
  if (all == NULL)
    return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
  llmenv_status st = LLMENV_OK;
  llmenv_progress_start (&progress, (double) n);
  for (size_t i = 0; i < n && st == LLMENV_OK; i++)
    {
      const llmenv_model_record *model = who->models[i / who->n_cards];
      const llmenv_card_record *card = who->cards[i % who->n_cards];
      const llmenv_point p = llmenv_point_make (&model->model, card, &request->options,
                                                request->contexts);
      llmenv_error cause;
      all[i].model = model->id;
      all[i].card = card->id;
      st = solve_pair (q, &p, &p, &all[i], &cause);
      if (st != LLMENV_OK)
        llmenv_error_set (error, st, "%s: %s", model->id, cause.text);
      llmenv_progress_add (&progress, 1);
    }
  llmenv_progress_end (&progress);
  if (st == LLMENV_OK)
    st = solve_table (q, all, n, who, request, table, error);
  free (all);
  return st;
}

llmenv_status
llmenv_solve_make (const llmenv_question *question, const llmenv_request *request,
                   llmenv_table **table, llmenv_error *error)
{
  equation q;
  named who;
  llmenv_request own = *request;
  LLMENV_TRY (llmenv_options_resolve (&own.options, own.catalogue, error));
  LLMENV_TRY (read_equation (question, &q, error));
  LLMENV_TRY (resolve (question->models, question->cards, &own, &who, error));
  const llmenv_status st = question->target == NULL
                           ? solve_two (&q, &who, &own, table, error)
                           : solve_each (&q, &who, &own, table, error);
  free_named (&who);
  return st;
}
