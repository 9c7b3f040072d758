/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as Python writes it: bare Infinity and NaN, keys that occur twice,
 * whole numbers beyond 64 bits. */
#include "llmenv_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llmenv_json.h"

/* ---- Python's spellings ------------------------------------------------------- */

/* Replaces what JSON has no word for by something of the same length, so that
 * lines and columns of later errors hold: Infinity by a number that no
 * dimension admits, NaN by a text. */
static void
replace_words (char *s, size_t n)
{
  int in_string = 0;
  for (size_t i = 0; i < n; i++)
    if (s[i] == '"')
      in_string = !in_string;
    else if (s[i] == '\\' && in_string)
      i++;
    else if (in_string)
      continue;
    else if (n - i >= 8 && memcmp (s + i, "Infinity", 8) == 0)
      memcpy (s + i, "1e300   ", 8);
    else if (n - i >= 3 && memcmp (s + i, "NaN", 3) == 0)
      memcpy (s + i, "\"N\"", 3);
}

json_t *
llmenv_import_json_text (char *text, size_t n, const char *file, int *has_duplicates,
                         llmenv_error *error)
{
  json_error_t where;
  int duplicates = 0;
  size_t flags = JSON_REJECT_DUPLICATES;
  if (n >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0)
    memcpy (text, "   ", 3);   /* a byte order mark */
  replace_words (text, n);
  json_t *root = json_loadb (text, n, flags, &where);
  for (int tries = 0; root == NULL && tries < 2; tries++)
    {
      const enum json_error_code code = json_error_code (&where);
      if (code == json_error_duplicate_key)
        {
          duplicates = 1;
          flags &= ~(size_t) JSON_REJECT_DUPLICATES;
        }
      else if (code == json_error_numeric_overflow)
        flags |= JSON_DECODE_INT_AS_REAL;
      else
        break;
      root = json_loadb (text, n, flags, &where);
    }
  if (has_duplicates != NULL)
    *has_duplicates = duplicates;
  if (root == NULL)
    llmenv_error_set (error, LLMENV_EBADRECORD, "%s:%d:%d: not valid JSON: %s", file, where.line,
                      where.column, where.text);
  else if (!json_is_object (root))
    {
      llmenv_error_set (error, LLMENV_EBADRECORD, "%s:1:1: expected one JSON object", file);
      json_decref (root);
      root = NULL;
    }
  return root;
}

json_t *
llmenv_import_json (const char *path, int *has_duplicates, llmenv_error *error)
{
  size_t n;
  char *data = llmenv_file_read (path, &n, error);
  json_t *root = NULL;
  if (data != NULL && n == 0)
    llmenv_error_set (error, LLMENV_EBADRECORD,
                      "%s: the file is empty, expected a config.json, a record, a GGUF or a safetensors file", path);
  else if (data != NULL)
    root = llmenv_import_json_text (data, n, path, has_duplicates, error);
  free (data);
  return root;
}
