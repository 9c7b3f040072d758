/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The importer of configurations: every real file of LLMENV_SHARED against
 * independently derived values; every way of saying a thing, and every family
 * that is not among those files, in small configurations with sums written
 * out by hand; hostile files; records of document 003. */
#include "check.h"

#include <time.h>

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
  if (json_equal (got, want) || (got == NULL && want == NULL))
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
  static const char *const fields[] = { "kv_cache_bytes_per_token_basis", "kv_caching_layer_count",
                                        "state_bytes_per_sequence", "attention_head_count" };
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
      for (size_t k = 0; k < N_OF_ARRAY (fields); k++)
        same_json (json_object_get (json, fields[k]), json_object_get (shipped->json, fields[k]), id, fields[k]);
      json_decref (ours);
      json_decref (theirs);
      json_decref (json);
      n++;
    }
  fclose (file);
  print_message ("%d shipped records compared: layers, weights and types equal\n", n);
  assert_true (n >= 41);
}

/* ---- (b) one case a family and a trap ---------------------------------------------- */

/* Text with ' for "; layout, bytes a token and state as the record says them;
 * parameters without prediction layers, 0 where weights are left out; a part
 * of a note, or NULL. */
typedef struct
{
  const char *what, *text, *layout;
  double per_token, state, params;
  const char *note;
} config_case;

static void
check_case (const config_case *k)
{
  char layout[600];
  imported m = import (k->text);
  layout_of (m.json, layout, sizeof layout);
  if (strcmp (layout, k->layout) != 0)
    fail_msg ("%s: layout: got %s, want %s", k->what, layout, k->layout);
  NEAR (number_of (m.json, "kv_cache_bytes_per_token"), k->per_token, 0, k->what);
  const double state = number_of (m.json, "state_bytes_per_sequence");
  NEAR (isnan (state) ? 0 : state, k->state, 0, k->what);
  NEAR (text_params (m.json), k->params, 0, k->what);
  if (k->note != NULL && !has_note (&m, k->note))
    fail_msg ("%s: no note says \"%s\"", k->what, k->note);
  done (&m);
}

static void
check_cases (const config_case *cases, size_t n)
{
  for (size_t i = 0; i < n; i++)
    check_case (&cases[i]);
  print_message ("%zu configurations compared\n", n);
}

/* Dimensions of published models, whose checkpoints' totals are the oracle for
 * parameters. Bytes a token: layers x 2 x KV heads x head width x 2. */
