/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The importer of configurations: every real file of LLMENV_SHARED against
 * independently derived values; every way of saying a thing, and every family
 * that is not among those files, in small configurations with sums written
 * out by hand; hostile files; records of document 003. */
#include "check.h"

#include "llmenv_import.h"

/* ---- importing ----------------------------------------------------------- */

/* Record of JSON text written with ' for ", through a copy that the reader may
 * change; FILE names it. */
static llmenv_status
import_text (const char *text, const char *file, json_t **record,
             llmenv_import_notes *notes, llmenv_error *error)
{
  char *copy = strdup (text);
  for (char *c = copy; *c != '\0'; c++)
    if (*c == '\'')
      *c = '"';
  *record = NULL;
  notes->n = 0;
  json_t *json = llmenv_import_json_text (copy, strlen (copy), file, NULL, error);
  free (copy);
  if (json == NULL)
    return error->status;
  llmenv_status st = llmenv_import_config (json, file, record, notes, error);
  json_decref (json);
  return st;
}

/* A record with the model made of it. */
typedef struct
{
  llmenv_model_record *model;
  json_t *json;                /* borrowed from model */
  llmenv_envelope envelope;
  llmenv_import_notes notes;
} imported;

static imported
made_of (json_t *json, const llmenv_import_notes *notes, const char *what)
{
  imported m = { .json = json, .notes = *notes };
  llmenv_error error = { LLMENV_OK, "" };
  const llmenv_settings settings = llmenv_settings_default (LLMENV_LAYERED);
  STATUS (llmenv_model_record_make (json, what, &m.model, &error), LLMENV_OK, error, what);
  assert_int_equal (llmenv_envelope_make (&m.model->model, NULL, &settings, &m.envelope), LLMENV_OK);
  return m;
}

static imported
import (const char *text)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes;
  json_t *json;
  STATUS (import_text (text, "test/config.json", &json, &notes, &error), LLMENV_OK, error, text);
  return made_of (json, &notes, text);
}

static void
done (imported *m)
{
  llmenv_model_record_free (m->model);
}

static int
has_note (const imported *m, const char *part)
{
  for (size_t i = 0; i < m->notes.n; i++)
    if (strstr (m->notes.line[i], part) != NULL)
      return 1;
  return 0;
}

/* ---- what a record says --------------------------------------------------- */

static double
number_of (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : NAN;
}

static double
part_sum (const json_t *record, const char *key, const char *word)
{
  double sum = 0;
  size_t i;
  json_t *part;
  json_array_foreach (json_object_get (json_object_get (record, "weights"), "parts"), i, part)
    if (strcmp (llmenv_record_text (part, key), word) == 0)
      sum += number_of (part, "params");
  return sum;
}

static double
role_sum (const json_t *record, const char *role)
{
  return part_sum (record, "role", role);
}

/* Text model, without prediction layers and towers. */
static double
text_params (const json_t *record)
{
  static const char *const roles[] = { "shared", "routed", "head", "embedding", "table", "encoder" };
  double sum = 0;
  for (size_t i = 0; i < N_OF_ARRAY (roles); i++)
    sum += role_sum (record, roles[i]);
  return sum;
}

static int
is_tied (const json_t *record)
{
  size_t i;
  json_t *part;
  json_array_foreach (json_object_get (json_object_get (record, "weights"), "parts"), i, part)
    if (json_is_true (json_object_get (part, "tied")))
      return 1;
  return 0;
}

/* One group as config_expected.tsv writes it, without its count; recurrent
 * mixers are all called so. */
static void
layer_word (const json_t *group, char *word, size_t size)
{
  const char *kind = llmenv_record_text (group, "kind");
  const int shared = strcmp (kind, "shared") == 0;
  if (shared)
    kind = llmenv_record_text (group, "reads");
  const int same = number_of (group, "k_dim") == number_of (group, "v_dim");
  char heads[64];
  snprintf (heads, sizeof heads, same ? "[kv%.0f x %.0f]" : "[kv%.0f x %.0f/%.0f]",
            number_of (group, "kv_heads"), number_of (group, "k_dim"), number_of (group, "v_dim"));
  if (strcmp (kind, "window") == 0)
    snprintf (word, size, "swa@%.0f%s", number_of (group, "window"), heads);
  else if (strcmp (kind, "chunk") == 0)
    snprintf (word, size, "chunk@%.0f%s", number_of (group, "window"), heads);
  else if (strcmp (kind, "full") == 0)
    snprintf (word, size, "full%s", heads);
  else if (strstr (kind, "latent") != NULL)
    snprintf (word, size, "mla(%.0f+%.0f)", number_of (group, "rank"), number_of (group, "rope_dim"));
  else
    snprintf (word, size, "%s", kind);
  if (shared)
    strncat (word, "(shared, no cache)", size - strlen (word) - 1);
}

