/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_mex.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "llmenv_catalogue.h"

void
llmenv_mex_fail (const char *tail, const char *format, ...)
{
  char id[64], message[900];
  va_list args;
  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);
  snprintf (id, sizeof id, "llmenv:%s", tail);
  mexErrMsgIdAndTxt (id, "%s", message);
  __builtin_unreachable ();
}

void
llmenv_mex_raise (const llmenv_error *error)
{
  llmenv_mex_fail (llmenv_status_id (error->status), "%s", error->text);
}

/* ---- validate ---------------------------------------------------------- */

const char *
llmenv_mex_text (const mxArray *a, const char *argument)
{
  if (!mxIsChar (a) || (mxGetM (a) > 1 && mxGetN (a) > 0))
    llmenv_mex_fail ("badType", "%s must be text in one row", argument);
  const char *text = mxGetNumberOfElements (a) == 0 ? "" : mxArrayToString (a);
  if (text == NULL)
    llmenv_mex_fail ("tooLarge", "%s: out of memory", argument);
  return text;
}

#define CONVERT(type)                                                         \
  do                                                                          \
    {                                                                         \
      const type *from = mxGetData (a);                                       \
      for (size_t i = 0; i < n; i++)                                          \
        to[i] = (double) from[i];                                             \
    }                                                                         \
  while (0)

const double *
llmenv_mex_doubles (const mxArray *a, const char *argument)
{
  const size_t n = mxGetNumberOfElements (a);
  if (!(mxIsNumeric (a) || mxIsLogical (a)) || mxIsComplex (a) || mxIsSparse (a))
    llmenv_mex_fail ("badType", "%s must be real, full numbers", argument);
  if (mxIsDouble (a))
    return mxGetPr (a);
  double *to = mxMalloc ((n + 1) * sizeof *to);
  switch (mxGetClassID (a))
    {
    case mxSINGLE_CLASS: CONVERT (float); break;
    case mxINT8_CLASS: CONVERT (int8_t); break;
    case mxUINT8_CLASS: CONVERT (uint8_t); break;
    case mxINT16_CLASS: CONVERT (int16_t); break;
    case mxUINT16_CLASS: CONVERT (uint16_t); break;
    case mxINT32_CLASS: CONVERT (int32_t); break;
    case mxUINT32_CLASS: CONVERT (uint32_t); break;
    case mxINT64_CLASS: CONVERT (int64_t); break;
    case mxUINT64_CLASS: CONVERT (uint64_t); break;
    case mxLOGICAL_CLASS: CONVERT (mxLogical); break;
    default: llmenv_mex_fail ("badType", "%s must be real numbers", argument);
    }
  return to;
}

void
llmenv_mex_options (const mxArray *const *args, int n, llmenv_options *options)
{
  llmenv_error error;
  if (n % 2 != 0)
    llmenv_mex_fail ("badCall", "options are pairs of a name and a value");
  for (int i = 0; i < n; i += 2)
    {
      llmenv_status st;
      const char *name = llmenv_mex_text (args[i], "the name of an option");
      const mxArray *value = args[i + 1];
      if (mxIsChar (value))
        st = llmenv_option_set_text (options, name,
                                     llmenv_mex_text (value, name), &error);
      else if (mxGetNumberOfElements (value) == 1
               && (mxIsNumeric (value) || mxIsLogical (value)))
        st = llmenv_option_set_number (options, name,
                                       *llmenv_mex_doubles (value, name), &error);
      else
        llmenv_mex_fail ("badOption", "option %s must be text or one number", name);
      if (st != LLMENV_OK)
        llmenv_mex_raise (&error);
    }
}

int
llmenv_mex_is_option (const mxArray *a)
{
  return mxIsChar (a) && mxGetM (a) == 1
         && llmenv_option_find (mxArrayToString (a)) >= 0;
}

/* ---- to JSON ----------------------------------------------------------- */

enum { MAX_DEPTH = 32 };

static json_t *to_json (const mxArray *a, int depth);