static const config_case families[] = {
  { "GPT-2: learned positions, biases, tied; 12 x 2 x 12 x 64 x 2",
    "{'model_type':'gpt2','n_embd':768,'n_layer':12,'n_head':12,'n_positions':1024,'vocab_size':50257}",
    "12 full[kv12 x 64]", 36864, 0, 124439808, "tie_word_embeddings=true" },
  { "OPT-1.3B: positions with an offset of two",
    "{'model_type':'opt','hidden_size':2048,'num_hidden_layers':24,'num_attention_heads':32,"
    "'ffn_dim':8192,'max_position_embeddings':2048,'vocab_size':50272}",
    "24 full[kv32 x 64]", 196608, 0, 1315758080, NULL },
  { "BLOOM: a norm of the embedding, no position weights",
    "{'model_type':'bloom','n_embed':14336,'n_layer':70,'num_attention_heads':112,'vocab_size':250880}",
    "70 full[kv112 x 128]", 4014080, 0, 176247271424, NULL },
  { "Falcon-7B: one KV head whatever num_kv_heads says; 32 x 2 x 1 x 64 x 2",
    "{'model_type':'falcon','hidden_size':4544,'num_hidden_layers':32,'num_attention_heads':71,"
    "'num_kv_heads':71,'multi_query':true,'parallel_attn':true,'new_decoder_architecture':false,"
    "'bias':false,'alibi':false,'vocab_size':65024}",
    "32 full[kv1 x 64]", 8192, 0, 6921720704, NULL },
  { "Falcon-40B: eight KV heads although multi_query is set",
    "{'model_type':'falcon','hidden_size':8192,'num_hidden_layers':60,'num_attention_heads':128,"
    "'num_kv_heads':8,'multi_query':true,'parallel_attn':true,'new_decoder_architecture':true,"
    "'bias':false,'vocab_size':65024}",
    "60 full[kv8 x 64]", 122880, 0, 41303293952, NULL },
  { "GPT-J-6B: one norm, no biases in attention, a bias of the head",
    "{'model_type':'gptj','n_embd':4096,'n_layer':28,'n_head':16,'n_positions':2048,"
    "'vocab_size':50400,'n_inner':null,'tie_word_embeddings':false}",
    "28 full[kv16 x 256]", 458752, 0, 6050882784, NULL },
  { "GPT-NeoX-20B",
    "{'model_type':'gpt_neox','hidden_size':6144,'num_hidden_layers':44,'num_attention_heads':64,"
    "'intermediate_size':24576,'vocab_size':50432,'tie_word_embeddings':false}",
    "44 full[kv64 x 96]", 1081344, 0, 20554567680, NULL },
  { "GPT-Neo-1.3B: global and local layers in turns, as a run",
    "{'model_type':'gpt_neo','hidden_size':2048,'num_layers':24,'num_heads':16,'intermediate_size':null,"
    "'vocab_size':50257,'max_position_embeddings':2048,'attention_types':[[['global','local'],12]],"
    "'window_size':256}",
    "12 full[kv16 x 128] + 12 swa@256[kv16 x 128]", 196608, 0, 1315575808, NULL },
  { "StarCoder: multi-query by class default",
    "{'model_type':'gpt_bigcode','n_embd':6144,'n_layer':40,'n_head':48,'n_inner':24576,"
    "'n_positions':8192,'vocab_size':49152}",
    "40 full[kv1 x 128]", 20480, 0, 15517456384, "multi_query=true" },
  { "StarCoder2-3B: a window in every layer",
    "{'model_type':'starcoder2','hidden_size':3072,'num_hidden_layers':30,'num_attention_heads':24,"
    "'num_key_value_heads':2,'intermediate_size':12288,'vocab_size':49152,'use_bias':true,"
    "'sliding_window':4096}",
    "30 swa@4096[kv2 x 128]", 30720, 0, 3030371328, NULL },
  { "Phi-2: attention and MLP side by side under one norm",
    "{'model_type':'phi','hidden_size':2560,'num_hidden_layers':32,'num_attention_heads':32,"
    "'num_key_value_heads':32,'intermediate_size':10240,'vocab_size':51200,'tie_word_embeddings':false}",
    "32 full[kv32 x 80]", 327680, 0, 2779683840, NULL },
  { "Phi-3.5-MoE: biases, experts, shifted norms",
    "{'model_type':'phimoe','hidden_size':4096,'intermediate_size':6400,'num_attention_heads':32,"
    "'num_key_value_heads':8,'num_hidden_layers':32,'num_local_experts':16,'num_experts_per_tok':2,"
    "'vocab_size':32064,'attention_bias':true,'lm_head_bias':true,'sliding_window':131072,"
    "'tie_word_embeddings':false}",
    "32 swa@131072[kv8 x 128]", 131072, 0, 41873153344, NULL },
  { "StableLM-3B",
    "{'model_type':'stablelm','hidden_size':2560,'num_hidden_layers':32,'num_attention_heads':32,"
    "'num_key_value_heads':32,'intermediate_size':6912,'vocab_size':50304,'use_qkv_bias':false,"
    "'use_parallel_residual':false,'tie_word_embeddings':false}",
    "32 full[kv32 x 80]", 327680, 0, 2795443200, NULL },
  { "ChatGLM3-6B: multi_query_group_num, kv_channels, padded_vocab_size",
    "{'model_type':'chatglm','num_layers':28,'padded_vocab_size':65024,'hidden_size':4096,"
    "'ffn_hidden_size':13696,'kv_channels':128,'num_attention_heads':32,'seq_length':8192,"
    "'add_bias_linear':false,'add_qkv_bias':true,'multi_query_attention':true,'multi_query_group_num':2}",
    "28 full[kv2 x 128]", 28672, 0, 6243584000, NULL },
  { "ChatGLM of the first kind: groups named but switched off",
    "{'model_type':'chatglm','num_layers':2,'padded_vocab_size':100,'hidden_size':64,'ffn_hidden_size':128,"
    "'num_attention_heads':4,'multi_query_attention':false,'multi_query_group_num':1}",
    /* a layer: 4 x 64 x 64 + 3 x 64 biases + 3 x 64 x 128 + 2 x 64 = 41,280 */
    "2 full[kv4 x 16]", 512, 0, 2 * 41280 + 2 * 6400 + 64, NULL },
  { "Qwen-7B: intermediate_size counts gate and up together",
    "{'model_type':'qwen','hidden_size':4096,'intermediate_size':22016,'kv_channels':128,"
    "'num_attention_heads':32,'num_hidden_layers':32,'vocab_size':151936,'no_bias':true,"
    "'tie_word_embeddings':false}",
    "32 full[kv32 x 128]", 524288, 0, 7721324544, NULL },
  { "Qwen1.5-MoE-A2.7B: a gated shared expert of its own width",
    "{'model_type':'qwen2_moe','hidden_size':2048,'intermediate_size':5632,'moe_intermediate_size':1408,"
    "'shared_expert_intermediate_size':5632,'num_experts':60,'num_experts_per_tok':4,"
    "'num_hidden_layers':24,'num_attention_heads':16,'num_key_value_heads':16,'vocab_size':151936,"
    "'use_sliding_window':false,'sliding_window':32768,'tie_word_embeddings':false}",
    "24 full[kv16 x 128]", 196608, 0, 14315784192, NULL },
  { "DBRX: fields inside attn_config and ffn_config",
    "{'model_type':'dbrx','d_model':6144,'n_layers':40,'n_heads':48,'attn_config':{'kv_n_heads':8},"
    "'ffn_config':{'ffn_hidden_size':10752,'moe_num_experts':16,'moe_top_k':4},'max_seq_len':32768,"
    "'vocab_size':100352,'tie_word_embeddings':false}",
    "40 full[kv8 x 128]", 163840, 0, 131596523520, NULL },
  { "OLMo-7B: norms without weights",
    "{'model_type':'olmo','hidden_size':4096,'intermediate_size':11008,'num_attention_heads':32,"
    "'num_hidden_layers':32,'vocab_size':50304,'tie_word_embeddings':false}",
    "32 full[kv32 x 128]", 524288, 0, 6888095744, NULL },
  { "OLMoE-1B-7B",
    "{'model_type':'olmoe','hidden_size':2048,'intermediate_size':1024,'num_attention_heads':16,"
    "'num_key_value_heads':16,'num_hidden_layers':16,'num_experts':64,'num_experts_per_tok':8,"
    "'vocab_size':50304,'tie_word_embeddings':false}",
    "16 full[kv16 x 128]", 131072, 0, 6919161856, NULL },
  { "Command R+: norms of queries and keys for each head",
    "{'model_type':'cohere','hidden_size':12288,'num_hidden_layers':64,'num_attention_heads':96,"
    "'num_key_value_heads':8,'intermediate_size':33792,'vocab_size':256000,'use_qk_norm':true}",
    "64 full[kv8 x 128]", 262144, 0, 103810674688, NULL },
  { "DeepSeekMoE-16B: two shared experts, a dense first layer, no latent",
    "{'model_type':'deepseek','hidden_size':2048,'num_hidden_layers':28,'num_attention_heads':16,"
    "'num_key_value_heads':16,'intermediate_size':10944,'moe_intermediate_size':1408,"
    "'n_routed_experts':64,'n_shared_experts':2,'num_experts_per_tok':6,'first_k_dense_replace':1,"
    "'moe_layer_freq':1,'vocab_size':102400,'scoring_func':'softmax'}",
    "28 full[kv16 x 128]", 229376, 0, 16375728128, NULL },
  { "GLM-4.5-Air: no query and key norms where the field says so",
    "{'model_type':'glm4_moe','hidden_size':4096,'num_hidden_layers':46,'num_attention_heads':96,"
    "'num_key_value_heads':8,'head_dim':128,'intermediate_size':10944,'moe_intermediate_size':1408,"
    "'n_routed_experts':128,'n_shared_experts':1,'num_experts_per_tok':8,'first_k_dense_replace':1,"
    "'attention_bias':true,'use_qk_norm':false,'num_nextn_predict_layers':1,'vocab_size':151552}",
    "46 full[kv8 x 128]", 188416, 0, 106852251264, NULL },
  { "ERNIE-4.5-21B-A3B: fields that start with moe_; an end of -1",
    "{'model_type':'ernie4_5_moe','hidden_size':2560,'num_hidden_layers':28,'num_attention_heads':20,"
    "'num_key_value_heads':4,'intermediate_size':12288,'moe_num_experts':64,'moe_k':6,"
    "'moe_num_shared_experts':2,'moe_intermediate_size':1536,'moe_layer_start_index':1,"
    "'moe_layer_end_index':-1,'moe_layer_interval':1,'vocab_size':103424,'use_bias':false}",
    "28 full[kv4 x 128]", 57344, 0, 21825437888, NULL },
  { "Gemma-2-27B: even layers slide by class default",
    "{'model_type':'gemma2','hidden_size':4608,'num_hidden_layers':46,'num_attention_heads':32,"
    "'num_key_value_heads':16,'head_dim':128,'intermediate_size':36864,'vocab_size':256000,"
    "'sliding_window':4096}",
    "23 swa@4096[kv16 x 128] + 23 full[kv16 x 128]", 376832, 0, 27227128320, "sliding_window_pattern=2" },
  { "Gemma-3-1B",
    "{'model_type':'gemma3_text','hidden_size':1152,'num_hidden_layers':26,'num_attention_heads':4,"
    "'num_key_value_heads':1,'head_dim':256,'intermediate_size':6912,'vocab_size':262144,"
    "'sliding_window':512,'sliding_window_pattern':6}",
    "22 swa@512[kv1 x 256] + 4 full[kv1 x 256]", 26624, 0, 999885952, NULL },
  { "SmolLM3: layers without rotary positions are no chunks",
    "{'model_type':'smollm3','hidden_size':2048,'num_hidden_layers':4,'num_attention_heads':16,"
    "'num_key_value_heads':4,'intermediate_size':11008,'vocab_size':128256,'no_rope_layers':[1,1,1,0],"
    "'use_sliding_window':false,'sliding_window':null}",
    /* a layer: 2 x 2048^2 + 2 x 2048 x 512 + 3 x 2048 x 11008 + 2 x 2048 = 78,123,008 */
    "4 full[kv4 x 128]", 8192, 0, 4.0 * 78123008 + 128256.0 * 2048 + 2048, NULL },
  { "OpenELM-270M: heads and widths as lists of every layer; 252 half heads",
    "{'model_type':'openelm','model_dim':1280,'num_transformer_layers':16,'head_dim':64,'vocab_size':32000,"
    "'ffn_multipliers':[0.5,0.73,0.97,1.2,1.43,1.67,1.9,2.13,2.37,2.6,2.83,3.07,3.3,3.53,3.77,4.0],"
    "'num_kv_heads':[3,3,3,3,3,4,4,4,4,4,4,4,5,5,5,5],'normalize_qk_projections':true,"
    "'num_query_heads':[12,12,12,12,12,16,16,16,16,16,16,16,20,20,20,20],'share_input_output_layers':true,"
    "'ffn_with_glu':true}",
    "5 full[kv3 x 64] + 7 full[kv4 x 64] + 4 full[kv5 x 64]", 16128, 0, 271527168, NULL },
  { "EXAONE-4: letters that repeat over the stack",
    "{'model_type':'exaone4','hidden_size':5120,'num_hidden_layers':64,'num_attention_heads':40,"
    "'num_key_value_heads':8,'head_dim':128,'intermediate_size':27392,'sliding_window':4096,"
    "'sliding_window_pattern':'LLLG','vocab_size':102400,'tie_word_embeddings':false}",
    "48 swa@4096[kv8 x 128] + 16 full[kv8 x 128]", 262144, 0, 32003216384, NULL },
  { "MiMo-V2-Flash: K 192 and V 128 wide, other KV heads where it slides;"
    " 2 x (11 x 4 + 37 x 8) x 320",
    "{'model_type':'mimo_v2_flash','hidden_size':4096,'num_hidden_layers':48,'num_attention_heads':64,"
    "'num_key_value_heads':4,'head_dim':192,'v_head_dim':128,'swa_num_attention_heads':64,"
    "'swa_num_key_value_heads':8,'swa_head_dim':192,'swa_v_head_dim':128,'sliding_window':128,"
    "'hybrid_layer_pattern':[0,1,1,1,1,0,1,1,1,1,0,1,1,1,1,0,1,1,1,1,0,1,1,1,1,0,1,1,1,1,0,1,1,1,1,0,"
    "1,1,1,1,0,1,1,1,1,0,1,1],'vocab_size':152576}",
    "10 full[kv4 x 192/128] + 38 swa@128[kv8 x 192/128]", 2.0 * (10 * 4 + 38 * 8) * 320, 0, 0,
    "width of the MLP is missing" },
  { "Step-3.5-Flash: other query heads where it slides, experts as text, a list longer than the stack",
    "{'model_type':'step3p5','hidden_size':4096,'num_hidden_layers':4,'num_attention_heads':64,"
    "'num_attention_groups':8,'head_dim':128,'intermediate_size':11264,'sliding_window':512,"
    "'layer_types':['full_attention','sliding_attention','sliding_attention','sliding_attention','full_attention'],"
    "'attention_other_setting':{'num_attention_heads':96,'num_attention_groups':8,'head_dim':128},"
    "'moe_num_experts':288,'moe_top_k':8,'moe_intermediate_size':1280,'share_expert_dim':1280,"
    "'moe_layers_enum':'3','num_nextn_predict_layers':1,'vocab_size':128896}",
    /* attention with 64 heads: 4096 x (2 x 8192 + 2 x 1024 + 64); with 96: 4096 x (2 x 12288 + 2 x 1024 + 96);
     * norms 2 x 4096 + 2 x 128; dense MLP 3 x 4096 x 11264; experts 289 x 3 x 4096 x 1280 and 288 x 4097 */
    "1 full[kv8 x 128] + 3 swa@512[kv8 x 128]", 16384, 0,
    4096.0 * 18496 + 3 * 4096.0 * 26720 + 4 * 8448.0 + 3 * 3 * 4096.0 * 11264
    + 289 * 3 * 4096.0 * 1280 + 288 * 4097.0 + 2 * 128896.0 * 4096 + 4096, "first 4 are the model's" },
  { "Llama-4: rotary layers chunk, as a list",
    "{'model_type':'llama4_text','hidden_size':64,'num_hidden_layers':4,'num_attention_heads':4,"
    "'num_key_value_heads':2,'head_dim':16,'attention_chunk_size':32,'no_rope_layers':[1,0,1,0]}",
    "2 chunk@32[kv2 x 16] + 2 full[kv2 x 16]", 4 * 2 * 2 * 16 * 2, 0, 0, NULL },
  { "Nemotron-NAS: blocks as objects; 64/8 heads, then none, then nothing at all",
    "{'model_type':'nemotron-nas','hidden_size':8192,'num_hidden_layers':3,'num_attention_heads':64,"
    "'intermediate_size':null,'num_key_value_heads':null,'vocab_size':128256,'tie_word_embeddings':false,"
    "'block_configs':[{'attention':{'n_heads_in_group':8,'no_op':false},'ffn':{'ffn_mult':5.25,'no_op':false}},"
    "{'attention':{'n_heads_in_group':null,'no_op':true},'ffn':{'ffn_mult':1.3125,'no_op':false}},"
    "{'attention':{'n_heads_in_group':null,'no_op':true},'ffn':{'ffn_mult':null,'no_op':true}}]}",
    /* MLPs of 28,672 and 7,168; attention 2 x 8192^2 + 2 x 8192 x 1024; six norms and the last */
    "1 full[kv8 x 128] + 2 none", 4096, 0,
    3.0 * 8192 * (28672 + 7168) + 2.0 * 8192 * 8192 + 2.0 * 8192 * 1024 + 7 * 8192.0 + 2 * 128256.0 * 8192, NULL },
  { "LongCat: two latent attentions under one number",
    "{'model_type':'longcat_flash','hidden_size':6144,'num_layers':28,'num_attention_heads':64,"
    "'kv_lora_rank':512,'q_lora_rank':1536,'qk_nope_head_dim':128,'qk_rope_head_dim':64,'v_head_dim':128,"
    "'ffn_hidden_size':12288,'expert_ffn_hidden_size':2048,'n_routed_experts':512,'moe_topk':12}",
    "56 mla(512+64)", 64512, 0, 0, "not written out" },
  { "MiniCPM3: latent attention without a mixture; 62 x 288 x 2",
    "{'model_type':'minicpm3','hidden_size':2560,'num_hidden_layers':62,'num_attention_heads':40,"
    "'num_key_value_heads':40,'kv_lora_rank':256,'q_lora_rank':768,'qk_nope_head_dim':64,"
    "'qk_rope_head_dim':32,'v_head_dim':64}",
    "62 mla(256+32)", 35712, 0, 0, "vocab_size is missing" },
  { "Hunyuan-Large: every second layer reads the cache of the one before; lists for every layer",
    "{'model_type':'hunyuan','hidden_size':640,'num_hidden_layers':4,'num_attention_heads':8,"
    "'num_key_value_heads':2,'attention_head_dim':128,'intermediate_size':64,'num_experts':4,"
    "'moe_topk':[1,1,1,1],'num_shared_expert':[1,1,1,1],'use_cla':true,'cla_share_factor':2}",
    "2 full[kv2 x 128] + 2 full[kv2 x 128](shared, no cache)", 2048, 0, 0, NULL },
  { "Gemma-3n: the last layers read earlier caches; 20 x 2 x 2 x 256 x 2",
    "{'model_type':'gemma3n','text_config':{'model_type':'gemma3n_text'}}",
    "16 swa@512[kv2 x 256] + 4 full[kv2 x 256] + 12 swa@512[kv2 x 256](shared, no cache)"
    " + 3 full[kv2 x 256](shared, no cache)", 40960, 0,
    /* a layer: attention, low rank 64, MLP, per-layer gate; norms of queries and keys, six of the width, 4 streams:
     * 16 + 64 coefficients, a router, its norm and scale; then tables and projections around the stack */
    35.0 * (2.0 * 2048 * 2048 + 2.0 * 2048 * 512 + 2.0 * 2048 * 64 + 3.0 * 2048 * 16384 + 2.0 * 2048 * 256
            + 2 * 256 + 6 * 2048 + 16 + 64 + 4 * 2048 + 2 * 2048)
    + 262400.0 * 2048 + 2048 + 262144.0 * 35 * 256 + 2048.0 * 35 * 256 + 256 + 6.0 * 2048 * 2048,
    "num_kv_shared_layers=15" },
  { "Mllama: cross attention reads four tiles of 1,601 image tokens",
    "{'model_type':'mllama','text_config':{'model_type':'mllama_text_model','hidden_size':4096,"
    "'num_hidden_layers':5,'num_attention_heads':32,'num_key_value_heads':8,'intermediate_size':14336,"
    "'cross_attention_layers':[3],'vocab_size':128256},"
    "'vision_config':{'image_size':560,'patch_size':14,'max_num_tiles':4}}",
    "4 full[kv8 x 128] + 1 none + 1 cross", 16384, 0, 0, "4 tiles" },
  /* state space and other recurrences */
  { "Jamba: attention in one of eight, experts in every second; 28 x (8192 x 16 + 8192 x 3) x 2",
    "{'model_type':'jamba','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,"
    "'num_key_value_heads':8,'intermediate_size':14336,'attn_layer_period':8,'attn_layer_offset':4,"
    "'expert_layer_period':2,'expert_layer_offset':1,'num_experts':16,'num_experts_per_tok':2,"
    "'mamba_d_state':16,'mamba_d_conv':4,'mamba_expand':2,'mamba_dt_rank':256,'vocab_size':65536,"
    "'tie_word_embeddings':false}",
    "28 recurrent + 4 full[kv8 x 128]", 16384, 28.0 * 8192 * 19 * 2, 51570323328, "its kind's is assumed" },
  { "Falcon-H1-7B: attention and Mamba-2 in every layer; 44 x (3072 x 256 + 3584 x 3) x 2",
    "{'model_type':'falcon_h1','hidden_size':3072,'num_hidden_layers':44,'num_attention_heads':12,"
    "'num_key_value_heads':2,'head_dim':128,'intermediate_size':12288,'vocab_size':130048,"
    "'tie_word_embeddings':false,'mamba_d_state':256,'mamba_n_groups':1,'mamba_n_heads':24,"
    "'mamba_d_head':128,'mamba_d_ssm':3072,'mamba_expand':2,'mamba_d_conv':4}",
    "44 full[kv2 x 128]", 45056, 44.0 * (3072 * 256 + 3584 * 3) * 2, 7585648736, NULL },
  { "Falcon-Mamba-7B: the first generation; expand 16 is not used beside intermediate_size",
    "{'model_type':'falcon_mamba','hidden_size':4096,'num_hidden_layers':64,'intermediate_size':8192,"
    "'state_size':16,'conv_kernel':4,'time_step_rank':256,'expand':16,'vocab_size':65024,"
    "'tie_word_embeddings':false}",
    "64 recurrent", 0, 64.0 * 8192 * 19 * 2, 7272665088, NULL },
  { "Mamba-Codestral-7B: everything but the width by class default",
    "{'model_type':'mamba2','hidden_size':4096,'num_hidden_layers':64,'vocab_size':32768,"
    "'tie_word_embeddings':false}",
    "64 recurrent", 0, 64.0 * (8192 * 128 + 10240 * 3) * 2, 7285403648, "state_size=128" },
  { "A file of the mamba_ssm package: no model_type, a vocabulary to be padded",
    "{'d_model':2560,'d_intermediate':0,'n_layer':64,'vocab_size':50277,'ssm_cfg':{'layer':'Mamba2'},"
    "'attn_layer_idx':[],'attn_cfg':{},'pad_vocab_size_multiple':16,'tie_embeddings':true}",
    "64 recurrent", 0, 64.0 * (5120 * 128 + 5376 * 3) * 2, 2702599680, NULL },
  { "Bamba-9B: attention at a list of indices",
    "{'model_type':'bamba','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,"
    "'num_key_value_heads':8,'attn_layer_indices':[9,18,27],'intermediate_size':14336,'mamba_d_conv':4,"
    "'mamba_d_head':64,'mamba_d_state':128,'mamba_expand':2,'mamba_n_groups':1,'mamba_n_heads':128}",
    "29 recurrent + 3 full[kv8 x 128]", 12288, 29.0 * (8192 * 128 + 8448 * 3) * 2, 0, NULL },
  { "LFM2-1.2B: short convolutions but at a list; the MLP is two thirds of block_ff_dim",
    "{'model_type':'lfm2','hidden_size':2048,'num_hidden_layers':16,'num_attention_heads':32,"
    "'num_key_value_heads':8,'block_ff_dim':12288,'block_auto_adjust_ff_dim':true,"
    "'block_ffn_dim_multiplier':1.0,'block_multiple_of':256,'conv_L_cache':3,'conv_bias':false,"
    "'full_attn_idxs':[2,5,8,10,12,14],'vocab_size':65536}",
    "10 recurrent + 6 full[kv8 x 64]", 12288, 10.0 * 2048 * 2 * 2, 1170340608, NULL },
  { "RecurrentGemma: block types repeat, attention slides; 2 x (2560 x 4 + 7680 x 2)",
    "{'model_type':'recurrent_gemma','hidden_size':2560,'num_hidden_layers':3,'num_attention_heads':10,"
    "'num_key_value_heads':1,'head_dim':256,'lru_width':2560,'attention_window_size':2048,"
    "'block_types':['recurrent','recurrent','attention']}",
    "2 recurrent + 1 swa@2048[kv1 x 256]", 1024, 2.0 * (2560 * 4 + 7680 * 2), 0, NULL },
  { "Zamba2: shared attention blocks beside some mixers; 6 x 2 x 32 x 128 x 2",
    "{'model_type':'zamba2','hidden_size':2048,'num_hidden_layers':4,'num_attention_heads':32,"
    "'num_key_value_heads':32,'attention_head_dim':128,'mamba_d_state':128,'mamba_d_conv':4,"
    "'mamba_expand':2,'mamba_ngroups':1,'n_mamba_heads':64,'mamba_headdim':64,"
    "'layers_block_type':['mamba','mamba','mamba','hybrid'],'intermediate_size':8192}",
    "3 recurrent + 1 full[kv32 x 128]", 16384, 4.0 * (4096 * 128 + 4352 * 3) * 2, 0, NULL },
  { "PLaMo-2: attention in the middle of each period, and it slides",
    "{'model_type':'plamo2','hidden_size':256,'num_hidden_layers':4,'num_attention_heads':4,"
    "'num_key_value_heads':1,'hidden_size_per_head':64,'mamba_d_state':8,'mamba_d_conv':4,"
    "'mamba_num_heads':8,'mamba_step':2,'attention_window_size':32,'full_attention_idx':[3]}",
    /* 8 heads of 64: 2 x (512 x 8 + (512 + 16) x 3) x 2 */
    "2 recurrent + 1 swa@32[kv1 x 64] + 1 full[kv1 x 64]", 512, 2.0 * (512 * 8 + 528 * 3) * 2, 0, NULL },
  { "Hymba: both in every layer, three see everything, groups share a cache",
    "{'model_type':'hymba','hidden_size':1600,'num_hidden_layers':4,'num_attention_heads':25,"
    "'num_key_value_heads':5,'sliding_window':1024,'global_attn_idx':[0,3],'mamba_d_state':16,"
    "'mamba_d_conv':4,'mamba_expand':2,'mamba_dt_rank':100,'kv_reuse_group':[[1,2]]}",
    "2 full[kv5 x 64] + 1 swa@1024[kv5 x 64] + 1 swa@1024[kv5 x 64](shared, no cache)", 3 * 1280,
    4.0 * 3200 * 19 * 2, 0, NULL },
  { "Ring-linear: groups of five, and what is left over is full",
    "{'model_type':'bailing_moe_linear','hidden_size':2048,'num_hidden_layers':7,'num_attention_heads':16,"
    "'num_key_value_heads':4,'head_dim':128,'layer_group_size':5}",
    "4 recurrent + 3 full[kv4 x 128]", 3 * 2048, 4.0 * 16 * 128 * 128 * 4, 0, NULL },
  { "RWKV-6: a matrix a head and two shifted inputs, fp32",
    "{'model_type':'rwkv6','hidden_size':4096,'attention_hidden_size':4096,'head_size':64,"
    "'num_hidden_layers':32}",
    "32 recurrent", 0, 32.0 * (4096 * 64 + 2 * 4096) * 4, 0, NULL },
  { "Gated DeltaNet as flash-linear-attention writes it: 6 heads, 256 x 512 each",
    "{'model_type':'gated_deltanet','hidden_size':2048,'num_heads':6,'head_dim':256,'expand_v':2,"
    "'num_hidden_layers':21,'attn':null,'use_short_conv':true,'conv_size':4}",
    "21 recurrent", 0, 21.0 * (6 * 256 * 512 * 4 + (2 * 1536 + 3072) * 3 * 2), 0, NULL },
  { "xLSTM-7B: 8 heads, 256 x 512 with normaliser and maximum",
    "{'model_type':'xlstm','embedding_dim':4096,'num_heads':8,'num_blocks':32,'qk_dim_factor':0.5,"
    "'v_dim_factor':1.0}",
    "32 recurrent", 0, 32.0 * 8 * (256 * 512 + 256 + 1) * 4, 0, NULL },
  /* encoders */
  { "Flan-T5-XL: gated, untied; only the decoder caches, cross attention reads 512",
    "{'model_type':'t5','d_model':2048,'d_kv':64,'d_ff':5120,'num_layers':24,'num_decoder_layers':24,"
    "'num_heads':32,'vocab_size':32128,'is_encoder_decoder':true,'feed_forward_proj':'gated-gelu',"
    "'tie_word_embeddings':false}",
    "24 encoder + 24 full[kv32 x 64] + 24 cross", 196608, 0, 2849757184, "taken to read 512 tokens" },
  { "T5-base",
    "{'model_type':'t5','d_model':768,'d_kv':64,'d_ff':3072,'num_layers':12,'num_heads':12,"
    "'vocab_size':32128,'n_positions':512}",
    "12 encoder + 12 full[kv12 x 64] + 12 cross", 36864, 0, 222903552, NULL },
  { "BART-large",
    "{'model_type':'bart','d_model':1024,'encoder_layers':12,'decoder_layers':12,"
    "'encoder_attention_heads':16,'decoder_attention_heads':16,'encoder_ffn_dim':4096,"
    "'decoder_ffn_dim':4096,'vocab_size':50265,'max_position_embeddings':1024}",
    "12 encoder + 12 full[kv16 x 64] + 12 cross", 49152, 0, 406291456, NULL },
  { "Whisper tiny",
    "{'model_type':'whisper','d_model':384,'encoder_layers':4,'decoder_layers':4,"
    "'encoder_attention_heads':6,'decoder_attention_heads':6,'encoder_ffn_dim':1536,"
    "'decoder_ffn_dim':1536,'num_mel_bins':80,'vocab_size':51865,'max_source_positions':1500,"
    "'max_target_positions':448,'is_encoder_decoder':true}",
    "4 encoder + 4 full[kv6 x 64] + 4 cross", 6144, 0, 37760640, NULL },
};

