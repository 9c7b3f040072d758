/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

llmenv_status
llmenv_error_set (llmenv_error *error, llmenv_status status,
                  const char *format, ...)
{
  if (error != NULL)
    {
      va_list args;
      va_start (args, format);
      error->status = status;
      vsnprintf (error->text, sizeof error->text, format, args);
      va_end (args);
      for (char *c = error->text; *c != '\0'; c++)
        if (iscntrl ((unsigned char) *c))
          *c = ' ';            /* one line, whatever the input held */
    }
  return status;
}

void
llmenv_plain_name (const char *name, char *plain, size_t size)
{
  size_t n = 0;
  for (; *name != '\0' && n + 1 < size; name++)
    if (isalnum ((unsigned char) *name))
      plain[n++] = (char) tolower ((unsigned char) *name);
  plain[n] = '\0';
}

void
llmenv_printable (const char *text, char *out, size_t size)
{
  size_t n = 0;
  for (; *text != '\0' && n + 4 < size; text++)
    out[n++] = isprint ((unsigned char) *text) ? *text : '?';
  if (*text != '\0')
    for (int i = 0; i < 3; i++)
      out[n++] = '.';
  out[n] = '\0';
}

/* ---- nearest names ----------------------------------------------------- */

enum { LONGEST = 95 };

static size_t
min3 (size_t a, size_t b, size_t c)
{
  const size_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Levenshtein distance of two plain names of at most LONGEST characters. */
static size_t
edit_distance (const char *a, const char *b)
{
  size_t row[LONGEST + 1];
  const size_t n = strlen (b);
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; a[i - 1] != '\0'; i++)
    {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= n; j++)
        {
          const size_t above = row[j];
          row[j] = min3 (row[j - 1] + 1, above + 1,
                         diagonal + (a[i - 1] != b[j - 1]));
          diagonal = above;
        }
    }
  return row[n];
}

void
llmenv_nearest_start (llmenv_nearest *nearest, const char *wanted)
{
  memset (nearest, 0, sizeof *nearest);
  nearest->wanted = wanted;
}

void
llmenv_nearest_offer (llmenv_nearest *nearest, const char *name)
{
  char wanted[LONGEST + 1], plain[LONGEST + 1];
  llmenv_plain_name (nearest->wanted, wanted, sizeof wanted);
  llmenv_plain_name (name, plain, sizeof plain);
  if (wanted[0] == '\0' || plain[0] == '\0')
    return;
  /* A part of a name is nearer than any misspelling; of equal ones the name
     that begins alike is. */
  const size_t edits = strstr (plain, wanted) != NULL ? 0
                       : edit_distance (wanted, plain);
  if (edits > (strlen (wanted) + 1) / 2)
    return;
  size_t alike = 0;
  while (plain[alike] != '\0' && plain[alike] == wanted[alike])
    alike++;
  const size_t distance = edits * (LONGEST + 1) + LONGEST - alike;
  size_t at = nearest->n;
  while (at > 0 && nearest->best[at - 1].distance > distance)
    at--;
  if (at == 3)
    return;
  if (nearest->n < 3)
    nearest->n++;
  memmove (&nearest->best[at + 1], &nearest->best[at],
           (nearest->n - 1 - at) * sizeof nearest->best[0]);
  llmenv_printable (name, nearest->best[at].name, sizeof nearest->best[at].name);
  nearest->best[at].distance = distance;
}

void
llmenv_nearest_text (const llmenv_nearest *nearest, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < nearest->n && used < size; i++)
    used += (size_t) snprintf (text + used, size - used, "%s%s",
                               i == 0 ? "; nearest: " : ", ",
                               nearest->best[i].name);
}