/* Fields of records that are lists even when they hold one element. */
static int
is_list_field (const char *key)
{
  static const char *const lists[]
    = { "layers", "parts", "corrections", "flops", "interconnect" };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (strcmp (lists[i], key) == 0)
      return 1;
  return 0;
}

static json_t *
number_json (double x)
{
  return isnan (x) ? json_null ()
         : x == floor (x) && fabs (x) < 9007199254740992.0
         ? json_integer ((json_int_t) x)
         : isfinite (x) ? json_real (x) : NULL;
}

/* Element I of an array of any numeric class. */
static double
number_at (const mxArray *a, size_t i)
{
  const void *data = mxGetData (a);
  switch (mxGetClassID (a))
    {
    case mxSINGLE_CLASS: return ((const float *) data)[i];
    case mxINT8_CLASS: return ((const int8_t *) data)[i];
    case mxUINT8_CLASS: return ((const uint8_t *) data)[i];
    case mxINT16_CLASS: return ((const int16_t *) data)[i];
    case mxUINT16_CLASS: return ((const uint16_t *) data)[i];
    case mxINT32_CLASS: return ((const int32_t *) data)[i];
    case mxUINT32_CLASS: return ((const uint32_t *) data)[i];
    case mxINT64_CLASS: return (double) ((const int64_t *) data)[i];
    case mxUINT64_CLASS: return (double) ((const uint64_t *) data)[i];
    default: return ((const double *) data)[i];
    }
}

static json_t *
struct_json (const mxArray *a, size_t index, int depth)
{
  json_t *object = json_object ();
  for (int f = 0; f < mxGetNumberOfFields (a); f++)
    {
      const char *key = mxGetFieldNameByNumber (a, f);
      const mxArray *value = mxGetFieldByNumber (a, index, f);
      json_t *json = value == NULL ? json_null () : to_json (value, depth);
      const int empty = value == NULL || mxGetNumberOfElements (value) == 0;
      if (is_list_field (key) && !empty && !json_is_array (json) && !json_is_string (json))
        json = json == NULL ? NULL : json_pack ("[o]", json);
      if (json == NULL || json_object_set_new (object, key, json) != 0)
        {
          json_decref (object);
          return NULL;
        }
    }
  return object;
}

/* Element I of A. */
static json_t *
element_json (const mxArray *a, size_t i, int depth)
{
  if (mxIsCell (a))
    {
      const mxArray *cell = mxGetCell (a, i);
      return cell == NULL ? json_null () : to_json (cell, depth);
    }
  if (mxIsStruct (a))
    return struct_json (a, i, depth);
  if (mxIsLogical (a))
    return json_boolean (mxGetLogicals (a)[i]);
  return mxIsNumeric (a) && !mxIsComplex (a) ? number_json (number_at (a, i)) : NULL;
}

static json_t *
list_json (const mxArray *a, int depth)
{
  json_t *list = json_array ();
  for (size_t i = 0; i < mxGetNumberOfElements (a); i++)
    {
      json_t *json = element_json (a, i, depth);
      if (json == NULL || json_array_append_new (list, json) != 0)
        {
          json_decref (list);
          return NULL;
        }
    }
  return list;
}

static json_t *
text_json (const mxArray *a)
{
  char *text = mxArrayToString (a);
  json_t *json = text == NULL ? json_string ("") : json_string (text);
  mxFree (text);
  return json;
}

static json_t *
to_json (const mxArray *a, int depth)
{
  if (depth > MAX_DEPTH)
    return NULL;
  if (mxIsChar (a))
    return text_json (a);
  if (mxIsCell (a))
    return list_json (a, depth + 1);
  if (mxGetNumberOfElements (a) == 0)
    return json_null ();
  return mxGetNumberOfElements (a) == 1 ? element_json (a, 0, depth + 1)
                                        : list_json (a, depth + 1);
}

json_t *
llmenv_mex_to_json (const mxArray *a)
{
  return to_json (a, 0);
}

/* ---- from JSON --------------------------------------------------------- */