/* "24 recurrent + 24 none + 4 full[kv8 x 128]": layers that differ only in
 * their MLP or their query heads together. */
static void
layout_of (const json_t *record, char *text, size_t size)
{
  char words[32][96];
  double counts[32];
  size_t n = 0, i, used = 0;
  json_t *group;
  json_array_foreach (json_object_get (record, "layers"), i, group)
    {
      char word[96];
      size_t k = 0;
      layer_word (group, word, sizeof word);
      while (k < n && strcmp (words[k], word) != 0)
        k++;
      if (k == n && n++ < 32)
        {
          snprintf (words[k], sizeof words[k], "%s", word);
          counts[k] = 0;
        }
      counts[k] += number_of (group, "count");
    }
  text[0] = '\0';
  for (size_t k = 0; k < n && used < size; k++)
    used += (size_t) snprintf (text + used, size - used, "%s%.0f %s", k > 0 ? " + " : "",
                               counts[k], words[k]);
}

static double
state_bytes (const json_t *record, const char *elements, const char *type)
{
  double sum = 0;
  size_t i;
  json_t *group;
  json_array_foreach (json_object_get (record, "layers"), i, group)
    {
      const json_t *state = json_object_get (group, "state");
      const double bytes = strcmp (llmenv_record_text (state, type), "fp32") == 0 ? 4 : 2;
      if (state != NULL)
        sum += number_of (group, "count") * number_of (state, elements) * bytes;
    }
  return sum;
}

static double
layer_sum (const json_t *record, const char *key)
{
  double sum = 0;
  size_t i;
  json_t *group;
  json_array_foreach (json_object_get (record, "layers"), i, group)
    if (json_object_get (group, key) != NULL)
      sum += number_of (group, "count") * number_of (group, key);
  return sum;
}

static double
moe_layers (const json_t *record)
{
  double n = 0;
  size_t i;
  json_t *group;
  json_array_foreach (json_object_get (record, "layers"), i, group)
    if (strcmp (llmenv_record_text (json_object_get (group, "mlp"), "kind"), "moe") == 0)
      n += number_of (group, "count");
  return n;
}

/* Bytes held of keys and values alone at L tokens, of the indexer none. */
static double
kv_bytes (const imported *m, double L)
{
  const double state = llmenv_envelope_sum (&m->envelope, LLMENV_HELD, 0);
  return llmenv_envelope_sum (&m->envelope, LLMENV_HELD, L) - state
         - 2 * layer_sum (m->json, "index_dim") * L;
}

/* ---- (a) real files ---------------------------------------------------------- */

enum { REPO, TYPE, LAYOUT, PER_TOKEN, AT_8K, AT_128K, INDEXER, RECURRENT, CONV, STATE_DTYPE, TOTAL,
       ACTIVE, ACTIVE_LESS, EMBED_IN, LM_HEAD, PER_LAYER, ROUTED, ONE_EXPERT, MOE_LAYERS, EXPERTS,
       TOP_K, MTP, PUBLISHED, PUBLISHED_KIND, TSV_NOTES, N_COLUMNS };

/* Files that are refused, with the field that the refusal names. */
static const char *const refused[][2] = {
  { "deepseek-ai/DeepSeek-V4-Flash", "compress_ratios" },
  { "deepseek-ai/DeepSeek-V4-Pro", "compress_ratios" },
  { "nvidia/DeepSeek-V4-Flash-NVFP4", "compress_ratios" },
  { "nvidia/DeepSeek-V4-Pro-NVFP4", "compress_ratios" },
  { "sgl-project/DeepSeek-V4-Pro-FP8", "compress_ratios" },
};

