/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of claims: expressions in JSON, as in data/claims_*.json.
 *
 * An expression is a number, a text, true, false, or a list [name, argument,
 * ...]; "$" is the row that a set runs over.  Names are
 *   arithmetic and text     claims_eval.c
 *   records and quantities  claims_query.c (every quantity of the core)
 *   sets of rows            claims_sets.c
 * An unknown name, id or field is an error that names it; a record that is
 * silent gives NaN, which no comparison finds true. */
#ifndef CLAIMS_EVAL_H
#define CLAIMS_EVAL_H

#include "llmenv_builder.h"

enum { CLAIM_TEXT_SIZE = 160 };

typedef struct
{
  int is_text;
  double number;
  double upto;                 /* of a rank with ties: the last place; else number */
  char text[CLAIM_TEXT_SIZE];  /* of a number that is not finite: its word */
} claim_value;

/* What an expression is evaluated in. */
typedef struct
{
  const llmenv_catalogue *catalogue;
  const json_t *printed;       /* data/printed.json */
  const json_t *document_000;  /* in document 000, for its own peak rates; else NULL */
  const json_t *claims;        /* the list of the document's claims */
  llmenv_convention convention;
  const char *row;             /* "$", or NULL outside a set */
  llmenv_error *error;
} claim_scope;

/* ARGUMENTS is the whole list, its name first. */
typedef llmenv_status (*claim_function) (const claim_scope *scope,
                                         const json_t *arguments,
                                         claim_value *value);

typedef struct
{
  const char *name;
  claim_function function;
  size_t least, most;          /* how many arguments it takes */
} claim_operation;

llmenv_status claim_evaluate (const claim_scope *scope, const json_t *expression,
                              claim_value *value);

/* The same, of one kind only. */
llmenv_status claim_number (const claim_scope *scope, const json_t *expression,
                            double *number);
llmenv_status claim_text (const claim_scope *scope, const json_t *expression,
                          claim_value *text);

llmenv_status claim_refuse (const claim_scope *scope, const char *what,
                            const json_t *expression);

void claim_set_number (claim_value *value, double number);
void claim_set_text (claim_value *value, const char *text);

/* "12", "1.882", "56 to 58", or the text: how values stand in sentences. */
void claim_value_text (const claim_value *value, int decimals, char *text, size_t size);

/* Number at the start of a printed VALUE ("911k", "29.2", "19 of 64"). */
typedef struct
{
  int is_number;               /* 0: the value is a text */
  double number, unit;         /* unit of the last printed digit */
  int decimals;
} claim_print;

claim_print claim_print_of (const char *value);

/* Claim of that key, or NULL. */
const json_t *claim_find (const json_t *claims, const char *key);

/* Operations by file, ended by a NULL name. */
extern const claim_operation claim_arithmetic[], claim_queries[], claim_sets[];

/* EXPRESSION as people read it: "count(all, l_wall($) < 100)".  The caller
 * frees it; NULL when memory is out. */
char *claim_formula (const json_t *expression);

/* The sentence TEMPLATE with each {name} or {name:decimals} replaced by the
 * value of NUMBERS[name], in `published`; {ours} and {right} by those.  The
 * caller frees it. */
llmenv_status claim_sentence (const claim_scope *scope, const char *template,
                              const json_t *numbers, const claim_value *ours,
                              const claim_value *right, char **sentence);

#endif
