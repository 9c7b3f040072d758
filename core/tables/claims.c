/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The claims of both documents: their checks evaluated, their verdicts found. */
#include "claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims_eval.h"
#include "llmenv_json.h"

/* ---- verdicts ---------------------------------------------------------- */

static const struct { const char *word, *meaning; } verdicts[] = {
#define X(symbol, word, meaning) { word, meaning },
  LLMENV_VERDICTS (X)
#undef X
};

const char *
llmenv_verdict_word (llmenv_verdict verdict)
{
  return (unsigned) verdict < LLMENV_VERDICT_COUNT ? verdicts[verdict].word : "unknown";
}

const char *
llmenv_verdict_meaning (llmenv_verdict verdict)
{
  return (unsigned) verdict < LLMENV_VERDICT_COUNT ? verdicts[verdict].meaning : "unknown";
}

int
llmenv_verdict_fails (llmenv_verdict verdict)
{
  return verdict >= LLMENV_WRONG_DIRECTION;
}

/* ---- kinds of claim ----------------------------------------------------- */

/* What a claim of each kind is when it fails, and whether figures of its kind
 * may be rounded.  `cross` says that two things of the document are the same. */
static const struct
{
  const char *word;
  llmenv_verdict failing;
  int may_be_rounded;
} kinds[] = {
  { "figure", LLMENV_ARITHMETIC_SLIP, 1 },
  { "count", LLMENV_MISCOUNT, 0 },
  { "order", LLMENV_WRONG_DIRECTION, 0 },
  { "direction", LLMENV_WRONG_DIRECTION, 0 },
  { "bound", LLMENV_WRONG_DIRECTION, 0 },
  { "cross", LLMENV_CONTRADICTION, 0 },
};

static size_t
kind_of (const json_t *claim)
{
  const char *word = llmenv_record_text (claim, "kind");
  size_t k = 0;
  while (k < N_OF (kinds) && strcmp (kinds[k].word, *word != '\0' ? word : "figure") != 0)
    k++;
  return k;
}

/* ---- does a value agree with what is printed? ---------------------------- */

typedef enum { DIFFERS, ROUNDS, AGREES } agreement;

/* Counts of tokens and sequences are cut in the documents, the rest rounded. */
static int
may_be_cut (const json_t *claim)
{
  static const char *const cut[] = { "tokens", "batch", "sequences" };
  for (size_t i = 0; i < N_OF (cut); i++)
    if (strcmp (llmenv_record_text (claim, "unit"), cut[i]) == 0)
      return 1;
  return 0;
}

static agreement
agrees_in_digits (const json_t *claim, const claim_print *p, double value)
{
  const double hair = 1e-9 * fabs (value);  /* of binary arithmetic */
  if (fabs (value - p->number) <= p->unit / 2 + hair)
    return AGREES;
  if (may_be_cut (claim) && value >= p->number - hair && value < p->number + p->unit)
    return AGREES;
  return fabs (value - p->number) < p->unit - hair && kinds[kind_of (claim)].may_be_rounded
         ? ROUNDS : DIFFERS;
}

/* VALUE RELATION NUMBER, as a claim with a relation says. */
static int
relation_holds (const char *relation, double value, double number)
{
  if (strcmp (relation, "<") == 0)
    return value < number;
  if (strcmp (relation, "<=") == 0)
    return value <= number;
  return strcmp (relation, "!=") == 0 ? value != number
         : fabs (value - number) <= 1e-6 * fmax (fabs (number), fabs (value));
}

/* What VALUE must be where the printed words are no number themselves. */
static llmenv_status
agrees_as_expected (const claim_scope *scope, const json_t *claim,
                    const claim_value *value, agreement *a)
{
  double number;
  LLMENV_TRY (claim_number (scope, json_object_get (claim, "expect"), &number));
  *a = !value->is_text && relation_holds (llmenv_record_text (claim, "relation"),
                                          value->number, number) ? AGREES : DIFFERS;
  return LLMENV_OK;
}

static llmenv_status
agrees (const claim_scope *scope, const json_t *claim, const claim_value *value,
        agreement *a)
{
  const char *printed = llmenv_record_text (claim, "value");
  const char *relation = llmenv_record_text (claim, "relation");
  const claim_print p = claim_print_of (printed);
  if (json_object_get (claim, "expect") != NULL)
    return agrees_as_expected (scope, claim, value, a);
  if (value->is_text || !p.is_number)
    *a = value->is_text && strcmp (value->text, printed) == 0 ? AGREES : DIFFERS;
  else if (strcmp (relation, "!=") == 0)
    *a = agrees_in_digits (claim, &p, value->number) == AGREES ? DIFFERS : AGREES;
  else if (*relation != '\0')
    *a = relation_holds (relation, value->number, p.number) ? AGREES : DIFFERS;
  else if (value->upto > value->number)
    *a = p.number >= value->number && p.number <= value->upto ? AGREES : DIFFERS;
  else
    *a = agrees_in_digits (claim, &p, value->number);
  return LLMENV_OK;
}