/* Values that rightly differ: repository, column, ours, why. */
static const struct
{
  const char *repo;
  int column;
  double ours;
  const char *why;
} exceptions[] = {
  { "RWKV/rwkv-4-7b-pile", PUBLISHED, 7392649216,
    "the reference's own total_params, from which the published figure differs by 169 x 4096" },
  { "google/gemma-3-4b-it", PUBLISHED, 3880263168,
    "the published count has 262,144 rows of embedding, the file's vocab_size is 262,208: 64 x 2560" },
  { "ibm-granite/granite-3.3-8b-instruct", PUBLISHED, 8170864640,
    "the published count has a vocabulary of 49,155, the file's is 49,159: 4 x 4096, tied" },
};

typedef struct
{
  int files, refused, values, differ, published;
} tally;

/* Words of recurrent mixers and of layers that are only an MLP, as ours. */
static void
plain_layout (const char *expected, char *text, size_t size)
{
  static const char *const words[][2] = {
    { "gdn", "recurrent" }, { "mamba2", "recurrent" }, { "mamba1", "recurrent" },
    { "kda", "recurrent" }, { "lightning", "recurrent" }, { "rwkv4", "recurrent" },
    { "ffn-mlp", "none" }, { "ffn-moe", "none" },
  };
  size_t used = 0;
  while (*expected != '\0' && used + 1 < size)
    {
      size_t k = 0;
      while (k < N_OF_ARRAY (words) && strncmp (expected, words[k][0], strlen (words[k][0])) != 0)
        k++;
      if (k < N_OF_ARRAY (words))
        {
          used += (size_t) snprintf (text + used, size - used, "%s", words[k][1]);
          expected += strlen (words[k][0]);
        }
      else
        text[used++] = *expected++;
    }
  text[used < size ? used : size - 1] = '\0';
}

static void
compare (tally *t, char **column, int which, double got)
{
  static const char *const names[N_COLUMNS] = {
    [PER_TOKEN] = "kv_bytes_per_token", [AT_8K] = "kv_bytes_at_8192", [AT_128K] = "kv_bytes_at_131072",
    [INDEXER] = "indexer_bytes_per_token", [RECURRENT] = "recurrent_state_bytes",
    [CONV] = "conv_state_bytes", [TOTAL] = "total_params", [ACTIVE] = "active_params",
    [ACTIVE_LESS] = "active_less_input_embed", [EMBED_IN] = "embed_in", [LM_HEAD] = "lm_head",
    [PER_LAYER] = "per_layer_embed", [ROUTED] = "routed_total", [ONE_EXPERT] = "one_expert_params",
    [MOE_LAYERS] = "moe_layers", [EXPERTS] = "experts", [TOP_K] = "top_k", [MTP] = "mtp_params",
    [PUBLISHED] = "published",
  };
  if (column[which][0] == '\0')
    return;
  double want = strtod (column[which], NULL);
  for (size_t i = 0; i < N_OF_ARRAY (exceptions); i++)
    if (strcmp (exceptions[i].repo, column[REPO]) == 0 && exceptions[i].column == which)
      want = exceptions[i].ours;
  t->values++;
  if (got == want)
    return;
  t->differ++;
  print_error ("%s: %s: got %.17g, want %.17g\n", column[REPO], names[which], got, want);
}

static void
compare_layers (tally *t, char **column, const imported *m)
{
  char ours[600], theirs[600];
  const json_t *r = m->json;
  layout_of (r, ours, sizeof ours);
  plain_layout (column[LAYOUT], theirs, sizeof theirs);
  t->values++;
  if (strcmp (ours, theirs) != 0)
    {
      t->differ++;
      print_error ("%s: layout: got %s, want %s\n", column[REPO], ours, theirs);
    }
  compare (t, column, PER_TOKEN, number_of (r, "kv_cache_bytes_per_token"));
  compare (t, column, AT_8K, kv_bytes (m, 8192));
  compare (t, column, AT_128K, kv_bytes (m, 131072));
  compare (t, column, INDEXER, 2 * layer_sum (r, "index_dim"));
  compare (t, column, RECURRENT, state_bytes (r, "recurrent", "type"));
  compare (t, column, CONV, state_bytes (r, "conv", "conv_type"));
}

