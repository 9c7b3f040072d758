/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of claims: counts, ranks and extremes over sets of rows.
 *
 * A set is a list of ids; "all", the rows of document 003's three family
 * tables; "models" or "cards", every record; the name of one of its printed
 * tables; {"of": set, "where": condition}; or {"of": set, "smallest": n,
 * "by": expression}.
 *   ["size", set] ["count", set, condition] ["every", set, condition]
 *   ["min" | "max", set, e]        over the rows where e is finite
 *   ["argmin" | "argmax", set, e]  the id of that row, the first of equals
 *   ["rank", set, e, id, "falling" | "rising"]  places from..to, with ties
 *   ["leading", table, set, e]     rows of the table, in its order, that are
 *                                  the smallest of the set
 *   ["common", set, set]           ids in both
 *   ["risers", set, x, y]          pairs in which x and y grow together
 *   ["places", set, condition]     "1,2,5": which rows meet it
 *   ["marked", table, flag]        printed rows that carry that flag */
#include "claims_eval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets -------------------------------------------------------------- */

typedef struct
{
  const char **id;             /* of JSON or catalogue; the list is owned */
  double *value;               /* of an expression at each row, or NULL */
  size_t n;
} id_set;

static void
free_set (id_set *set)
{
  free (set->id);
  free (set->value);
  *set = (id_set) { NULL, NULL, 0 };
}

static llmenv_status
add_id (const claim_scope *scope, id_set *set, const char *id)
{
  const char **grown = realloc (set->id, (set->n + 1) * sizeof *grown);
  if (grown == NULL)
    return llmenv_error_set (scope->error, LLMENV_ETOOLARGE, "out of memory");
  set->id = grown;
  set->id[set->n++] = id;
  return LLMENV_OK;
}

/* Ids of a JSON list of ids or of objects with one. */
static llmenv_status
add_list (const claim_scope *scope, const json_t *list, id_set *set)
{
  size_t i;
  json_t *entry;
  json_array_foreach (list, i, entry)
    LLMENV_TRY (add_id (scope, set, json_is_string (entry) ? json_string_value (entry)
                                    : llmenv_record_text (entry, "id")));
  return LLMENV_OK;
}

static const json_t *
printed_rows (const claim_scope *scope, const char *table)
{
  return json_object_get (json_object_get (json_object_get (scope->printed, "tables"),
                                           table), "rows");
}

static llmenv_status
add_named (const claim_scope *scope, const json_t *name, id_set *set)
{
  static const char *const families[] = { "dense", "moe", "hybrid" };
  const llmenv_catalogue *c = scope->catalogue;
  const char *text = json_string_value (name);
  if (strcmp (text, "models") == 0)
    for (size_t i = 0; i < c->n_models; i++)
      LLMENV_TRY (add_id (scope, set, c->models[i]->id));
  else if (strcmp (text, "cards") == 0)
    for (size_t i = 0; i < c->n_cards; i++)
      LLMENV_TRY (add_id (scope, set, c->cards[i]->id));
  else if (strcmp (text, "all") == 0)
    for (size_t i = 0; i < N_OF (families); i++)
      LLMENV_TRY (add_list (scope, printed_rows (scope, families[i]), set));
  else if (printed_rows (scope, text) == NULL)
    return claim_refuse (scope, "no such set", name);
  else
    return add_list (scope, printed_rows (scope, text), set);
  return LLMENV_OK;
}

static llmenv_status fill_set (const claim_scope *, const json_t *, id_set *);

/* Value of E at each row. */
static llmenv_status
evaluate_rows (const claim_scope *scope, const json_t *e, id_set *set)
{
  claim_scope inner = *scope;
  free (set->value);
  set->value = calloc (set->n + 1, sizeof *set->value);
  if (set->value == NULL)
    return llmenv_error_set (scope->error, LLMENV_ETOOLARGE, "out of memory");
  for (size_t i = 0; i < set->n; i++)
    {
      inner.row = set->id[i];
      LLMENV_TRY (claim_number (&inner, e, &set->value[i]));
    }
  return LLMENV_OK;
}

static int
by_number (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return isnan (x) || isnan (y) ? isnan (x) - isnan (y) : (x > y) - (x < y);
}

/* The N-th smallest value (from 1), or Inf; the caller owns nothing. */
static llmenv_status
nth_smallest (const claim_scope *scope, const id_set *set, size_t n, double *value)
{
  double *sorted = malloc ((set->n + 1) * sizeof *sorted);
  if (sorted == NULL)
    return llmenv_error_set (scope->error, LLMENV_ETOOLARGE, "out of memory");
  memcpy (sorted, set->value, set->n * sizeof *sorted);
  qsort (sorted, set->n, sizeof *sorted, by_number);
  *value = n >= 1 && n <= set->n ? sorted[n - 1] : INFINITY;
  free (sorted);
  return LLMENV_OK;
}

