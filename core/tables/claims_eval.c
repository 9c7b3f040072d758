/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of claims: evaluation, arithmetic, comparisons, texts. */
#include "claims_eval.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ------------------------------------------------------------ */

void
claim_set_number (claim_value *value, double number)
{
  value->is_text = 0;
  value->number = value->upto = number;
  value->text[0] = '\0';
}

void
claim_set_text (claim_value *value, const char *text)
{
  value->is_text = 1;
  value->number = value->upto = NAN;
  snprintf (value->text, sizeof value->text, "%s", text);
}

void
claim_value_text (const claim_value *v, int decimals, char *text, size_t size)
{
  if (v->is_text)
    snprintf (text, size, "%s", v->text);
  else if (v->upto > v->number)
    snprintf (text, size, "%.0f to %.0f", v->number, v->upto);
  else if (!isfinite (v->number))
    snprintf (text, size, "%s", *v->text != '\0' ? v->text : llmenv_reason_word
              (isnan (v->number) ? LLMENV_NO_RECORD : LLMENV_UNBOUNDED));
  else if (v->number == rint (v->number))
    snprintf (text, size, "%.0f", v->number);
  else if (decimals >= 0)
    snprintf (text, size, "%.*f", decimals, v->number);
  else
    snprintf (text, size, "%.4g", v->number);
}

/* Two zeros or more at the end of a whole number are no digits of it:
 * "49,100 tokens" is good to a hundred. */
static double
unit_of (const char *digits, size_t n)
{
  size_t zeros = 0;
  while (zeros < n && digits[n - 1 - zeros] == '0')
    zeros++;
  return zeros >= 2 && zeros < n ? pow (10, (double) zeros) : 1;
}

claim_print
claim_print_of (const char *value)
{
  claim_print p = { 0, NAN, NAN, 0 };
  char *end;
  if (!isdigit ((unsigned char) *value))
    return p;
  const size_t whole = strspn (value, "0123456789");
  p.number = strtod (value, &end);
  p.decimals = value[whole] == '.' ? (int) (end - value - (long) whole - 1) : 0;
  p.unit = p.decimals > 0 ? pow (10, -p.decimals) : unit_of (value, whole);
  if (*end == 'k')
    {
      p.number *= 1000;
      p.unit *= 1000;
      end++;
    }
  p.is_number = *end == '\0';
  return p;
}

const json_t *
claim_find (const json_t *claims, const char *key)
{
  size_t i;
  json_t *claim;
  json_array_foreach (claims, i, claim)
    if (strcmp (llmenv_record_text (claim, "key"), key) == 0)
      return claim;
  return NULL;
}

/* ---- evaluation -------------------------------------------------------- */

llmenv_status
claim_refuse (const claim_scope *scope, const char *what, const json_t *expression)
{
  char *dump = json_dumps (expression, JSON_ENCODE_ANY);
  char shown[120];
  llmenv_printable (dump == NULL ? "" : dump, shown, sizeof shown);
  free (dump);
  return llmenv_error_set (scope->error, LLMENV_EBADRECORD, "%s in %s", what, shown);
}

static const claim_operation *
find_operation (const char *name)
{
  const claim_operation *const lists[] = { claim_arithmetic, claim_queries, claim_sets };
  for (size_t k = 0; k < N_OF (lists); k++)
    for (const claim_operation *o = lists[k]; o->name != NULL; o++)
      if (strcmp (o->name, name) == 0)
        return o;
  /* Every quantity of the core is one too. */
  if (llmenv_quantity_find (name) < 0)
    return NULL;
  for (const claim_operation *o = claim_queries; o->name != NULL; o++)
    if (strcmp (o->name, "quantity") == 0)
      return o;
  return NULL;
}

static llmenv_status
apply (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const char *name = json_string_value (json_array_get (list, 0));
  const claim_operation *o = name == NULL ? NULL : find_operation (name);
  const size_t n = json_array_size (list) - 1;
  if (o == NULL)
    return claim_refuse (scope, "no such check", list);
  if (n < o->least || n > o->most)
    return claim_refuse (scope, "wrong number of arguments", list);
  return o->function (scope, list, value);
}

