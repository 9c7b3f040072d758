/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of claims in words: the check as a formula, sentences with numbers. */
#include "claims_eval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- formulas ---------------------------------------------------------- */

static void write_expression (FILE *out, const json_t *e, int nested);

static int
is_infix (const char *name)
{
  static const char *const infix[] = { "+", "-", "*", "/", "<", "<=", ">", ">=",
                                       "=", "!=", "~", "and", "or" };
  for (size_t i = 0; i < N_OF (infix); i++)
    if (strcmp (infix[i], name) == 0)
      return 1;
  return 0;
}

/* Arguments from the second item on, with SEPARATOR between. */
static void
write_arguments (FILE *out, const json_t *list, const char *separator, int nested)
{
  for (size_t i = 1; i < json_array_size (list); i++)
    {
      if (i > 1)
        fputs (separator, out);
      write_expression (out, json_array_get (list, i), nested);
    }
}

static void
write_call (FILE *out, const json_t *list, int nested)
{
  const char *name = json_string_value (json_array_get (list, 0));
  if (name != NULL && is_infix (name))
    {
      char separator[16];
      snprintf (separator, sizeof separator, " %s ", name);
      fputs (nested ? "(" : "", out);
      write_arguments (out, list, separator, 1);
      fputs (nested ? ")" : "", out);
      return;
    }
  fprintf (out, "%s(", name == NULL ? "" : name);
  write_arguments (out, list, ", ", 0);
  fputc (')', out);
}

/* A list of ids, unlike a call, is written in brackets; a call's first item is
 * a name of the checks, never an id. */
static int
is_list_of_ids (const json_t *list)
{
  for (size_t i = 0; i < json_array_size (list); i++)
    if (!json_is_string (json_array_get (list, i)))
      return 0;
  const char *first = json_string_value (json_array_get (list, 0));
  return first != NULL && strchr (first, '-') != NULL && strlen (first) > 1;
}

/* "all where x", "11 smallest of all by x" */
static void
write_set (FILE *out, const json_t *set)
{
  const json_t *where = json_object_get (set, "where");
  if (where == NULL)
    fprintf (out, "%.0f smallest of ", json_number_value (json_object_get (set, "smallest")));
  write_expression (out, json_object_get (set, "of"), 1);
  fputs (where != NULL ? " where " : " by ", out);
  write_expression (out, where != NULL ? where : json_object_get (set, "by"), 1);
}

/* Options ("Card = x"), or a model with other scalars. */
static void
write_object (FILE *out, const json_t *object)
{
  const char *key, *id = json_string_value (json_object_get (object, "id"));
  const char *before = "";
  json_t *value;
  if (id != NULL)
    fprintf (out, "%s with ", id);
  json_object_foreach ((json_t *) object, key, value)
    {
      if (strcmp (key, "id") == 0)
        continue;
      fprintf (out, "%s%s = ", before, key);
      write_expression (out, value, 1);
      before = id != NULL ? " and " : ", ";
    }
}

static void
write_expression (FILE *out, const json_t *e, int nested)
{
  if (json_is_string (e))
    fputs (strcmp (json_string_value (e), "$") == 0 ? "row" : json_string_value (e), out);
  else if (json_is_number (e))
    fprintf (out, "%.15g", json_number_value (e));
  else if (json_is_boolean (e))
    fputs (json_is_true (e) ? "true" : "false", out);
  else if (json_object_get (e, "of") != NULL)
    write_set (out, e);
  else if (json_is_object (e))
    write_object (out, e);
  else if (is_list_of_ids (e))
    {
      fputc ('[', out);
      write_expression (out, json_array_get (e, 0), 0);
      fputs (json_array_size (e) > 1 ? ", " : "", out);
      write_arguments (out, e, ", ", 0);
      fputc (']', out);
    }
  else if (json_is_array (e))
    write_call (out, e, nested);
}

char *
claim_formula (const json_t *expression)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (out == NULL)
    return NULL;
  write_expression (out, expression, 0);
  return fclose (out) == 0 ? text : NULL;
}

/* ---- sentences --------------------------------------------------------- */

/* "{name:decimals}" at TEXT (after the brace) apart; what follows the closing
 * brace, or NULL when there is none. */
static const char *
read_place (const char *text, char name[32], int *decimals)
{
  const size_t n = strcspn (text, ":}");
  *decimals = -1;
  if (n >= 32 || text[n] == '\0')
    return NULL;
  memcpy (name, text, n);
  name[n] = '\0';
  text += n;
  if (*text == ':')
    *decimals = atoi (text + 1);
  text += strcspn (text, "}");
  return *text == '}' ? text + 1 : NULL;
}

static llmenv_status
place_value (const claim_scope *scope, const char *name, const json_t *numbers,
             const claim_value *ours, const claim_value *right, claim_value *value)
{
  claim_scope published = *scope;
  const json_t *e = json_object_get (numbers, name);
  published.convention = LLMENV_PUBLISHED;
  if (e != NULL)
    return claim_evaluate (&published, e, value);
  if (strcmp (name, "ours") != 0 && strcmp (name, "right") != 0)
    return llmenv_error_set (scope->error, LLMENV_EBADRECORD,
                             "no number '%s' for the sentence", name);
  *value = *name == 'o' ? *ours : *right;
  return LLMENV_OK;
}

static llmenv_status
write_sentence (const claim_scope *scope, const char *template, const json_t *numbers,
                const claim_value *ours, const claim_value *right, FILE *out)
{
  char name[32], text[CLAIM_TEXT_SIZE];
  int decimals;
  while (*template != '\0')
    {
      if (*template != '{')
        {
          fputc (*template++, out);
          continue;
        }
      claim_value value;
      template = read_place (template + 1, name, &decimals);
      if (template == NULL)
        return llmenv_error_set (scope->error, LLMENV_EBADRECORD,
                                 "an open brace in a sentence");
      LLMENV_TRY (place_value (scope, name, numbers, ours, right, &value));
      claim_value_text (&value, decimals, text, sizeof text);
      fputs (text, out);
    }
  return LLMENV_OK;
}

llmenv_status
claim_sentence (const claim_scope *scope, const char *template, const json_t *numbers,
                const claim_value *ours, const claim_value *right, char **sentence)
{
  size_t size;
  *sentence = NULL;
  FILE *out = open_memstream (sentence, &size);
  if (out == NULL)
    return llmenv_error_set (scope->error, LLMENV_ETOOLARGE, "out of memory");
  const llmenv_status st = write_sentence (scope, template, numbers, ours, right, out);
  if (fclose (out) == 0 && st == LLMENV_OK)
    return LLMENV_OK;
  free (*sentence);
  *sentence = NULL;
  return st != LLMENV_OK ? st
         : llmenv_error_set (scope->error, LLMENV_ETOOLARGE, "out of memory");
}