/* Keep the rows whose value is at most LIMIT and above 0 where it is a truth. */
static void
keep_rows (id_set *set, int is_truth, double limit)
{
  size_t kept = 0;
  for (size_t i = 0; i < set->n; i++)
    if (is_truth ? set->value[i] == 1 : set->value[i] <= limit)
      set->id[kept++] = set->id[i];
  set->n = kept;
}

static llmenv_status
add_selected (const claim_scope *scope, const json_t *spec, id_set *set)
{
  const json_t *where = json_object_get (spec, "where");
  double limit = NAN;
  LLMENV_TRY (fill_set (scope, json_object_get (spec, "of"), set));
  LLMENV_TRY (evaluate_rows (scope, where != NULL ? where
                                    : json_object_get (spec, "by"), set));
  if (where == NULL)
    {
      const double n = json_number_value (json_object_get (spec, "smallest"));
      LLMENV_TRY (nth_smallest (scope, set, n > 0 ? (size_t) n : 0, &limit));
    }
  keep_rows (set, where != NULL, limit);
  return LLMENV_OK;
}

static llmenv_status
fill_set (const claim_scope *scope, const json_t *spec, id_set *set)
{
  if (json_is_string (spec))
    return add_named (scope, spec, set);
  if (json_is_array (spec))
    return add_list (scope, spec, set);
  if (json_is_object (spec))
    return add_selected (scope, spec, set);
  return claim_refuse (scope, "no set", spec);
}

/* The set at position 1 of LIST with the expression at 2 evaluated. */
static llmenv_status
open_set (const claim_scope *scope, const json_t *list, id_set *set)
{
  *set = (id_set) { NULL, NULL, 0 };
  LLMENV_TRY (fill_set (scope, json_array_get (list, 1), set));
  return json_array_size (list) > 2
         ? evaluate_rows (scope, json_array_get (list, 2), set) : LLMENV_OK;
}

/* ---- what is asked of a set with its values ----------------------------- */

typedef llmenv_status (*question) (const claim_scope *, const json_t *, id_set *,
                                   claim_value *);

static llmenv_status
ask (const claim_scope *scope, const json_t *list, question q, claim_value *value)
{
  id_set set;
  llmenv_status st = open_set (scope, list, &set);
  if (st == LLMENV_OK)
    st = q (scope, list, &set, value);
  free_set (&set);
  return st;
}

#define QUESTION(fn)                                                          \
  static llmenv_status                                                        \
  fn##_of (const claim_scope *scope, const json_t *list, id_set *set,         \
           claim_value *value);                                               \
  static llmenv_status                                                        \
  fn (const claim_scope *scope, const json_t *list, claim_value *value)       \
  {                                                                           \
    return ask (scope, list, fn##_of, value);                                 \
  }                                                                           \
  static llmenv_status                                                        \
  fn##_of (const claim_scope *scope, const json_t *list, id_set *set,         \
           claim_value *value)

#define UNUSED (void) scope, (void) list

static size_t
true_rows (const id_set *set)
{
  size_t n = 0;
  for (size_t i = 0; i < set->n; i++)
    n += set->value[i] == 1;
  return n;
}

QUESTION (size)
{
  UNUSED;
  claim_set_number (value, (double) set->n);
  return LLMENV_OK;
}

QUESTION (count)
{
  UNUSED;
  claim_set_number (value, (double) true_rows (set));
  return LLMENV_OK;
}

QUESTION (every)
{
  UNUSED;
  claim_set_number (value, true_rows (set) == set->n);
  return LLMENV_OK;
}

/* Row of the smallest (SIGN 1) or largest (-1) finite value; n if there is none. */
static size_t
extreme_row (const id_set *set, double sign)
{
  size_t best = set->n;
  for (size_t i = 0; i < set->n; i++)
    if (isfinite (set->value[i])
        && (best == set->n || sign * set->value[i] < sign * set->value[best]))
      best = i;
  return best;
}

/* "min" and "argmin" look for the smallest. */
static size_t
row_asked_for (const json_t *list, const id_set *set)
{
  const char *name = json_string_value (json_array_get (list, 0));
  return extreme_row (set, strstr (name, "min") != NULL ? 1 : -1);
}

QUESTION (extreme)
{
  (void) scope;
  const size_t at = row_asked_for (list, set);
  claim_set_number (value, at < set->n ? set->value[at] : NAN);
  return LLMENV_OK;
}

QUESTION (extreme_id)
{
  (void) scope;
  const size_t at = row_asked_for (list, set);
  claim_set_text (value, at < set->n ? set->id[at] : "");
  return LLMENV_OK;
}