llmenv_status
claim_evaluate (const claim_scope *scope, const json_t *e, claim_value *value)
{
  if (json_is_number (e))
    claim_set_number (value, json_number_value (e));
  else if (json_is_boolean (e))
    claim_set_number (value, json_is_true (e));
  else if (json_is_string (e))
    claim_set_text (value, strcmp (json_string_value (e), "$") == 0 && scope->row != NULL
                           ? scope->row : json_string_value (e));
  else if (json_is_array (e))
    return apply (scope, e, value);
  else
    return claim_refuse (scope, "no expression", e);
  return LLMENV_OK;
}

llmenv_status
claim_number (const claim_scope *scope, const json_t *expression, double *number)
{
  claim_value v;
  LLMENV_TRY (claim_evaluate (scope, expression, &v));
  if (v.is_text)
    return claim_refuse (scope, "a number is expected", expression);
  *number = v.number;
  return LLMENV_OK;
}

llmenv_status
claim_text (const claim_scope *scope, const json_t *expression, claim_value *text)
{
  LLMENV_TRY (claim_evaluate (scope, expression, text));
  return text->is_text ? LLMENV_OK
         : claim_refuse (scope, "a text is expected", expression);
}

/* ---- arithmetic -------------------------------------------------------- */

static double add (double a, double b) { return a + b; }
static double subtract (double a, double b) { return a - b; }
static double multiply (double a, double b) { return a * b; }
static double divide (double a, double b) { return a / b; }
static double least (double a, double b) { return b < a || isnan (b) ? b : a; }
static double greatest (double a, double b) { return b > a || isnan (b) ? b : a; }
static double both (double a, double b) { return a != 0 && b != 0; }
static double either (double a, double b) { return a != 0 || b != 0; }
static double first_known (double a, double b) { return isnan (a) ? b : a; }

static const struct { const char *name; double (*fold) (double, double); } folds[] = {
  { "+", add }, { "-", subtract }, { "*", multiply }, { "/", divide },
  { "least", least }, { "greatest", greatest },
  { "and", both }, { "or", either }, { "first", first_known },
};

static llmenv_status
fold (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const char *name = json_string_value (json_array_get (list, 0));
  size_t k = 0;
  double sum, next;
  while (strcmp (folds[k].name, name) != 0)
    k++;
  LLMENV_TRY (claim_number (scope, json_array_get (list, 1), &sum));
  for (size_t i = 2; i < json_array_size (list); i++)
    {
      LLMENV_TRY (claim_number (scope, json_array_get (list, i), &next));
      sum = folds[k].fold (sum, next);
    }
  claim_set_number (value, sum);
  return LLMENV_OK;
}

static double known (double x) { return !isnan (x); }
static double finite_number (double x) { return isfinite (x); }
static double negation (double x) { return x == 0; }

static const struct { const char *name; double (*of) (double); } unaries[] = {
  { "log10", log10 }, { "log2", log2 }, { "floor", floor },
  { "known", known }, { "finite", finite_number }, { "not", negation },
};

static llmenv_status
unary (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const char *name = json_string_value (json_array_get (list, 0));
  size_t k = 0;
  double x;
  while (strcmp (unaries[k].name, name) != 0)
    k++;
  LLMENV_TRY (claim_number (scope, json_array_get (list, 1), &x));
  claim_set_number (value, unaries[k].of (x));
  return LLMENV_OK;
}

/* ---- comparisons ------------------------------------------------------- */

static int
holds (const char *name, double a, double b)
{
  if (isnan (a) || isnan (b))
    return 0;
  switch (*name)
    {
    case '<': return name[1] == '=' ? a <= b : a < b;
    case '>': return name[1] == '=' ? a >= b : a > b;
    case '!': return a != b;
    case '~': return fabs (a - b) <= 1e-9 * fmax (fabs (a), fabs (b));
    default:  return a == b;
    }
}

static llmenv_status
compare (const claim_scope *scope, const json_t *list, claim_value *value)
{
  const char *name = json_string_value (json_array_get (list, 0));
  claim_value a, b;
  LLMENV_TRY (claim_evaluate (scope, json_array_get (list, 1), &a));
  LLMENV_TRY (claim_evaluate (scope, json_array_get (list, 2), &b));
  if (a.is_text != b.is_text)
    return claim_refuse (scope, "a text is compared with a number", list);
  claim_set_number (value, !a.is_text ? holds (name, a.number, b.number)
                           : (strcmp (a.text, b.text) == 0) == (*name == '='));
  return LLMENV_OK;
}