/* Does another statement of the document give something else? */
static llmenv_status
is_contradicted (const claim_scope *scope, const json_t *claim, int *contradicted)
{
  const json_t *elsewhere = json_object_get (claim, "elsewhere");
  claim_value other;
  agreement a = AGREES;
  *contradicted = 0;
  if (elsewhere == NULL)
    return LLMENV_OK;
  LLMENV_TRY (claim_evaluate (scope, elsewhere, &other));
  LLMENV_TRY (agrees (scope, claim, &other, &a));
  *contradicted = a == DIFFERS;
  return LLMENV_OK;
}

/* ---- one claim ---------------------------------------------------------- */

typedef struct
{
  claim_value ours, right;
  llmenv_verdict verdict;
} judgement;

static int
is_silent (const claim_value *value)
{
  return !value->is_text && isnan (value->number);
}

static llmenv_status
find_values (const claim_scope *scope, const json_t *claim, judgement *j)
{
  claim_scope layered = *scope;
  const json_t *check = json_object_get (claim, "check");
  const json_t *right = json_object_get (claim, "right");
  layered.convention = LLMENV_LAYERED;
  claim_set_number (&j->ours, NAN);
  claim_set_number (&j->right, NAN);
  if (check == NULL)
    return LLMENV_OK;
  LLMENV_TRY (claim_evaluate (scope, check, &j->ours));
  return claim_evaluate (&layered, right != NULL ? right : check, &j->right);
}

static llmenv_status
find_verdict (const claim_scope *scope, const json_t *claim, judgement *j)
{
  /* Judged by the right value where `published` itself carries the error. */
  const int by_right = strcmp (llmenv_record_text (claim, "judge"), "right") == 0;
  const claim_value *value = by_right ? &j->right : &j->ours;
  const size_t kind = kind_of (claim);
  agreement a;
  int contradicted;
  if (kind == N_OF (kinds))
    return llmenv_error_set (scope->error, LLMENV_EBADRECORD, "no such kind of claim");
  j->verdict = LLMENV_NOT_COMPUTABLE;
  if (is_silent (value))
    return LLMENV_OK;
  LLMENV_TRY (agrees (scope, claim, value, &a));
  LLMENV_TRY (is_contradicted (scope, claim, &contradicted));
  j->verdict = a == AGREES ? LLMENV_REPRODUCED : a == ROUNDS ? LLMENV_ROUNDING
               : kinds[kind].failing == LLMENV_WRONG_DIRECTION ? LLMENV_WRONG_DIRECTION
               : contradicted ? LLMENV_CONTRADICTION : kinds[kind].failing;
  return LLMENV_OK;
}

/* ---- why ---------------------------------------------------------------- */

/* The claim's own sentence for a failure, its remark for a success; before the
 * remark what the verdict means. */
static llmenv_status
find_why (const claim_scope *scope, const json_t *claim, const judgement *j, char **why)
{
  const json_t *numbers = json_object_get (claim, "numbers");
  const char *fails = llmenv_record_text (claim, "why");
  const char *remark = llmenv_record_text (claim, "note");
  const char *missing = llmenv_record_text (claim, "missing");
  char template[1200];
  if (j->verdict == LLMENV_NOT_COMPUTABLE)
    snprintf (template, sizeof template, "no record holds %s%s%s",
              *missing != '\0' ? missing : "what its check needs",
              *remark != '\0' ? "; " : "", remark);
  else if (!llmenv_verdict_fails (j->verdict))
    snprintf (template, sizeof template, "%s%s%s",
              claim_print_of (llmenv_record_text (claim, "value")).is_number
              ? llmenv_verdict_meaning (j->verdict) : "holds",
              *remark != '\0' ? "; " : "", remark);
  else
    snprintf (template, sizeof template, "%s",
              *fails != '\0' ? fails : llmenv_verdict_meaning (j->verdict));
  return claim_sentence (scope, template, numbers, &j->ours, &j->right, why);
}

/* ---- results ------------------------------------------------------------ */

/* One digit more than the document prints. */
static int
decimals_shown (const json_t *claim)
{
  const claim_print p = claim_print_of (llmenv_record_text (claim, "value"));
  return p.is_number ? p.decimals + 1 : 2;
}

static json_t *
value_json (const claim_value *v)
{
  char text[CLAIM_TEXT_SIZE];
  if (!v->is_text && isfinite (v->number) && v->upto == v->number)
    return json_real (v->number);
  claim_value_text (v, -1, text, sizeof text);
  return json_string (text);
}

static void
copy_facts (json_t *result, const json_t *claim)
{
  static const char *const facts[] = { "section", "key", "value", "unit" };
  for (size_t i = 0; i < N_OF (facts); i++)
    json_object_set_new (result, facts[i],
                         json_string (llmenv_record_text (claim, facts[i])));
}

