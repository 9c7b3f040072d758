/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BYTES = 64 << 20 };

llmenv_place
llmenv_place_root (const char *file)
{
  return (llmenv_place) { file, "" };
}

llmenv_place
llmenv_place_field (const llmenv_place *parent, const char *key)
{
  llmenv_place place = *parent;
  const size_t n = strlen (place.path);
  snprintf (place.path + n, sizeof place.path - n, "%s%s", n > 0 ? "." : "", key);
  return place;
}

llmenv_place
llmenv_place_item (const llmenv_place *parent, size_t index)
{
  llmenv_place place = *parent;
  const size_t n = strlen (place.path);
  snprintf (place.path + n, sizeof place.path - n, "[%zu]", index);
  return place;
}

/* ---- files ------------------------------------------------------------- */

/* All of the regular file FD; NULL with ERROR. */
static char *
read_all (int fd, const char *path, size_t *n, llmenv_error *error)
{
  struct stat st;
  if (fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    {
      llmenv_error_set (error, LLMENV_EBADFILE, "%s: not a regular file", path);
      return NULL;
    }
  if (st.st_size > MAX_BYTES)
    {
      llmenv_error_set (error, LLMENV_EBADFILE,
                        "%s: %lld bytes, at most %d (64 MiB) are read", path,
                        (long long) st.st_size, MAX_BYTES);
      return NULL;
    }
  char *data = malloc ((size_t) st.st_size + 1);
  size_t got = 0;
  while (data != NULL && got < (size_t) st.st_size)
    {
      const ssize_t r = read (fd, data + got, (size_t) st.st_size - got);
      if (r < 0)
        {
          llmenv_error_set (error, LLMENV_EBADFILE, "%s: %s", path, strerror (errno));
          free (data);
          return NULL;
        }
      if (r == 0)
        break;
      got += (size_t) r;
    }
  if (data == NULL)
    llmenv_error_set (error, LLMENV_ETOOLARGE, "%s: out of memory", path);
  *n = got;
  return data;
}

char *
llmenv_file_read (const char *path, size_t *n, llmenv_error *error)
{
  /* O_NONBLOCK: opening a pipe must not wait for a writer. */
  const int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    {
      llmenv_error_set (error, LLMENV_EBADFILE, "%s: %s", path, strerror (errno));
      return NULL;
    }
  char *data = read_all (fd, path, n, error);
  close (fd);
  return data;
}

json_t *
llmenv_json_read (const char *path, llmenv_error *error)
{
  size_t n;
  char *data = llmenv_file_read (path, &n, error);
  if (data == NULL)
    return NULL;
  if (n == 0)
    {
      free (data);
      llmenv_error_set (error, LLMENV_EBADRECORD,
                        "%s: the file is empty, expected one JSON object", path);
      return NULL;
    }
  json_error_t where;
  json_t *root = json_loadb (data, n, JSON_REJECT_DUPLICATES, &where);
  free (data);
  if (root == NULL)
    {
      llmenv_error_set (error, LLMENV_EBADRECORD,
                        "%s:%d:%d: not valid JSON: %s", path, where.line,
                        where.column, where.text);
      return NULL;
    }
  if (!json_is_object (root))
    {
      llmenv_error_set (error, LLMENV_EBADRECORD,
                        "%s:1:1: expected one JSON object", path);
      json_decref (root);
      return NULL;
    }
  return root;
}

/* ---- control characters ------------------------------------------------ */

/* Bytes of the control character at C; 0 where there is none. */
static size_t
control_at (const unsigned char *c)
{
  return (*c > 0 && *c < 0x20) || *c == 0x7F ? 1
         : c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 ? 2 : 0;
}

int
llmenv_json_has_controls (const char *text)
{
  for (; *text != '\0'; text++)
    if (control_at ((const unsigned char *) text) > 0)
      return 1;
  return 0;
}

static void
clean_text (json_t *value)
{
  if (!llmenv_json_has_controls (json_string_value (value)))
    return;
  char *copy = strdup (json_string_value (value));
  for (char *c = copy; c != NULL && *c != '\0'; c++)
    for (size_t n = control_at ((unsigned char *) c); n > 0; n--)
      c[n - 1] = '?';
  json_string_set (value, copy == NULL ? "?" : copy);
  free (copy);
}

void
llmenv_json_clean (json_t *value)
{
  const char *key;
  size_t i;
  json_t *item;
  json_object_foreach (value, key, item)
    {
      llmenv_json_clean (item);
    }
  json_array_foreach (value, i, item)
    {
      llmenv_json_clean (item);
    }
  if (json_is_string (value))
    clean_text (value);
}

/* ---- values ------------------------------------------------------------ */

llmenv_status
llmenv_json_refuse (const llmenv_place *place, const char *expected,
                    const json_t *found, llmenv_error *error)
{
  char *text = found == NULL ? NULL
               : json_dumps (found, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII);
  char shown[80];
  llmenv_printable (text == NULL ? "nothing" : text, shown, sizeof shown);
  free (text);
  return llmenv_error_set (error, LLMENV_EBADRECORD,
                           "%s: %s: expected %s, found %s", place->file,
                           place->path, expected, shown);
}

llmenv_status
llmenv_json_number (const json_t *object, const char *key,
                    const llmenv_place *place, double minimum, double *value,
                    llmenv_error *error)
{
  const json_t *found = json_object_get (object, key);
  *value = NAN;
  if (found == NULL || json_is_null (found))
    return LLMENV_OK;
  const llmenv_place at = llmenv_place_field (place, key);
  const double x = json_number_value (found);
  if (!json_is_number (found))
    return llmenv_json_refuse (&at, "a number or null", found, error);
  if (!(x >= minimum) || !isfinite (x))
    {
      char expected[64];
      snprintf (expected, sizeof expected, "a number from %g", minimum);
      return llmenv_json_refuse (&at, expected, found, error);
    }
  *value = x;
  return LLMENV_OK;
}

llmenv_status
llmenv_json_text (const json_t *object, const char *key,
                  const llmenv_place *place, const char **value,
                  llmenv_error *error)
{
  const json_t *found = json_object_get (object, key);
  *value = NULL;
  if (found == NULL || json_is_null (found))
    return LLMENV_OK;
  const llmenv_place at = llmenv_place_field (place, key);
  if (!json_is_string (found))
    return llmenv_json_refuse (&at, "text or null", found, error);
  *value = json_string_value (found);
  return LLMENV_OK;
}

llmenv_status
llmenv_json_need_number (const json_t *object, const char *key,
                         const llmenv_place *place, double minimum,
                         double *value, llmenv_error *error)
{
  llmenv_status st = llmenv_json_number (object, key, place, minimum, value, error);
  if (st != LLMENV_OK || !isnan (*value))
    return st;
  const llmenv_place at = llmenv_place_field (place, key);
  return llmenv_json_refuse (&at, "a number", json_object_get (object, key), error);
}

llmenv_status
llmenv_json_need_text (const json_t *object, const char *key,
                       const llmenv_place *place, const char **value,
                       llmenv_error *error)
{
  llmenv_status st = llmenv_json_text (object, key, place, value, error);
  if (st != LLMENV_OK || *value != NULL)
    return st;
  const llmenv_place at = llmenv_place_field (place, key);
  return llmenv_json_refuse (&at, "text", json_object_get (object, key), error);
}