/* ["if", condition, then, else] */
static llmenv_status
choose (const claim_scope *scope, const json_t *list, claim_value *value)
{
  double condition;
  LLMENV_TRY (claim_number (scope, json_array_get (list, 1), &condition));
  return claim_evaluate (scope, json_array_get (list, condition != 0 ? 2 : 3), value);
}

/* ---- texts, other claims, the convention -------------------------------- */

/* ["join", part, ...]: texts and numbers one after the other. */
static llmenv_status
join (const claim_scope *scope, const json_t *list, claim_value *value)
{
  char all[CLAIM_TEXT_SIZE] = "", part[CLAIM_TEXT_SIZE];
  for (size_t i = 1; i < json_array_size (list); i++)
    {
      claim_value v;
      LLMENV_TRY (claim_evaluate (scope, json_array_get (list, i), &v));
      claim_value_text (&v, -1, part, sizeof part);
      strncat (all, part, sizeof all - strlen (all) - 1);
    }
  claim_set_text (value, all);
  return LLMENV_OK;
}

/* ["of", part, whole]: "19 of 64". */
static llmenv_status
part_of (const claim_scope *scope, const json_t *list, claim_value *value)
{
  double part = NAN, whole = NAN;
  char text[CLAIM_TEXT_SIZE];
  LLMENV_TRY (claim_number (scope, json_array_get (list, 1), &part));
  LLMENV_TRY (claim_number (scope, json_array_get (list, 2), &whole));
  snprintf (text, sizeof text, "%.0f of %.0f", part, whole);
  claim_set_text (value, text);
  return LLMENV_OK;
}

/* ["claim", key]: what the document prints there, not what we compute. */
static llmenv_status
other_claim (const claim_scope *scope, const json_t *list, claim_value *value)
{
  claim_value key;
  LLMENV_TRY (claim_text (scope, json_array_get (list, 1), &key));
  const json_t *claim = claim_find (scope->claims, key.text);
  if (claim == NULL)
    return claim_refuse (scope, "no such claim", list);
  const char *text = llmenv_record_text (claim, "value");
  const claim_print p = claim_print_of (text);
  if (p.is_number)
    claim_set_number (value, p.number);
  else
    claim_set_text (value, text);
  return LLMENV_OK;
}

/* ["published", e], ["layered", e] */
static llmenv_status
in_convention (const claim_scope *scope, const json_t *list, claim_value *value)
{
  claim_scope inner = *scope;
  inner.convention
    = strcmp (json_string_value (json_array_get (list, 0)), "published") == 0
      ? LLMENV_PUBLISHED : LLMENV_LAYERED;
  return claim_evaluate (&inner, json_array_get (list, 1), value);
}

const claim_operation claim_arithmetic[] = {
  { "+", fold, 2, 9 }, { "-", fold, 2, 9 }, { "*", fold, 2, 9 }, { "/", fold, 2, 9 },
  { "least", fold, 2, 9 }, { "greatest", fold, 2, 9 },
  { "and", fold, 2, 9 }, { "or", fold, 2, 9 },
  { "first", fold, 2, 9 },     /* the first that a record knows */
  { "log10", unary, 1, 1 }, { "log2", unary, 1, 1 }, { "floor", unary, 1, 1 },
  { "known", unary, 1, 1 }, { "finite", unary, 1, 1 }, { "not", unary, 1, 1 },
  { "<", compare, 2, 2 }, { "<=", compare, 2, 2 }, { ">", compare, 2, 2 },
  { ">=", compare, 2, 2 }, { "=", compare, 2, 2 }, { "!=", compare, 2, 2 },
  { "~", compare, 2, 2 },      /* equal to 1e-9 */
  { "if", choose, 3, 3 }, { "join", join, 1, 9 }, { "of", part_of, 2, 2 },
  { "claim", other_claim, 1, 1 },
  { "published", in_convention, 1, 1 }, { "layered", in_convention, 1, 1 },
  { NULL, NULL, 0, 0 },
};
