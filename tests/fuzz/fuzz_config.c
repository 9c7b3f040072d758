/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer target of the configuration importer: any bytes give a refusal in
 * one line, or a record that the reader of records accepts.
 * The seeds are minimal files of each family. */
#include "fuzz.h"
#include "llmenv_import_config.h"

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size,
                                unsigned int seed);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes = { .n = 0 };
  json_t *record = NULL;
  char *copy = malloc (size + 1);
  if (copy == NULL)
    return 0;
  memcpy (copy, data, size);
  json_t *json = llmenv_import_json_text (copy, size, "fuzz/config.json", NULL, &error);
  free (copy);
  if (json == NULL)
    check_refusal (&error);
  else if (llmenv_import_config (json, "fuzz/config.json", &record, &notes, &error) == LLMENV_OK)
    check_record (record);
  else
    check_refusal (&error);
  json_decref (json);
  return 0;
}

/* ---- mutations that know the fields ---------------------------------------- */

static const char *const spellings[] = {
#define X(name, words) words,
  LLMENV_CONFIG_FIELDS (X)
#undef X
};

static const char *const values[] = {
  "0", "1", "2", "3", "4", "8", "16", "64", "128", "1000", "1000", "1000000000", "-1", "0.5", "1e300",
  "true", "false", "null", "[]", "{}", "[0,1]", "[1,1]", "[1,2,3,4]", "[0]", "\"float32\"", "\"auto\"", "\"\"",
  "\"M-*E\"", "\"LLLG\"", "\"1,2\"", "\"sigmoid\"", "[\"full_attention\",\"sliding_attention\"]",
  "[\"mamba\",\"attention\"]", "[\"linear_attention\",\"full_attention\"]", "[\"dense\",\"sparse\"]",
  "[[1,2]]", "[[[\"global\",\"local\"],2]]",
  "[{\"attention\":{\"n_heads_in_group\":2},\"ffn\":{\"ffn_mult\":1.5}},{\"attention\":{\"no_op\":true},\"ffn\":{}}]",
  "{\"quant_method\":\"fp8\",\"ignore\":[\"re:.*self_attn.*\"],\"weight_block_size\":[128,128]}",
};

/* Another member before the last brace: one spelling of one field. */
size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
  char member[512];
  uint32_t random = seed * 2654435761u + 1;
#define PICK(n) (random = random * 1664525u + 1013904223u, (random >> 8) % (unsigned) (n))
  size_t at = size;
  while (at > 0 && data[at - 1] != '}')
    at--;
  if (at == 0 || PICK (2) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  const char *s = spellings[PICK (sizeof spellings / sizeof *spellings)];
  for (unsigned skip = PICK (3); skip > 0 && strchr (s, '|') != NULL; skip--)
    s = strchr (s, '|') + 1;
  const int n = (int) strcspn (s, "|"), dot = (int) strcspn (s, ".|");
  const char *value = values[PICK (sizeof values / sizeof *values)];
  const int length
    = dot < n ? snprintf (member, sizeof member, ",\"%.*s\":{\"%.*s\":%s}", dot, s, n - dot - 1, s + dot + 1, value)
              : snprintf (member, sizeof member, ",\"%.*s\":%s", n, s, value);
  if (length <= 0 || (size_t) length >= sizeof member || size + (size_t) length > max_size)
    return LLVMFuzzerMutate (data, size, max_size);
  memmove (data + at - 1 + length, data + at - 1, size - at + 1);
  memcpy (data + at - 1, member, (size_t) length);
  return size + (size_t) length;
}