static void
known_families (void **state)
{
  (void) state;
  check_cases (families, N_OF_ARRAY (families));
}

/* ---- traps ----------------------------------------------------------------------- */

/* A stack of two layers, 64 wide, 4 heads of 16, 2 KV heads: 2 x 2 x 2 x 16 x 2
 * = 256 bytes a token.  Weights of a layer: queries and output 2 x 64 x 64,
 * keys and values 2 x 64 x 32, MLP 3 x 64 x 128, norms 128: 36,992.  With an
 * untied vocabulary of 100 and the last norm: 2 x 36,992 + 12,800 + 64. */
#define TWO "'hidden_size':64,'num_hidden_layers':2,'num_attention_heads':4,'num_key_value_heads':2," \
            "'intermediate_size':128,'vocab_size':100"
#define SSM "'mamba_d_state':8,'mamba_d_conv':4,'mamba_expand':2,'mamba_d_head':16,'mamba_n_heads':8,'mamba_n_groups':1"
enum { TWO_BYTES = 256, TWO_PARAMS = 2 * 36992 + 12800 + 64, TIED_PARAMS = TWO_PARAMS - 6400 };

static const config_case traps[] = {
  { "a plain file", "{'model_type':'llama'," TWO "}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "an unknown type is read by its fields",
    "{'model_type':'never_seen'," TWO ",'tie_word_embeddings':false}", "2 full[kv2 x 16]", TWO_BYTES, 0,
    TWO_PARAMS, "\"never_seen\" is not known; read by its fields hidden_size, num_hidden_layers, vocab_size" },
  { "no type at all", "{" TWO "}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, "an untied head is assumed" },
  { "a field that speaks of the cache is not passed over in silence",
    "{'model_type':'never_seen'," TWO ",'kv_fancy_factor':2}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS,
    "not understood and left aside: kv_fancy_factor" },
  { "squared ReLU has no gate where the type is unknown: 2 x 64 x 128 less a layer",
    "{'model_type':'never_seen'," TWO ",'hidden_act':'relu2'}", "2 full[kv2 x 16]", TWO_BYTES, 0,
    TWO_PARAMS - 2 * 8192, NULL },
  /* where the text model stands */
  { "text_config", "{'model_type':'llava','text_config':{'model_type':'llama'," TWO "}}", "2 full[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "llm_config, without a type", "{'model_type':'internvl_chat','llm_config':{" TWO ",'tie_word_embeddings':true}}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TIED_PARAMS, "internvl_chat" },
  { "language_config", "{'model_type':'x','language_config':{'model_type':'llama'," TWO "}}", "2 full[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "thinker_config and a text_config in it; the talker is another model",
    "{'model_type':'qwen3_omni_moe','talker_config':{'num_hidden_layers':9},"
    "'thinker_config':{'text_config':{'model_type':'llama'," TWO "}}}", "2 full[kv2 x 16]", TWO_BYTES, 0,
    TWO_PARAMS, NULL },
  { "tied around the text model", "{'model_type':'x','tie_word_embeddings':true,'text_config':{'model_type':'llama',"
    TWO "}}", "2 full[kv2 x 16]", TWO_BYTES, 0, TIED_PARAMS, NULL },
  { "an empty text_config beside the fields themselves", "{'model_type':'llama'," TWO ",'text_config':{}}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "a text_config of a type alone: class defaults",
    "{'model_type':'llava','text_config':{'model_type':'llama','vocab_size':32064}}", "32 full[kv32 x 128]", 524288,
    0, 6738939904, "hidden_size=4096, num_hidden_layers=32, num_attention_heads=32" },
  /* windows */
  { "a window absent where the class has one", "{'model_type':'mistral'," TWO "}", "2 swa@4096[kv2 x 16]", TWO_BYTES,
    0, TWO_PARAMS, "sliding_window=4096" },
  { "a window of null is none", "{'model_type':'mistral'," TWO ",'sliding_window':null}", "2 full[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "use_sliding_window false", "{'model_type':'qwen3'," TWO ",'head_dim':16,'sliding_window':8,'use_sliding_window':false}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS + 64, NULL },
  { "use_sliding_window absent where the class says false", "{'model_type':'qwen2'," TWO ",'sliding_window':8}",
    /* and biases of queries, keys and values: 2 x (64 + 2 x 32) */
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS + 256, NULL },
  { "max_window_layers: the layers from there slide",
    "{'model_type':'qwen2'," TWO ",'sliding_window':8,'use_sliding_window':true,'max_window_layers':1}",
    "1 full[kv2 x 16] + 1 swa@8[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS + 256, NULL },
  { "switched off against the list", "{'model_type':'never_seen'," TWO ",'sliding_window':8,'use_sliding_window':false,"
    "'layer_types':['sliding_attention','full_attention']}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "a window that can never bind is still one",
    "{'model_type':'phi3'," TWO ",'sliding_window':262144,'max_position_embeddings':4096}", "2 swa@262144[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "a period: the last of each sees everything",
    "{'model_type':'never_seen'," TWO ",'num_hidden_layers':3,'sliding_window':8,'sliding_window_pattern':3}",
    "2 swa@8[kv2 x 16] + 1 full[kv2 x 16]", 384, 0, TWO_PARAMS + 36992, NULL },
  { "attn_type_list of ones is all full", "{'model_type':'minimax_m2'," TWO ",'attn_type_list':[1,1],'use_qk_norm':false}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  /* heads */
  { "head_dim null", "{'model_type':'llama'," TWO ",'head_dim':null}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "head_dim that is not hidden/heads", "{'model_type':'never_seen'," TWO ",'head_dim':32,'vocab_size':null}",
    "2 full[kv2 x 32]", 2 * TWO_BYTES, 0, 0, "vocab_size is missing" },
  { "V narrower than K", "{'model_type':'never_seen'," TWO ",'head_dim':24,'v_head_dim':8,'vocab_size':null}",
    "2 full[kv2 x 24/8]", TWO_BYTES, 0, 0, NULL },
  { "no KV heads named: one for each query head",
    "{'hidden_size':64,'num_hidden_layers':2,'num_attention_heads':4}", "2 full[kv4 x 16]", 512, 0, 0, NULL },
  { "num_kv_heads in another spelling",
    "{'n_embd':64,'n_layer':2,'n_head':4,'n_head_kv':2}", "2 full[kv2 x 16]", TWO_BYTES, 0, 0, NULL },
  { "head_dim beside latent ranks is not used",
    "{'model_type':'deepseek_v3'," TWO ",'head_dim':999,'kv_lora_rank':32,'qk_rope_head_dim':8,'qk_nope_head_dim':16,"
    "'v_head_dim':16,'q_lora_rank':null,'vocab_size':null}", "2 mla(32+8)", 160, 0, 0, NULL },
  { "keys that double as values in full layers, of another width and number",
    "{'model_type':'gemma4_text'," TWO ",'head_dim':16,'global_head_dim':32,'num_global_key_value_heads':1,"
    "'attention_k_eq_v':true,'sliding_window':8,'layer_types':['sliding_attention','full_attention']}",
    /* sliding: 12,288 + 2 x 16; full: 64 x 128 x 2 + 64 x 32 + 2 x 32; each an MLP, four norms, a scale; tied */
    "1 swa@8[kv2 x 16] + 1 full[kv1 x 32]", TWO_BYTES, 0,
    12288 + 32 + 16384 + 2048 + 64 + 2 * (24576 + 256 + 1) + 6464, NULL },
  /* which layer is what */
  { "linear_attn_config counts layers from one",
    "{'model_type':'never_seen'," TWO ",'linear_attn_config':{'full_attn_layers':[2],'kda_layers':[1],'num_heads':4,"
    "'head_dim':16,'short_conv_kernel_size':4}}", /* (4 x 256) x 4 + 3 x 64 x 3 x 2 */
    "1 recurrent + 1 full[kv2 x 16]", 128, 4096 + 1152,
    /* mixer: 3 x 64 x 64 + 2 x (64 x 16 + 16 x 64) + 64 x 4 + 64 x 64 and 3 x 64 x 4 + 4 + 64 + 16, for attention */
    TWO_PARAMS - 12288 + 12288 + 4096 + 256 + 4096 + 852, NULL },
  { "full_attention_interval",
    "{'model_type':'qwen3_next'," TWO ",'num_hidden_layers':4,'head_dim':16,'linear_num_key_heads':2,"
    "'linear_num_value_heads':4,'linear_key_head_dim':8,'linear_value_head_dim':8,'linear_conv_kernel_dim':4,"
    "'vocab_size':null}", /* 3 x (4 x 64 + (2 x 16 + 32) x 3) x 2 */
    "3 recurrent + 1 full[kv2 x 16]", 128, 3 * (256 + 192) * 2, 0, NULL },
  { "letters: mixers, attention, MLPs and experts are layers of their own",
    "{'model_type':'nemotron_h'," TWO ",'num_hidden_layers':4,'hybrid_override_pattern':'M-*E'," SSM
    ",'n_routed_experts':4,'num_experts_per_tok':2,'moe_intermediate_size':32,'n_shared_experts':1,"
    "'moe_shared_expert_intermediate_size':48,'mamba_ssm_cache_dtype':'float32'}",
    /* state: 128 x 8 x 4 + (128 + 16) x 3 x 2; mixer 64 x (128 + 144 + 8) + 128 x 64 and 144 x 5 + 24 + 128;
     * MLP 2 x 64 x 128; attention 12,288; experts 4 x 2 x 64 x 32 + 2 x 64 x 48 + 4 x 65; five norms */
    "1 recurrent + 2 none + 1 full[kv2 x 16]", 128, 4096 + 864,
    17920 + 8192 + 872 + 16384 + 12288 + 16384 + 6144 + 260 + 5 * 64 + 12800, NULL },
  { "a pattern without a number of layers", "{'model_type':'nemotron_h','hidden_size':64,'num_attention_heads':4,"
    "'num_key_value_heads':2,'hybrid_override_pattern':'**'}", "2 full[kv2 x 16]", TWO_BYTES, 0, 0, NULL },
  { "words of a hybrid", "{'model_type':'granitemoehybrid'," TWO ",'shared_intermediate_size':128,'num_local_experts':0,"
    "'num_experts_per_tok':0,'layer_types':['mamba','attention']," SSM ",'tie_word_embeddings':false}",
    "1 recurrent + 1 full[kv2 x 16]", 128, (1024 + 432) * 2, TWO_PARAMS - 12288 + 17920 + 8192 + 872, NULL },
  { "more entries than layers", "{'model_type':'never_seen'," TWO ",'layer_types':['full_attention','full_attention',"
    "'full_attention']}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, "has 3 entries, the first 2 are the model's" },
  /* experts: every spelling, of 4 with 2 chosen, 32 wide: 4 x 3 x 64 x 32 + 4 x 64 for a dense MLP of 24,576 */
  { "num_local_experts, width of the MLP", "{'model_type':'mixtral'," TWO ",'intermediate_size':32,'num_local_experts':4,"
    "'num_experts_per_tok':2,'sliding_window':null}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS + 2 * 256, NULL },
  { "mlp_only_layers and decoder_sparse_step", "{'model_type':'qwen3_moe'," TWO ",'head_dim':16,'num_experts':4,"
    "'num_experts_per_tok':2,'moe_intermediate_size':32,'mlp_only_layers':[0],'decoder_sparse_step':1}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS + 64 + 256, NULL },
  { "moe_layer_freq as a list", "{'model_type':'never_seen'," TWO ",'n_routed_experts':4,'num_experts_per_tok':2,"
    "'moe_intermediate_size':32,'moe_layer_freq':[0,1]}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS + 256, NULL },
  { "mlp_layer_types", "{'model_type':'never_seen'," TWO ",'n_routed_experts':4,'num_experts_per_tok':2,"
    "'moe_intermediate_size':32,'mlp_layer_types':['dense','sparse']}", "2 full[kv2 x 16]", TWO_BYTES, 0,
    TWO_PARAMS + 256, NULL },
  { "experts for text and for images", "{'model_type':'ernie4_5_vl_moe_text'," TWO ",'num_hidden_layers':3,'moe_num_experts':[4,4],'moe_k':2,"
    "'moe_intermediate_size':[32,16],'tie_word_embeddings':false,'moe_use_aux_free':false}", "3 full[kv2 x 16]",
    384, 0, TWO_PARAMS + 36992 + 3 * 256, "the first is taken" },
  { "no experts although a number per token is given", "{'model_type':'never_seen'," TWO ",'num_experts':0,"
    "'num_experts_per_tok':0}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "a mixture without experts", "{'model_type':'mixtral'," TWO ",'num_local_experts':0,'num_experts_per_tok':2,'sliding_window':null}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, "num_local_experts is 0, though num_experts_per_tok is 2: read as a dense model" },
  { "is_moe_layer in true and false", "{'model_type':'never_seen'," TWO ",'num_experts':4,'num_experts_per_tok':2,"
    "'moe_intermediate_size':32,'is_moe_layer':[false,true]}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS + 256, NULL },
  { "the last mixed layer", "{'model_type':'never_seen'," TWO ",'num_hidden_layers':4,'num_experts':4,'num_experts_per_tok':2,"
    "'moe_intermediate_size':32,'moe_layer_start_index':1,'moe_layer_end_index':[2,3]}", "4 full[kv2 x 16]", 512, 0,
    TWO_PARAMS + 2 * 36992 + 2 * 256, NULL },
  { "a shared width without a count: 3 x 64 x 16 more a layer", "{'model_type':'never_seen'," TWO ",'num_experts':4,"
    "'num_experts_per_tok':2,'moe_intermediate_size':32,'moe_shared_expert_intermediate_size':16}", "2 full[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS + 512 + 2 * 3072, NULL },
  { "no latent rank: keys of both widths, values of their own",
    "{'model_type':'never_seen'," TWO ",'qk_nope_head_dim':16,'qk_rope_head_dim':8,'v_head_dim':16,'kv_lora_rank':null,"
    "'vocab_size':null}", "2 full[kv2 x 24/16]", 320, 0, 0, NULL },
  { "a latent rank that use_mla switches off", "{'model_type':'never_seen'," TWO ",'kv_lora_rank':32,'use_mla':false}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "latent ranks without head widths", "{'model_type':'never_seen'," TWO ",'kv_lora_rank':32,'qk_rope_head_dim':8}",
    "2 mla(32+8)", 160, 0, 0, "qk_nope_head_dim or v_head_dim is missing" },
  { "latent ranks left to the class", "{'model_type':'deepseek_v2'," TWO ",'vocab_size':null}", "2 mla(512+64)", 2304, 0, 0,
    "kv_lora_rank=512" },
  { "the decoder of a composite", "{'model_type':'vision-encoder-decoder','encoder':{'num_hidden_layers':9},'decoder':"
    "{'model_type':'llama'," TWO "}}", "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, "what its encoder adds is not counted" },
  { "parallel attention and MLP share a norm: 2 x 128 less", "{'model_type':'stablelm'," TWO ",'use_parallel_residual':true}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS - 2 * 128 + 128 + 128 + 64, NULL },
  { "an unknown file with a state and no heads is all state",
    /* a mixer: 2 x 64 x 128 + 128 x (4 + 16) + 4 x 128 + 128 x 64 and 128 x 5 + 128 + 128 x 8 + 128 + 64 */
    "{'model_type':'never_seen','hidden_size':64,'num_hidden_layers':2,'mamba_d_state':8,'mamba_d_conv':4,'mamba_expand':2,"
    "'mamba_dt_rank':4,'vocab_size':100}", "2 recurrent", 0, 2 * 128 * 11 * 2,
    2 * (16384 + 2560 + 512 + 8192 + 640 + 128 + 1024 + 128 + 64) + 12864, NULL },
  { "a state that is known, of weights that are not", "{'model_type':'never_seen','hidden_size':64,'num_hidden_layers':2,"
    "'num_heads':4,'expand_v':2,'vocab_size':100,'intermediate_size':128}", "2 recurrent", 0, 2 * 4 * 16 * 32 * 4, 0,
    "recurrent layers are not written out" },
  { "a stack shallower than half a period attends at its end", "{'model_type':'plamo2'," TWO ",'mamba_step':8,"
    "'mamba_num_heads':8,'hidden_size_per_head':16,'mamba_d_state':8,'mamba_d_conv':4}", "1 recurrent + 1 full[kv2 x 16]",
    128, (128 * 8 + 144 * 3) * 2, 0, NULL },
  { "blocks: a window, a matrix in the place of attention or MLP; as many layers as blocks",
    "{'model_type':'nemotron-nas','hidden_size':64,'num_attention_heads':4,'vocab_size':100,'block_configs':["
    "{'attention':{'num_key_value_heads':2,'window_length':8},'ffn':{'intermediate_size':128}},"
    "{'attention':{'replace_with_linear':true},'ffn':{'replace_with_linear':true}}]}",
    "1 swa@8[kv2 x 16] + 1 none", 128, 0, 0, "replaced by a single matrix" },
  { "an unknown encoder and decoder, with fewer KV heads", "{'model_type':'never_seen'," TWO ",'is_encoder_decoder':true,"
    "'max_position_embeddings':32}", "2 encoder + 2 full[kv2 x 16] + 2 cross", TWO_BYTES, 0, 0, "not written out" },
  /* numbers as Python writes them */
  { "a flag of 0", "{'model_type':'never_seen'," TWO ",'sliding_window':8,'use_sliding_window':0}", "2 full[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "bare Infinity and NaN", "{'model_type':'llama'," TWO ",'time_step_limit':[0.0,Infinity],'a':-Infinity,'b':NaN}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "Infinity inside a text stays", "{'model_type':'llama'," TWO ",'note':'to Infinity, NaN \\\\'}", "2 full[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "whole numbers written with a point", "{'model_type':'llama'," TWO ",'num_hidden_layers':2.0}", "2 full[kv2 x 16]",
    TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "no limit of positions, as tokenisers write it",
    "{'model_type':'llama'," TWO ",'model_max_length':1000000000000000019884624838656}", "2 full[kv2 x 16]", TWO_BYTES, 0,
    TWO_PARAMS, NULL },
  { "a whole number beyond 64 bits elsewhere", "{'model_type':'llama'," TWO ",'seed':99999999999999999999999}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
  { "of a key that occurs twice the last counts", "{'model_type':'llama','num_hidden_layers':7," TWO "}",
    "2 full[kv2 x 16]", TWO_BYTES, 0, TWO_PARAMS, NULL },
};

static void
known_traps (void **state)
{
  (void) state;
  check_cases (traps, N_OF_ARRAY (traps));
}

/* ---- what is not in the layout ------------------------------------------------------ */

static void
encoder_alone (void **state)
{
  (void) state;
  imported m = import ("{'model_type':'bert','hidden_size':768,'num_hidden_layers':12,'num_attention_heads':12,"
                       "'intermediate_size':3072,'vocab_size':30522,'max_position_embeddings':512,'type_vocab_size':2}");
  NEAR (text_params (m.json), 109482240, 0, "BERT base with its pooler");
  assert_string_equal (llmenv_record_text (m.json, "architecture"), "dense");
  assert_string_equal (llmenv_record_text (m.json, "kv_cache_bytes_per_token_basis"), "not-applicable");
  assert_int_equal (m.model->model.kv_reason, LLMENV_NOT_APPLICABLE);
  assert_true (json_is_null (json_object_get (m.json, "kv_cache_bytes_per_token")));
  HAS_TEXT (llmenv_record_text (m.json, "unavailable_reason"), "keeps no cache", "BERT");
  done (&m);
  m = import ("{'model_type':'never_seen'," TWO ",'architectures':['NeverSeenForMaskedLM']}");
  assert_int_equal (m.model->model.kv_reason, LLMENV_NOT_APPLICABLE);
  done (&m);
  m = import ("{'model_type':'llada','hidden_size':4096,'num_hidden_layers':32,'intermediate_size':12288}");
  assert_string_equal (llmenv_record_text (m.json, "architecture"), "diffusion");
  assert_int_equal (m.model->model.kv_reason, LLMENV_NOT_APPLICABLE);
  done (&m);
}

/* What a decoder's step does not stream: the encoder, its keys and values. */
static void
encoder_parts (void **state)
{
  (void) state;
  imported m = import ("{'model_type':'t5','d_model':64,'d_kv':8,'d_ff':128,'num_layers':3,'num_decoder_layers':2,"
                       "'num_heads':4,'vocab_size':100,'n_positions':512}");
  /* 64 x 32 a projection: cross keys and values of two layers; three encoder layers of four projections, an MLP of
   * two matrices and two norms, the last norm and 32 buckets for each head */
  NEAR (part_sum (m.json, "name", "cross-attention key and value projections"), 2 * 2 * 2048, 0, "cross");
  NEAR (part_sum (m.json, "name", "encoder"), 3 * (4 * 2048 + 2 * 8192 + 128) + 64 + 128, 0, "encoder");
  NEAR (role_sum (m.json, "shared"), 2 * (6 * 2048 + 2 * 8192 + 3 * 64) + 64 + 128, 0, "decoder");
  NEAR (number_of (m.json, "num_layers"), 2, 0, "layers");
  done (&m);
}

/* Prediction layers of Step: they slide, have a dense MLP and a head of their own. */
static void
prediction_layers (void **state)
{
  (void) state;
  imported m = import ("{'model_type':'step3p5','hidden_size':64,'num_hidden_layers':2,'num_attention_heads':4,"
                       "'num_attention_groups':2,'head_dim':16,'intermediate_size':128,'sliding_window':8,"
                       "'layer_types':['full_attention','sliding_attention','sliding_attention'],"
                       "'attention_other_setting':{'num_attention_heads':8},'num_nextn_predict_layers':1,'vocab_size':100}");
  /* 2 x 64 x 128 + 2 x 64 x 32 + 64 x 8 for attention and its gate, an MLP, five norms and those of queries and keys,
   * the joint projection, the head */
  NEAR (role_sum (m.json, "mtp"), 16384 + 4096 + 512 + 24576 + 5 * 64 + 32 + 8192 + 6400, 0, "prediction");
  done (&m);
  m = import ("{'model_type':'step3p7'," TWO ",'head_dim':16,'num_nextn_predict_layers':3}");
  NEAR (role_sum (m.json, "mtp"), 0, 0, "prediction layers of which the heads are not known");
  assert_true (has_note (&m, "3 multi-token-prediction layers are not counted"));
  done (&m);
}

/* Types: the dtype, then what a quantisation leaves alone. */
static void
formats (void **state)
{
  (void) state;
  static const struct { const char *more, *main, *part, *format; } cases[] = {
    { "'torch_dtype':'bfloat16'", "bf16", "attention", "" },
    { "'dtype':'torch.float32'", "fp32", "attention", "" },
    { "'torch_dtype':'float16','quantization_config':{'quant_method':'gptq','bits':4}", "int4", "output head", "fp16" },
    { "'torch_dtype':'bfloat16','quantization_config':{'quant_method':'bitsandbytes','load_in_8bit':true}", "int8",
      "dense mlp", "" },
    { "'torch_dtype':'bfloat16','quantization_config':{'quant_method':'fp8','weight_block_size':[128,128]}", "fp8_block",
      "input embedding", "bf16" },
    { "'torch_dtype':'bfloat16','quantization_config':{'quant_method':'fp8','weight_block_size':null}", "fp8", "attention", "" },
    { "'torch_dtype':'bfloat16','quantization':{'group_size':64,'bits':8}", "int8", "attention", "" },
    { "'torch_dtype':'float16','quantization_config':{'quant_method':'bitsandbytes','load_in_4bit':true}", "int4",
      "attention", "" },
    { "'dtype':'bfloat16','quantization_config':{'quant_method':'modelopt','quant_algo':'NVFP4','ignore':"
      "['lm_head','model.layers.0.self_attn*','model.layers.1.self_attn*']}", "nvfp4", "attention", "bf16" },
    { "'dtype':'bfloat16','quantization_config':{'quant_method':'compressed-tensors','ignore':['re:.*self_attn.*'],"
      "'config_groups':{'group_0':{'weights':{'num_bits':8,'type':'int'}}}}", "int8", "attention", "bf16" },
    { "'dtype':'bfloat16','quantization_config':{'quant_method':'compressed-tensors','ignore':"
      "['model.layers.0.self_attn.k_norm'],'config_groups':{'g':{'weights':{'num_bits':4,'type':'float','group_size':16}}}}",
      "nvfp4", "attention", "" },
  };
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      char text[1000];
      size_t k;
      json_t *part;
      snprintf (text, sizeof text, "{'model_type':'llama'," TWO ",%s}", cases[i].more);
      imported m = import (text);
      assert_string_equal (llmenv_record_text (m.json, "weight_format"), cases[i].main);
      json_array_foreach (json_object_get (json_object_get (m.json, "weights"), "parts"), k, part)
        if (strcmp (llmenv_record_text (part, "name"), cases[i].part) == 0)
          assert_string_equal (llmenv_record_text (part, "format"), cases[i].format);
      done (&m);
    }
  static const char *const strange[][2] = {
    { "'quantization_config':{'quant_method':'magic'}", "\"magic\" is not understood" },
    { "'quantization_config':{'quant_method':'odd','config_groups':{'g':{'weights':{'num_bits':3}}}}", "\"odd\" is not" },
    { "'dtype':'posit16'", "dtype \"posit16\" is not known" },
    { "'mamba_ssm_dtype':'posit16'", "state type \"posit16\" is not known" },
  };
  for (size_t i = 0; i < N_OF_ARRAY (strange); i++)
    {
      char text[600];
      snprintf (text, sizeof text, "{'model_type':'llama'," TWO ",%s}", strange[i][0]);
      imported m = import (text);
      assert_true (has_note (&m, strange[i][1]));
      done (&m);
    }
}

/* The type of a state: named, or assumed and said. */
static void
state_types (void **state)
{
  (void) state;
  imported m = import ("{'model_type':'mamba2','hidden_size':64,'num_hidden_layers':1,'vocab_size':8,"
                       "'mamba_ssm_dtype':'float32','torch_dtype':'bfloat16'}");
  json_t *group = json_array_get (json_object_get (m.json, "layers"), 0), *kept = json_object_get (group, "state");
  assert_string_equal (llmenv_record_text (kept, "type"), "fp32");
  assert_true (json_is_false (json_object_get (kept, "assumed")));
  assert_false (has_note (&m, "no type is named for the recurrent state"));
  done (&m);
}

/* Names and identifiers. */
static void
names (void **state)
{
  (void) state;
  static const struct { const char *file, *more, *id, *name; } cases[] = {
    { "/models/Org--My_Model.v2/config.json", "", "my-model-v2", "My_Model.v2" },
    { "/cache/models--meta-llama--Llama-3.1-8B/snapshots/0123abcd/config.json", "", "llama-3-1-8b", "Llama-3.1-8B" },
    { "config.json", ",'_name_or_path':'org/Name 7B/'", "name-7b", "Name 7B" },
    { "config.json", "", "llama", "llama" },
    { "/x/deepseek-v3.json", "", "deepseek-v3", "deepseek-v3" },
    { "/models/My Model (2)//config.json", "", "my-model-2", "My Model (2)" },
    { "/\xC3\xA4\xC3\xB6/config.json", "", "model", "????" },
    { "./config.json", ",'_name_or_path':'..'", "llama", "llama" },
  };
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      char text[600];
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_import_notes notes;
      json_t *json;
      snprintf (text, sizeof text, "{'model_type':'llama'," TWO "%s}", cases[i].more);
      STATUS (import_text (text, cases[i].file, &json, &notes, &error), LLMENV_OK, error, cases[i].file);
      assert_string_equal (llmenv_record_text (json, "id"), cases[i].id);
      assert_string_equal (llmenv_record_text (json, "name"), cases[i].name);
      json_decref (json);
    }
}

/* ---- (c) hostile files ------------------------------------------------------------------ */

/* TEXT is refused with one line that holds PART. */
static void
is_refused (const char *text, const char *part)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes;
  json_t *json;
  STATUS (import_text (text, "x/config.json", &json, &notes, &error), LLMENV_EBADRECORD, error, text);
  assert_null (json);
  HAS_TEXT (error.text, "x/config.json", text);
  HAS_TEXT (error.text, part, text);
  assert_true (is_one_line (error.text));
}

static void
refusals (void **state)
{
  (void) state;
  static const char *const cases[][2] = {
    { "", "1:0: not valid JSON" },
    { "[]", "expected one JSON object" },
    { "{}", "num_hidden_layers: expected a whole number from 1, found nothing" },
    { "{'model_type':'llama'," TWO ",'hidden_size':'64'}", "hidden_size: expected a whole number from 0 to 1e9, found \"64\"" },
    { "{'model_type':'llama'," TWO ",'hidden_size':-64}", "found -64" },
    { "{'model_type':'llama'," TWO ",'hidden_size':1e12}", "whole number from 0 to 1e9" },
    { "{'model_type':'llama'," TWO ",'hidden_size':64.5}", "found 64.5" },
    { "{'model_type':'llama'," TWO ",'hidden_size':Infinity}", "found 1" },
    { "{'model_type':'llama'," TWO ",'hidden_size':NaN}", "found \"N\"" },
    { "{'model_type':'llama'," TWO ",'num_hidden_layers':100001}", "from 1 to 100000" },
    { "{'model_type':'llama'," TWO ",'num_hidden_layers':0}", "from 1 to 100000" },
    { "{'model_type':'llama'," TWO ",'num_attention_heads':0}", "num_attention_heads: expected a whole number from 1, found 0" },
    { "{'model_type':'llama'," TWO ",'num_key_value_heads':0}", "num_key_value_heads: expected at least one head" },
    { "{'model_type':'llama'," TWO ",'num_key_value_heads':[2]}", "a list with one for every layer" },
    { "{'model_type':'llama'," TWO ",'num_attention_heads':7}", "head_dim is missing, and hidden_size 64 is no multiple of 7" },
    { "{'model_type':'llama'," TWO ",'vocab_size':1000000000,'hidden_size':1000000000,'head_dim':1000000000}", "2^53" },
    { "{'model_type':'llama'," TWO ",'num_key_value_heads':1000000000,'head_dim':1000000000}", "2^53" },
    { "{'model_type':'llama'," TWO ",'tie_word_embeddings':'yes'}", "tie_word_embeddings: expected true or false" },
    { "{'model_type':'mistral'," TWO ",'sliding_window':'8'}", "sliding_window" },
    { "{'text_config':{'model_type':'llama','num_attention_heads':[4,'x']}}", "text_config.num_attention_heads" },
    { "{'model_type':'x'," TWO ",'layer_types':['full_attention']}", "layer_types: 1 entries for 2 layers" },
    { "{'model_type':'x'," TWO ",'layer_types':['full_attention','telepathy']}", "layer_types[1]: layers of kind \"telepathy\" are not modelled" },
    { "{'model_type':'x'," TWO ",'layer_types':[1,2]}", "layer kinds in words" },
    { "{'model_type':'x'," TWO ",'layer_types':[]}", "a list of layer kinds" },
    { "{'model_type':'x'," TWO ",'layer_types':['sliding_attention','full_attention']}", "sliding_window: expected a whole number from 1, found nothing" },
    { "{'model_type':'x'," TWO ",'layer_types':['sliding_attention','full_attention'],'sliding_window':null}", "sliding_window" },
    { "{'model_type':'x'," TWO ",'hybrid_override_pattern':'M?'}", "\"?\" are not modelled" },
    { "{'model_type':'x'," TWO ",'hybrid_override_pattern':''}", "a letter for each layer" },
    { "{'model_type':'x'," TWO ",'attn_type_list':[1,2]}", "a list of 0 and 1" },
    { "{'model_type':'x'," TWO ",'linear_attn_config':{'full_attn_layers':[3]}}", "indices of layers, from 1" },
    { "{'model_type':'x'," TWO ",'linear_attn_config':{'full_attn_layers':[0]}}", "indices of layers, from 1" },
    { "{'model_type':'x'," TWO ",'attn_layer_indices':[2]}", "indices of layers, from 0" },
    { "{'model_type':'x'," TWO ",'mamba_d_state':16}", "mamba_d_state says that layers keep a state" },
    { "{'model_type':'deepseek_v4'," TWO ",'compress_ratios':[4,128]}", "compress_ratios: compressed sparse attention is not modelled" },
    { "{'model_type':'x'," TWO ",'num_kv_shared_layers':2}", "fewer than all layers" },
    { "{'model_type':'mixtral'," TWO ",'sliding_window':null,'num_local_experts':4,'num_experts_per_tok':5}", "at most the number of experts" },
    { "{'model_type':'x'," TWO ",'num_experts':4}", "num_experts_per_tok: expected a whole number from 1, found nothing" },
    { "{'model_type':'x'," TWO ",'index_topk':8,'kv_lora_rank':16}", "index_n_heads" },
    { "{'model_type':'mllama','text_config':{'model_type':'mllama_text_model'," TWO ",'cross_attention_layers':[1]}}", "vision_config" },
    { "{'model_type':'nemotron_h'," TWO "}", "hybrid_override_pattern" },
    { "{'model_type':'nemotron-nas'," TWO ",'block_configs':[{}]}", "block_configs: 1 entries for 2 layers" },
    { "{'model_type':'nemotron-nas'," TWO ",'block_configs':[{},{'ffn':{'moe':{'num_local_experts':2}}}]}", "experts with a width" },
    { "{'model_type':'x'," TWO ",'vocab_size':null,'num_key_value_heads':1000000000,'head_dim':1000000000}", "bytes a token" },
    { "{'model_type':'x'," TWO ",'num_attention_heads':[4,5]}", "no multiple of 5" },
    { "{'model_type':'x'," TWO ",'hidden_size':[64,64]}", "hidden_size: expected one number, not a list, found [64,64]" },
    { "{'model_type':'x'," TWO ",'hidden_size':[1]}", "hidden_size: expected one number, not a list, found [1]" },
    { "{'model_type':'x'," TWO ",'num_hidden_layers':[2]}", "num_hidden_layers: expected one number, not a list" },
    { "{'model_type':'x'," TWO ",'vocab_size':[100]}", "vocab_size: expected one number, not a list" },
    { "{'model_type':'x'," TWO ",'head_dim':[16]}", "head_dim: expected one number, not a list, found [16]" },
    { "{'model_type':'x'," TWO ",'head_dim':[16,17]}", "the same number for every layer" },
    { "{'model_type':'x'," TWO ",'use_sliding_window':'no','sliding_window':8}", "use_sliding_window: expected true or false" },
    { "{'model_type':'x'," TWO ",'mamba_ssm_dtype':7}", "mamba_ssm_dtype: expected text" },
    { "{'model_type':'jamba'," TWO ",'mamba_expand':'x'}", "mamba_expand: expected a number" },
    { "{'model_type':'x'," TWO ",'attn_type_list':[1]}", "attn_type_list: 1 entries for 2 layers" },
    { "{'model_type':'x'," TWO ",'hybrid_override_pattern':'*'}", "hybrid_override_pattern: 1 entries for 2 layers" },
    { "{'model_type':'x'," TWO ",'attention_types':[[['global'],1]]}", "kinds for every layer" },
    { "{'model_type':'x'," TWO ",'attention_types':[[['psychic'],2]]}", "\"psychic\" are not modelled" },
    { "{'model_type':'x'," TWO ",'kv_reuse_group':[[0,9]]}", "groups of layer indices" },
    { "{'model_type':'x'," TWO ",'num_experts':4,'num_experts_per_tok':2,'mlp_layer_types':['dense']}", "a word for every layer" },
    { "{'model_type':'x','hidden_size':64,'num_hidden_layers':2,'num_attention_heads':4,'ffn_multipliers':[1]}", "a multiple for every layer" },
    { "{'model_type':'nemotron-nas'," TWO ",'block_configs':[{'attention':{'n_heads_in_group':3}},{}]}", "divides the heads" },
    { "{'model_type':'gla'," TWO ",'num_attention_heads':5,'num_heads':5,'expand_v':2}", "leave no whole width" },
    { "{'model_type':'minimax'," TWO ",'num_attention_heads':3,'attn_type_list':[0,0]}", "no whole number of elements" },
    { "{'model_type':'whisper','d_model':64,'encoder_layers':200000,'decoder_layers':2,'decoder_attention_heads':4}", "from 1 to 100000" },
    { "{'model_type':'whisper','d_model':64,'encoder_layers':2,'decoder_layers':2,'decoder_attention_heads':5}", "no multiple of 5" },
    { "{'model_type':'bert','hidden_size':64}", "num_hidden_layers" },
    { "{'model_type':'whisper','d_model':64,'encoder_layers':2,'decoder_layers':'x'}", "decoder_layers" },
    { "{'model_type':'mamba','hidden_size':64,'num_hidden_layers':2,'state_size':1000000000,'expand':1000000000}", "2^53" },
  };
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    is_refused (cases[i][0], cases[i][1]);
  print_message ("%zu refusals compared\n", N_OF_ARRAY (cases));
}

/* Every beginning of a good file, and every byte of it changed: an answer or a
 * refusal in one line. */
static void
cut_and_changed (void **state)
{
  (void) state;
  static const char good[]
    = "{\"model_type\":\"nemotron_h\",\"hidden_size\":64,\"num_hidden_layers\":4,\"hybrid_override_pattern\":\"M-*E\","
      "\"num_attention_heads\":4,\"num_key_value_heads\":2,\"intermediate_size\":128,\"vocab_size\":100,"
      "\"mamba_d_state\":8,\"mamba_d_conv\":4,\"mamba_expand\":2.5,\"n_routed_experts\":[4,4,4,4],\"num_experts_per_tok\":2,"
      "\"time_step_limit\":[0.0,Infinity],\"tie_word_embeddings\":null}";
  static const char pieces[] = "{}[]\",:0123456789.-eE\\nNIx\xFF \0";
  uint64_t random = 7;
  int accepted = 0, n = 0;
  for (size_t i = 0; i < 2 * sizeof good + 20000; i++, n++)
    {
      char text[sizeof good];
      memcpy (text, good, sizeof good);
      size_t length = sizeof good - 1;
      if (i < length)
        length = i;
      else
        for (int k = 0; k < 3; k++)
          text[(size_t) random_whole (&random, 0, (double) length - 1)]
            = pieces[(size_t) random_whole (&random, 0, sizeof pieces - 2)];
      llmenv_error error = { LLMENV_OK, "" };
      json_t *json = llmenv_import_json_text (text, length, "x", NULL, &error), *record = NULL;
      if (json != NULL && llmenv_import_config (json, "x", &record, NULL, &error) == LLMENV_OK)
        {
          llmenv_model_record *made;
          STATUS (llmenv_model_record_make (record, "x", &made, &error), LLMENV_OK, error, text);
          llmenv_model_record_free (made);
          accepted++;
        }
      else if (!is_one_line (error.text))
        fail_msg ("no reason for a refusal of %s", text);
      json_decref (json);
    }
  print_message ("%d cut or changed files compared, %d still accepted\n", n, accepted);
  assert_true (accepted > 0 && accepted < n);
}

/* A file of N times TEXT between HEAD and TAIL. */
static char *
repeated (const char *head, const char *text, size_t n, const char *tail)
{
  const size_t each = strlen (text);
  char *out = malloc (strlen (head) + n * each + strlen (tail) + 1), *at = out;
  at = stpcpy (at, head);
  for (size_t i = 0; i < n; i++)
    at = stpcpy (at, text);
  strcpy (at, tail);
  return out;
}

static double
seconds (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Depth, long lists, 100,000 layers: bounded in time. */
static void
large_files (void **state)
{
  (void) state;
  const double start = seconds ();
  char *deep = repeated ("{'a':", "[", 100000, "");
  is_refused (deep, "maximum parsing depth");
  char *lists = repeated ("{'model_type':'x'," TWO ",'num_hidden_layers':100000,'head_dim':16,'num_experts':4,"
                          "'num_experts_per_tok':2,'mlp_only_layers':[", "1,", 1000000, "0]}");
  imported m = import (lists);
  NEAR (number_of (m.json, "num_layers"), 100000, 0, "layers");
  done (&m);
  char *widths = repeated ("{'model_type':'x'," TWO ",'head_dim':[", "16,", 1000000, "17]}");
  is_refused (widths, "the same number for every layer");
  char *kinds = malloc (20 * 1000 + 600), *at = kinds;
  at += sprintf (at, "{'model_type':'x'," TWO ",'num_hidden_layers':1000,'num_key_value_heads':[1");
  for (int i = 2; i <= 1000; i++)
    at += sprintf (at, ",%d", i);
  strcpy (at, "]}");
  is_refused (kinds, "more than 512 different layers");
  free (deep);
  free (lists);
  free (widths);
  free (kinds);
  assert_true (seconds () - start < 20);
}

static void
path_is_refused (const char *path, llmenv_status status, const char *part)
{
  llmenv_error error = { LLMENV_OK, "" };
  json_t *json = NULL;
  STATUS (llmenv_import_path (path, &json, NULL, &error), status, error, path);
  assert_null (json);
  HAS_TEXT (error.text, part, path);
  assert_true (is_one_line (error.text));
}

static void
write_file (const char *path, const char *text)
{
  FILE *file = fopen (path, "w");
  assert_non_null (file);
  assert_true (fputs (text, file) >= 0);
  fclose (file);
}

static void
paths (void **state)
{
  (void) state;
  char folder[] = "/tmp/llmenv-import-XXXXXX", path[200];
  assert_non_null (mkdtemp (folder));
  path_is_refused ("/nowhere/config.json", LLMENV_EBADFILE, "No such file");
  path_is_refused ("/dev/zero", LLMENV_EBADFILE, "not a regular file");
  path_is_refused (folder, LLMENV_EBADFILE, "holds no config.json");
  snprintf (path, sizeof path, "%s/config.json", folder);
  write_file (path, "");
  path_is_refused (path, LLMENV_EBADRECORD, "the file is empty, expected a config.json, a record, a GGUF or a safetensors file");
  write_file (path, "{\"hidden_size\": \"\xFF\xFE\"}");
  path_is_refused (path, LLMENV_EBADRECORD, ":1:");
  write_file (path, "{\n  \"a\": Infinity,\n  \"b\": ?\n}");
  path_is_refused (path, LLMENV_EBADRECORD, ":3:8: not valid JSON");
  assert_int_equal (truncate (path, 2147483648), 0);
  path_is_refused (path, LLMENV_EBADFILE, "64 MiB");
  path_is_refused (folder, LLMENV_EBADFILE, "64 MiB");
  write_file (path, "{\"id\":\"a\",\"params_b\":1,\"id\":\"a\"}");
  path_is_refused (path, LLMENV_EBADRECORD, "occurs twice");
  write_file (path, "\xEF\xBB\xBF{\"model_type\":\"llama\",\"hidden_size\":64,\"num_hidden_layers\":1,"
              "\"num_hidden_layers\":2,\"num_attention_heads\":4}");
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_import_notes notes = { .n = 0 };
  json_t *json = NULL;
  STATUS (llmenv_import_path (folder, &json, &notes, &error), LLMENV_OK, error, folder);
  HAS_TEXT (notes.line[0], "the last one counts", "duplicates");
  imported m = made_of (json, &notes, folder);
  NEAR (number_of (m.json, "num_layers"), 2, 0, "the last one");
  done (&m);
  unlink (path);
  /* Other formats go to their readers, by magic or by name. */
  static const char *const others[][2] = { { "x.gguf", "GGUF" }, { "x.safetensors", "{}" } };
  for (size_t i = 0; i < N_OF_ARRAY (others); i++)
    {
      snprintf (path, sizeof path, "%s/%s", folder, others[i][0]);
      write_file (path, others[i][1]);
      json = NULL;
      assert_int_not_equal (llmenv_import_path (path, &json, NULL, &error), LLMENV_OK);
      assert_int_not_equal (llmenv_import_path (folder, &json, NULL, &error), LLMENV_OK);
      assert_true (is_one_line (error.text));
      assert_null (json);
      unlink (path);
    }
  rmdir (folder);
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
    cmocka_unit_test (known_families),
    cmocka_unit_test (known_traps),
    cmocka_unit_test (encoder_alone),
    cmocka_unit_test (encoder_parts),
    cmocka_unit_test (prediction_layers),
    cmocka_unit_test (formats),
    cmocka_unit_test (state_types),
    cmocka_unit_test (names),
    cmocka_unit_test (refusals),
    cmocka_unit_test (cut_and_changed),
    cmocka_unit_test (large_files),
    cmocka_unit_test (paths),
    cmocka_unit_test (records_load_unchanged),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