/* A checkpoint's exact total, prediction layers counted where it says so. */
static void
compare_published (tally *t, char **column, const json_t *r)
{
  const char *kind = column[PUBLISHED_KIND];
  if (kind[0] != 'T')
    return;
  t->published++;
  compare (t, column, PUBLISHED, text_params (r)
           + (strstr (kind, "MTP included") != NULL ? role_sum (r, "mtp") : 0));
}

static void
compare_weights (tally *t, char **column, const json_t *r)
{
  const double total = text_params (r), routed = role_sum (r, "routed");
  const double mixed = moe_layers (r), experts = number_of (json_object_get (r, "weights"), "experts");
  const double top = number_of (json_object_get (r, "weights"), "top");
  const double active = total - routed + (routed > 0 ? routed * top / experts : 0);
  const double embedding = is_tied (r) ? role_sum (r, "head") : role_sum (r, "embedding");
  compare (t, column, TOTAL, total);
  compare (t, column, ACTIVE, active);
  compare (t, column, ACTIVE_LESS, is_tied (r) ? active : active - embedding);
  compare (t, column, EMBED_IN, embedding);
  compare (t, column, LM_HEAD, is_tied (r) ? 0 : role_sum (r, "head"));
  compare (t, column, PER_LAYER, part_sum (r, "name", "per-layer embeddings"));
  compare (t, column, ROUTED, routed);
  compare (t, column, ONE_EXPERT, mixed > 0 ? routed / mixed / experts : 0);
  compare (t, column, MOE_LAYERS, mixed);
  compare (t, column, EXPERTS, mixed > 0 ? experts : 0);
  compare (t, column, TOP_K, mixed > 0 ? top : 0);
  compare (t, column, MTP, role_sum (r, "mtp"));
  compare_published (t, column, r);
  NEAR (number_of (r, "params_b"), total / 1e9, 1e-15, column[REPO]);
  NEAR (number_of (r, "active_params_b"), active / 1e9, 1e-15, column[REPO]);
}

static const char *
refusal_of (const char *repo)
{
  for (size_t i = 0; i < N_OF_ARRAY (refused); i++)
    if (strcmp (refused[i][0], repo) == 0)
      return refused[i][1];
  return NULL;
}

static void
check_file (tally *t, char **column, const char *path)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes = { .n = 0 };
  json_t *json = NULL;
  const char *field = refusal_of (column[REPO]);
  const llmenv_status st = llmenv_import_path (path, &json, &notes, &error);
  t->files++;
  if (field != NULL)
    {
      STATUS (st, LLMENV_EBADRECORD, error, column[REPO]);
      HAS_TEXT (error.text, field, column[REPO]);
      t->refused++;
      return;
    }
  STATUS (st, LLMENV_OK, error, column[REPO]);
  if (getenv ("LLMENV_TEST_VERBOSE") != NULL)
    for (size_t i = 0; i < notes.n; i++)
      print_message ("%s: %s\n", column[REPO], notes.line[i]);
  for (size_t i = 0; i < notes.n; i++)
    if (strstr (notes.line[i], "not understood") != NULL || strstr (notes.line[i], "not known; read") != NULL)
      fail_msg ("%s: %s", column[REPO], notes.line[i]);
  imported m = made_of (json, &notes, column[REPO]);
  compare_layers (t, column, &m);
  compare_weights (t, column, m.json);
  done (&m);
}

static void
real_files (void **state)
{
  (void) state;
  char path[1024], line[4096], folder[1400];
  tally t = { 0 };
  if (shared_file ("reference/config_expected.tsv", path) == NULL)
    {
      print_message ("0 files, 0 values compared, 0 differ: skipped\n");
      skip ();
    }
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  assert_non_null (fgets (line, sizeof line, file));
  while (fgets (line, sizeof line, file) != NULL)
    {
      char *column[N_COLUMNS], *rest = line, repo[300];
      line[strcspn (line, "\r\n")] = '\0';
      for (int i = 0; i < N_COLUMNS; i++)
        {
          column[i] = rest == NULL ? line + strlen (line) : strsep (&rest, "\t");
        }
      snprintf (repo, sizeof repo, "%s", column[REPO]);
      char *slash = strchr (repo, '/');
      assert_non_null (slash);
      snprintf (folder, sizeof folder, "%.*shf_configs/%.*s--%s", (int) (strlen (path) - 29), path,
                (int) (slash - repo), repo, slash + 1);
      check_file (&t, column, folder);
    }
  fclose (file);
  print_message ("%d files (%d refused by name, %d exact checkpoint totals), %d values compared, %d differ\n",
                 t.files, t.refused, t.published, t.values, t.differ);
  assert_true (t.files > 100);
  assert_int_equal (t.differ, 0);
}