QUESTION (rank)
{
  claim_value id, order;
  LLMENV_TRY (claim_text (scope, json_array_get (list, 3), &id));
  LLMENV_TRY (claim_text (scope, json_array_get (list, 4), &order));
  const double sign = strcmp (order.text, "falling") == 0 ? -1 : 1;
  double own = NAN;
  for (size_t i = 0; i < set->n; i++)
    if (strcmp (set->id[i], id.text) == 0)
      own = set->value[i];
  size_t before = 0, equal = 0;
  for (size_t i = 0; i < set->n; i++)
    {
      before += sign * set->value[i] < sign * own;
      equal += set->value[i] == own;
    }
  claim_set_number (value, isnan (own) ? NAN : (double) before + 1);
  value->upto = isnan (own) ? NAN : (double) (before + equal);
  return LLMENV_OK;
}

/* Pairs with x and y growing together, where the claim is that y falls. */
QUESTION (risers)
{
  double *x = set->value;
  size_t n = 0;
  set->value = NULL;
  const llmenv_status st = evaluate_rows (scope, json_array_get (list, 3), set);
  for (size_t i = 0; i < set->n && st == LLMENV_OK; i++)
    for (size_t j = 0; j < set->n; j++)
      n += x[i] < x[j] && set->value[i] < set->value[j];
  free (x);
  claim_set_number (value, (double) n);
  return st;
}

QUESTION (places)
{
  UNUSED;
  char text[CLAIM_TEXT_SIZE] = "", place[24];
  for (size_t i = 0; i < set->n; i++)
    if (set->value[i] == 1)
      {
        snprintf (place, sizeof place, "%s%zu", *text != '\0' ? "," : "", i + 1);
        strncat (text, place, sizeof text - strlen (text) - 1);
      }
  claim_set_text (value, text);
  return LLMENV_OK;
}

/* ---- two sets ---------------------------------------------------------- */

/* ["common", set, set]: read by itself, for its second argument is no value. */
static llmenv_status
common (const claim_scope *scope, const json_t *list, claim_value *value)
{
  id_set a = { NULL, NULL, 0 }, b = { NULL, NULL, 0 };
  size_t n = 0;
  llmenv_status st = fill_set (scope, json_array_get (list, 1), &a);
  if (st == LLMENV_OK)
    st = fill_set (scope, json_array_get (list, 2), &b);
  for (size_t i = 0; i < a.n && st == LLMENV_OK; i++)
    for (size_t j = 0; j < b.n; j++)
      n += strcmp (a.id[i], b.id[j]) == 0;
  free_set (&a);
  free_set (&b);
  claim_set_number (value, (double) n);
  return st;
}

/* Rows of TABLE that, in its order, are the smallest of SET. */
static size_t
leading_rows (const id_set *table, id_set *set)
{
  size_t n = 0;
  qsort (set->value, set->n, sizeof *set->value, by_number);
  while (n < table->n && n < set->n && table->value[n] == set->value[n])
    n++;
  return n;
}

static llmenv_status
leading (const claim_scope *scope, const json_t *list, claim_value *value)
{
  id_set table = { NULL, NULL, 0 }, set = { NULL, NULL, 0 };
  const json_t *e = json_array_get (list, 3);
  llmenv_status st = fill_set (scope, json_array_get (list, 1), &table);
  if (st == LLMENV_OK)
    st = fill_set (scope, json_array_get (list, 2), &set);
  if (st == LLMENV_OK)
    st = evaluate_rows (scope, e, &table);
  if (st == LLMENV_OK)
    st = evaluate_rows (scope, e, &set);
  if (st == LLMENV_OK)
    claim_set_number (value, (double) leading_rows (&table, &set));
  free_set (&table);
  free_set (&set);
  return st;
}

static llmenv_status
marked (const claim_scope *scope, const json_t *list, claim_value *value)
{
  claim_value table, flag;
  size_t i, n = 0;
  json_t *row;
  LLMENV_TRY (claim_text (scope, json_array_get (list, 1), &table));
  LLMENV_TRY (claim_text (scope, json_array_get (list, 2), &flag));
  json_array_foreach (printed_rows (scope, table.text), i, row)
    n += json_is_true (json_object_get (row, flag.text));
  claim_set_number (value, (double) n);
  return LLMENV_OK;
}

const claim_operation claim_sets[] = {
  { "size", size, 1, 1 }, { "count", count, 2, 2 }, { "every", every, 2, 2 },
  { "min", extreme, 2, 2 }, { "max", extreme, 2, 2 },
  { "argmin", extreme_id, 2, 2 }, { "argmax", extreme_id, 2, 2 },
  { "rank", rank, 4, 4 }, { "risers", risers, 3, 3 }, { "places", places, 2, 2 },
  { "common", common, 2, 2 }, { "leading", leading, 3, 3 }, { "marked", marked, 2, 2 },
  { NULL, NULL, 0, 0 },
};