static llmenv_status
judge_one (const claim_scope *scope, const json_t *claim, json_t *results)
{
  judgement j;
  char *why, *formula;
  LLMENV_TRY (find_values (scope, claim, &j));
  LLMENV_TRY (find_verdict (scope, claim, &j));
  LLMENV_TRY (find_why (scope, claim, &j, &why));
  const json_t *check = json_object_get (claim, "check");
  formula = check == NULL ? NULL : claim_formula (check);
  json_t *result = json_object ();
  copy_facts (result, claim);
  json_object_set_new (result, "formula", json_string (formula == NULL ? "" : formula));
  json_object_set_new (result, "ours", value_json (&j.ours));
  json_object_set_new (result, "ours_right", value_json (&j.right));
  json_object_set_new (result, "decimals", json_integer (decimals_shown (claim)));
  json_object_set_new (result, "verdict", json_string (llmenv_verdict_word (j.verdict)));
  json_object_set_new (result, "why", json_string (why));
  free (formula);
  free (why);
  return json_array_append_new (results, result) == 0 ? LLMENV_OK
         : llmenv_error_set (scope->error, LLMENV_ETOOLARGE, "out of memory");
}

/* The claim's key before what is wrong with it. */
static llmenv_status
name_claim (llmenv_status st, const char *document, const json_t *claim,
            llmenv_error *error)
{
  llmenv_error inner = *error;
  return llmenv_error_set (error, st, "claims_%s.json: %s: %.600s", document,
                           llmenv_record_text (claim, "key"), inner.text);
}

static llmenv_status
judge_all (const claim_scope *scope, const char *document, json_t *results)
{
  size_t i;
  json_t *claim;
  json_array_foreach (scope->claims, i, claim)
    {
      const llmenv_status st = judge_one (scope, claim, results);
      if (st != LLMENV_OK)
        return name_claim (st, document, claim, scope->error);
    }
  return LLMENV_OK;
}

static json_t *
read_data (const char *name, llmenv_error *error)
{
  char path[LLMENV_PATH_SIZE];
  return llmenv_data_file (name, path, error) == LLMENV_OK
         ? llmenv_json_read (path, error) : NULL;
}

llmenv_status
llmenv_claims_judge (const char *document, const llmenv_catalogue *catalogue,
                     json_t **judged, llmenv_error *error)
{
  char name[64];
  snprintf (name, sizeof name, "claims_%.20s.json", document);
  json_t *ledger = read_data (name, error);
  json_t *printed = ledger == NULL ? NULL : read_data ("printed.json", error);
  json_t *cards = printed == NULL ? NULL : read_data ("document_000.json", error);
  json_t *results = json_array ();
  llmenv_status st = cards == NULL ? error->status : LLMENV_OK;
  const claim_scope scope
    = { catalogue, printed, strcmp (document, "000") == 0 ? cards : NULL,
        json_object_get (ledger, "claims"), LLMENV_PUBLISHED, NULL, error };
  if (st == LLMENV_OK)
    st = judge_all (&scope, document, results);
  if (st == LLMENV_OK)
    *judged = results;
  else
    json_decref (results);
  json_decref (cards);
  json_decref (printed);
  json_decref (ledger);
  return st;
}

/* ---- summary, tables ----------------------------------------------------- */

static void
count_verdicts (const json_t *judged, llmenv_claims_counts *counts)
{
  size_t i;
  json_t *claim;
  json_array_foreach (judged, i, claim)
    for (int v = 0; v < LLMENV_VERDICT_COUNT; v++)
      if (strcmp (llmenv_record_text (claim, "verdict"), verdicts[v].word) == 0)
        {
          counts->of[v]++;
          counts->claims++;
          counts->failing += (size_t) llmenv_verdict_fails ((llmenv_verdict) v);
        }
}

llmenv_status
llmenv_claims_summary (const llmenv_catalogue *catalogue,
                       llmenv_claims_counts *counts, llmenv_error *error)
{
  static const char *const documents[] = { "000", "003" };
  llmenv_claims_counts all;
  memset (&all, 0, sizeof all);
  for (size_t i = 0; i < N_OF (documents); i++)
    {
      json_t *judged;
      LLMENV_TRY (llmenv_claims_judge (documents[i], catalogue, &judged, error));
      count_verdicts (judged, &all);
      json_decref (judged);
    }
  *counts = all;
  return LLMENV_OK;
}

llmenv_status
llmenv_claims_of_table (const char *table, const llmenv_catalogue *catalogue,
                        json_t **judged, llmenv_error *error)
{
  static const char prefix[] = "claims_";
  *judged = NULL;
  return strncmp (table, prefix, sizeof prefix - 1) != 0 ? LLMENV_OK
         : llmenv_claims_judge (table + sizeof prefix - 1, catalogue, judged, error);
}