/* ---- shipped records made from the same files ---------------------------------- */

/* Parts without towers, which no configuration counts. */
static json_t *
parts_without_towers (const json_t *record)
{
  json_t *parts = json_array (), *part;
  size_t i;
  json_array_foreach (json_object_get (json_object_get (record, "weights"), "parts"), i, part)
    if (strcmp (llmenv_record_text (part, "role"), "tower") != 0)
      json_array_append (parts, part);
  return parts;
}

static void
same_json (json_t *got, json_t *want, const char *id, const char *what)
{
  if (json_equal (got, want))
    return;
  char *a = json_dumps (got, JSON_ENCODE_ANY | JSON_COMPACT), *b = json_dumps (want, JSON_ENCODE_ANY | JSON_COMPACT);
  print_error ("%s: %s:\n  got  %s\n  want %s\n", id, what, a, b);
  free (a);
  free (b);
  fail ();
}

static void
shipped_records (void **state)
{
  (void) state;
  char path[1024], line[4096], file_name[1400];
  int n = 0;
  if (shared_file ("records/config_map.tsv", path) == NULL)
    skip ();
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  while (fgets (line, sizeof line, file) != NULL)
    {
      char *rest = line, *id = strsep (&rest, "\t"), *repo = strsep (&rest, "\t"), *relation = strsep (&rest, "\t\n");
      llmenv_error error = { LLMENV_OK, "" };
      json_t *json = NULL;
      char *slash = repo == NULL ? NULL : strchr (repo, '/');
      if (slash == NULL || relation == NULL || strcmp (relation, "exact") != 0)
        continue;
      snprintf (file_name, sizeof file_name, "%.*shf_configs/%.*s--%s", (int) (strlen (path) - 22), path,
                (int) (slash - repo), repo, slash + 1);
      const llmenv_model_record *shipped = llmenv_catalogue_model (shipped_catalogue (), id);
      const llmenv_status st = llmenv_import_path (file_name, &json, NULL, &error);
      if (shipped == NULL || json_object_get (shipped->json, "layers") == NULL || st != LLMENV_OK)
        continue;
      json_t *ours = parts_without_towers (json), *theirs = parts_without_towers (shipped->json);
      same_json (json_object_get (json, "layers"), json_object_get (shipped->json, "layers"), id, "layers");
      same_json (ours, theirs, id, "weights");
      assert_string_equal (llmenv_record_text (json, "weight_format"), llmenv_record_text (shipped->json, "weight_format"));
      json_decref (ours);
      json_decref (theirs);
      json_decref (json);
      n++;
    }
  fclose (file);
  print_message ("%d shipped records compared: layers, weights and types equal\n", n);
  assert_true (n > 20);
}

/* ---- (d) records of document 003 ---------------------------------------------- */

static void
records_load_unchanged (void **state)
{
  (void) state;
  char path[1024], name[] = "/tmp/llmenv-record-XXXXXX.json", *line = NULL;
  size_t room = 0;
  int n = 0;
  if (shared_file ("records/models.jsonl", path) == NULL)
    skip ();
  FILE *file = fopen (path, "r");
  assert_non_null (file);
  close (mkstemps (name, 5));
  while (getline (&line, &room, file) > 0)
    {
      llmenv_error error = { LLMENV_OK, "" };
      json_t *record = NULL, *source = json_loads (line, 0, NULL);
      FILE *one = fopen (name, "w");
      fputs (line, one);
      fclose (one);
      STATUS (llmenv_import_path (name, &record, NULL, &error), LLMENV_OK, error, line);
      assert_true (json_equal (record, source));
      json_decref (source);
      imported m = made_of (record, &(llmenv_import_notes) { .n = 0 }, line);
      done (&m);
      n++;
    }
  free (line);
  fclose (file);
  unlink (name);
  print_message ("%d records of document 003 loaded unchanged\n", n);
  assert_int_equal (n, 81);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (real_files),
    cmocka_unit_test (shipped_records),
    cmocka_unit_test (records_load_unchanged),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
