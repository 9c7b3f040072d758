/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_lengths.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "llmenv_options.h"

#define SEPARATORS " \t,;\r\n"

static llmenv_status
refuse (const char *path, size_t line, const char *found, llmenv_error *error)
{
  char shown[60];
  llmenv_printable (found, shown, sizeof shown);
  return llmenv_error_set (error, LLMENV_EBADFILE,
                           "%s: line %zu: '%s' is not accepted, expected a length of 0 or more tokens and optionally a weight of 0 or more",
                           path, line, shown);
}

static llmenv_status
append (llmenv_lengths *l, size_t *room, double length, double weight,
        llmenv_error *error)
{
  if (l->n == *room)
    {
      *room = *room == 0 ? 256 : 2 * *room;
      double *lengths = realloc (l->length, *room * sizeof *lengths);
      if (lengths != NULL)
        l->length = lengths;
      double *weights = realloc (l->weight, *room * sizeof *weights);
      if (weights != NULL)
        l->weight = weights;
      if (lengths == NULL || weights == NULL)
        return llmenv_error_set (error, LLMENV_ETOOLARGE, "out of memory");
    }
  l->length[l->n] = length;
  l->weight[l->n++] = weight;
  return LLMENV_OK;
}

/* One line, which is cut up. */
static llmenv_status
read_line (char *text, const char *path, size_t line, llmenv_lengths *l,
           size_t *room, llmenv_error *error)
{
  double value[2] = { 0, 1 };
  char *save;
  int n = 0;
  text[strcspn (text, "#")] = '\0';
  for (char *word = strtok_r (text, SEPARATORS, &save); word != NULL;
       word = strtok_r (NULL, SEPARATORS, &save), n++)
    if (n > 1 || !llmenv_parse_number (word, &value[n]) || !(value[n] >= 0)
        || isinf (value[n]))
      return refuse (path, line, word, error);
  return n == 0 ? LLMENV_OK : append (l, room, value[0], value[1], error);
}

static llmenv_status
read_lines (FILE *in, const char *path, llmenv_lengths *l, llmenv_error *error)
{
  char *text = NULL;
  size_t size = 0, room = 0, line = 0;
  double weights = 0;
  llmenv_status st = LLMENV_OK;
  for (ssize_t got; st == LLMENV_OK && (got = getline (&text, &size, in)) >= 0;)
    {
      line++;
      st = memchr (text, '\0', (size_t) got) != NULL ? refuse (path, line, "a NUL byte", error)
           : read_line (text, path, line, l, &room, error);
    }
  free (text);
  if (st != LLMENV_OK)
    return st;
  if (ferror (in))
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: %s", path, strerror (errno));
  for (size_t i = 0; i < l->n; i++)
    weights += l->weight[i];
  if (!(weights > 0) || isinf (weights))
    return llmenv_error_set (error, LLMENV_EBADFILE,
                             l->n == 0 ? "%s: no lengths" : "%s: the weights do not add up to a number above 0", path);
  return LLMENV_OK;
}

llmenv_status
llmenv_lengths_read (const char *path, llmenv_lengths *lengths,
                     llmenv_error *error)
{
  struct stat about;
  llmenv_lengths own = { NULL, NULL, 0 };
  char shown[400];
  llmenv_printable (path, shown, sizeof shown);
  FILE *in = fopen (path, "r");
  if (in == NULL)
    return llmenv_error_set (error, LLMENV_EBADFILE, "%s: %s", shown, strerror (errno));
  llmenv_status st = fstat (fileno (in), &about) == 0
                     && (S_ISREG (about.st_mode) || S_ISFIFO (about.st_mode))
                     ? read_lines (in, shown, &own, error)
                     : llmenv_error_set (error, LLMENV_EBADFILE, "%s: not a file", shown);
  fclose (in);
  if (st == LLMENV_OK)
    *lengths = own;
  else
    llmenv_lengths_free (&own);
  return st;
}

void
llmenv_lengths_free (llmenv_lengths *lengths)
{
  free (lengths->length);
  free (lengths->weight);
  *lengths = (llmenv_lengths) { NULL, NULL, 0 };
}