static int
is_text_field (const char *key)
{
#define kind_text 1
#define kind_number 0
#define kind_integer 0
#define kind_size 0
#define kind_count 0
#define kind_boolean 0
#define X(name, kind) if (kind_##kind && strcmp (key, #name) == 0) return 1;
  LLMENV_MODEL_FIELDS (X)
  LLMENV_CARD_FIELDS (X)
#undef X
  return 0;
}

/* A key as a field name: letters, digits and underscores. */
static const char *
field_name (const char *key, char *name, size_t size)
{
  size_t n = 0;
  if (!isalpha ((unsigned char) *key))
    name[n++] = 'x';
  for (; *key != '\0' && n + 1 < size; key++)
    name[n++] = (char) (isalnum ((unsigned char) *key) ? *key : '_');
  name[n] = '\0';
  return name;
}

static mxArray *
object_array (const json_t *json)
{
  const char *key;
  json_t *value;
  char name[64];
  mxArray *a = mxCreateStructMatrix (1, 1, 0, NULL);
  json_object_foreach ((json_t *) json, key, value)
    {
      mxArray *field = llmenv_mex_from_json (value, key);
      if (mxGetFieldNumber (a, field_name (key, name, sizeof name)) < 0)
        mxAddField (a, name);
      mxSetField (a, 0, name, field);
    }
  return a;
}

static mxArray *
list_array (const json_t *json)
{
  const size_t n = json_array_size (json);
  size_t i, numbers = 0;
  json_t *value;
  json_array_foreach (json, i, value)
    numbers += json_is_number (value);
  if (numbers == n && n > 0)
    {
      mxArray *row = mxCreateDoubleMatrix (1, n, mxREAL);
      json_array_foreach (json, i, value)
        mxGetPr (row)[i] = json_number_value (value);
      return row;
    }
  mxArray *cells = mxCreateCellMatrix (1, n);
  json_array_foreach (json, i, value)
    mxSetCell (cells, i, llmenv_mex_from_json (value, ""));
  return cells;
}

mxArray *
llmenv_mex_from_json (const json_t *json, const char *key)
{
  switch (json_typeof (json))
    {
    case JSON_OBJECT:
      return object_array (json);
    case JSON_ARRAY:
      return list_array (json);
    case JSON_STRING:
      return mxCreateString (json_string_value (json));
    case JSON_TRUE: case JSON_FALSE:
      return mxCreateLogicalScalar (json_is_true (json));
    case JSON_NULL:
      return is_text_field (key) ? mxCreateString ("") : mxCreateDoubleScalar (NAN);
    default:
      return mxCreateDoubleScalar (json_number_value (json));
    }
}

/* ---- records ----------------------------------------------------------- */

/* JSON of a record given as a struct; NULL with ERROR. */
static json_t *
record_json (const mxArray *a, const char *what, llmenv_error *error)
{
  if (!mxIsStruct (a) || mxGetNumberOfElements (a) != 1)
    {
      llmenv_error_set (error, LLMENV_EBADTYPE,
                        "%s must be an id, a name, a struct or a cell of these", what);
      return NULL;
    }
  json_t *json = llmenv_mex_to_json (a);
  if (json == NULL)
    llmenv_error_set (error, LLMENV_EBADRECORD,
                      "%s: a field holds a value that a record cannot", what);
  return json;
}

llmenv_status
llmenv_mex_model (const mxArray *a, llmenv_model_record **record,
                  llmenv_error *error)
{
  if (mxIsChar (a) && mxGetM (a) <= 1)
    return llmenv_model_load (mxGetNumberOfElements (a) == 0 ? "" : mxArrayToString (a),
                           record, error);
  json_t *json = record_json (a, "MODEL", error);
  return json == NULL ? error->status
         : llmenv_model_record_make (json, "MODEL", record, error);
}

llmenv_status
llmenv_mex_card (const mxArray *a, llmenv_card_record **record,
                 llmenv_error *error)
{
  if (mxIsChar (a) && mxGetM (a) <= 1)
    return llmenv_card_load (mxGetNumberOfElements (a) == 0 ? "" : mxArrayToString (a),
                           record, error);
  json_t *json = record_json (a, "CARD", error);
  return json == NULL ? error->status
         : llmenv_card_record_make (json, "CARD", record, error);
}
