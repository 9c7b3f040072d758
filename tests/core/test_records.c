/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records: the shipped ones, how they are found, the three kinds of value,
 * and what is said of malformed, truncated, contradictory and hostile files. */
#include "check.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "llmenv_json.h"

enum { PATH = 1024, TEXT = 200000 };

/* ---- a folder of records made here ------------------------------------- */

static char folder[PATH];
static const char *after;       /* where shipped data must be named */

static void
put_folder_first (void)
{
  char both[PATH + 16];
  snprintf (both, sizeof both, "%s%s", folder, after);
  setenv ("LLMENV_DATA", both, 1);
}

static void
leave_folder (void)
{
  if (*after == '\0')
    unsetenv ("LLMENV_DATA");
  else
    setenv ("LLMENV_DATA", after + 1, 1);
}

static void
path_in (char path[PATH], const char *kind, const char *id)
{
  if (snprintf (path, PATH, "%s/%s/%s.json", folder, kind, id) >= PATH)
    fail ();
}

static int
make_folder (void **state)
{
  char path[PATH + 32];
  (void) state;
  snprintf (folder, sizeof folder, "%s/llmenv-records-XXXXXX",
            getenv ("TMPDIR") != NULL ? getenv ("TMPDIR") : "/tmp");
  if (mkdtemp (folder) == NULL)
    return -1;
  snprintf (path, sizeof path, "%s/models", folder);
  if (mkdir (path, 0700) != 0)
    return -1;
  snprintf (path, sizeof path, "%s/accelerators", folder);
  return mkdir (path, 0700);
}

static int
remove_folder (void **state)
{
  char path[PATH + 32];
  (void) state;
  snprintf (path, sizeof path, "%s/models", folder);
  rmdir (path);
  snprintf (path, sizeof path, "%s/accelerators", folder);
  rmdir (path);
  return rmdir (folder);
}

static void
write_bytes (const char *path, const char *bytes, size_t n)
{
  FILE *f = fopen (path, "wb");
  assert_non_null (f);
  assert_int_equal (fwrite (bytes, 1, n, f), n);
  assert_int_equal (fclose (f), 0);
}

static void
write_record (const char *kind, const char *id, const char *text)
{
  char path[PATH];
  path_in (path, kind, id);
  write_bytes (path, text, strlen (text));
}

static void
remove_record (const char *kind, const char *id)
{
  char path[PATH];
  path_in (path, kind, id);
  assert_int_equal (remove (path), 0);
}

static llmenv_status
load_model (const char *name, llmenv_error *error)
{
  llmenv_model_record *m = NULL;
  *error = (llmenv_error) { LLMENV_OK, "" };
  const llmenv_status st = llmenv_model_load (name, &m, error);
  if (st == LLMENV_OK)
    llmenv_model_record_free (m);
  else
    {
      assert_int_equal (error->status, st);
      assert_true (is_one_line (error->text));
    }
  return st;
}

static llmenv_status
load_card (const char *name, llmenv_error *error)
{
  llmenv_card_record *c = NULL;
  *error = (llmenv_error) { LLMENV_OK, "" };
  const llmenv_status st = llmenv_card_load (name, &c, error);
  if (st == LLMENV_OK)
    llmenv_card_record_free (c);
  else
    {
      assert_int_equal (error->status, st);
      assert_true (is_one_line (error->text));
    }
  return st;
}

/* ---- the shipped catalogue --------------------------------------------- */

static void
the_catalogue_is_complete_and_sorted (void **state)
{
  const llmenv_catalogue *c = shipped_catalogue ();
  (void) state;
  assert_int_equal (c->n_models, 81);
  assert_int_equal (c->n_cards, 64);
  for (size_t i = 1; i < c->n_models; i++)
    assert_true (strcmp (c->models[i - 1]->id, c->models[i]->id) < 0);
  for (size_t i = 1; i < c->n_cards; i++)
    assert_true (strcmp (c->cards[i - 1]->id, c->cards[i]->id) < 0);
  assert_null (llmenv_catalogue_model (c, "no-such"));
  assert_null (llmenv_catalogue_card (c, ""));
}

static void
ids_and_names_find_their_record (void **state)
{
  static const struct { const char *name, *id; } models[] = {
    { "llama-3-1-8b", "llama-3-1-8b" }, { "Llama 3.1 8B", "llama-3-1-8b" },
    { "llama 3 1 8b", "llama-3-1-8b" }, { "LLAMA_3.1_8B", "llama-3-1-8b" },
    { "smollm2", "smollm2-1-7b-instruct" }, { "Qwen/Qwen3-8B", "qwen3-8b" },
    { "nemotron", "nemotron-h-8b-base-8k" } };
  static const struct { const char *name, *id; } cards[] = {
    { "nvidia-h100-sxm", "nvidia-h100-sxm" }, { "NVIDIA H100 SXM", "nvidia-h100-sxm" },
    { "h100 sxm", "nvidia-h100-sxm" }, { "4090", "nvidia-rtx-4090" },
    { "RTX 3090 Ti", "nvidia-rtx-3090-ti" } };
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (models); i++)
    {
      llmenv_model_record *m;
      STATUS (llmenv_model_load (models[i].name, &m, &error), LLMENV_OK, error, models[i].name);
      assert_string_equal (m->id, models[i].id);
      llmenv_model_record_free (m);
    }
  for (size_t i = 0; i < N_OF_ARRAY (cards); i++)
    {
      llmenv_card_record *c;
      STATUS (llmenv_card_load (cards[i].name, &c, &error), LLMENV_OK, error, cards[i].name);
      assert_string_equal (c->id, cards[i].id);
      llmenv_card_record_free (c);
    }
}

/* The whole of an id or name goes before a part of another. */
static void
every_id_and_name_finds_its_own_record (void **state)
{
  const llmenv_catalogue *c = shipped_catalogue ();
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  for (size_t i = 0; i < c->n_models; i++)
    for (int by_name = 0; by_name < 2; by_name++)
      {
        llmenv_model_record *m;
        const char *name = by_name ? c->models[i]->name : c->models[i]->id;
        STATUS (llmenv_model_load (name, &m, &error), LLMENV_OK, error, name);
        assert_string_equal (m->id, c->models[i]->id);
        llmenv_model_record_free (m);
      }
  for (size_t i = 0; i < c->n_cards; i++)
    {
      llmenv_card_record *a;
      STATUS (llmenv_card_load (c->cards[i]->name, &a, &error), LLMENV_OK, error, c->cards[i]->name);
      assert_string_equal (a->id, c->cards[i]->id);
      llmenv_card_record_free (a);
    }
}

static void
unknown_and_ambiguous_names_are_refused (void **state)
{
  static const struct { const char *name, *near; int card; } cases[] = {
    { "lama-3-1-8b", "llama-3-1-8b", 0 }, { "llama-3-1-8c", "llama-3-1-8b", 0 },
    { "deepsek-v3", "deepseek-v3", 0 }, { "qwen38", "qwen3-8b", 0 },
    { "gemma-4", "gemma-4-", 0 }, { "nvidia-h100-sxn", "nvidia-h100-sxm", 1 },
    { "nvidia-h10", "nvidia-h100", 1 }, { "", "no model ''", 0 }, { "", "no card ''", 1 },
    { "!!!", "no model '!!!'", 0 }, { "../models/llama-3-1-8b", "no model", 0 },
    { "/nowhere/passwd", "no such file", 0 }, { ".", "no model", 0 }, { "..", "no model", 0 },
    { "llama-3-1-8b.json", "no model", 0 }, { "\xff\xfe\n\x01", "no model", 0 },
    { "%s%n%x", "no model '%s%n%x'", 0 } };
  llmenv_error error;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_status st = cases[i].card ? load_card (cases[i].name, &error)
                                             : load_model (cases[i].name, &error);
      STATUS (st, cases[i].card ? LLMENV_ECARD : LLMENV_EMODEL, error, cases[i].name);
      HAS_TEXT (error.text, cases[i].near, cases[i].name);
    }
  /* What exists is read: and refused as what it is. */
  assert_int_equal (load_model ("/etc/passwd", &error), LLMENV_EBADRECORD);
  assert_int_equal (load_model ("/dev/null", &error), LLMENV_EBADFILE);
  assert_int_equal (load_model ("gemma-4", &error), LLMENV_EMODEL);
  HAS_TEXT (error.text, "names 3 models", "ambiguous");
}

/* A name never leaves the folders of records: what is a path must itself be a
 * model's file. */
static void
paths_do_not_reach_records (void **state)
{
  static const char *const names[] = {
    "../models/llama-3-1-8b", "../accelerators/nvidia-h20", "/etc/passwd", "/dev/null",
    "/dev/zero", ".", "..", "/", "~", "no/such", "./" };
  llmenv_error error;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (names); i++)
    {
      assert_int_not_equal (load_model (names[i], &error), LLMENV_OK);
      assert_int_not_equal (load_card (names[i], &error), LLMENV_OK);
    }
}

static void
a_very_long_name_is_refused_in_one_line (void **state)
{
  char *name = malloc (1000001);
  llmenv_error error;
  (void) state;
  assert_non_null (name);
  memset (name, 'a', 1000000);
  name[1000000] = '\0';
  assert_int_equal (load_model (name, &error), LLMENV_EMODEL);
  assert_true (strlen (error.text) < sizeof error.text - 1);
  free (name);
}

/* ---- three kinds of value ---------------------------------------------- */

static void
published_right_and_older_are_kept_apart (void **state)
{
  static const struct { const char *id; double published, right, older; } cases[] = {
    { "gemma-4-12b", 178176, 344064, NAN }, { "gemma-4-26b-a4b", 112640, 225280, NAN },
    { "gemma-4-31b", 450560, 901120, NAN },
    { "phi-3-5-mini-instruct", 393216, 393216, 24576 },
    { "phi-3-mini-4k-instruct", 393216, 393216, 24576 },
    { "gte-qwen2-1-5b-instruct", 28672, 28672, 14336 },
    { "llama-3-1-8b", 131072, 131072, NAN }, { "gpt-4-1", NAN, NAN, NAN } };
  static const char *const field = "kv_cache_bytes_per_token";
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const llmenv_model_record *m = llmenv_catalogue_model (shipped_catalogue (), cases[i].id);
      double older = NAN;
      size_t k;
      json_t *c;
      NEAR (llmenv_record_number (m->json, field, LLMENV_PUBLISHED), cases[i].published, 0, cases[i].id);
      NEAR (llmenv_record_number (m->json, field, LLMENV_LAYERED), cases[i].right, 0, cases[i].id);
      NEAR (m->model.published.kv_bytes, cases[i].published, 0, cases[i].id);
      json_array_foreach (json_object_get (m->json, "corrections"), k, c)
        if (strcmp (llmenv_record_text (c, "field"), field) == 0
            && json_is_number (json_object_get (c, "older")))
          older = json_number_value (json_object_get (c, "older"));
      NEAR (older, cases[i].older, 0, cases[i].id);
    }
}

static void
corrections_that_do_not_apply_are_only_noted (void **state)
{
  static const struct { const char *json; double published, layered; } cases[] = {
    { "{\"x\": 1}", 1, 1 }, { "{}", NAN, NAN }, { "{\"x\": null}", NAN, NAN },
    { "{\"x\": \"7\"}", NAN, NAN },
    { "{\"x\": 1, \"corrections\": [{\"field\": \"x\", \"published\": 2, \"right\": 3}]}", 2, 3 },
    { "{\"x\": 1, \"corrections\": [{\"field\": \"x\", \"right\": 3}]}", 1, 3 },
    { "{\"x\": 1, \"corrections\": [{\"field\": \"x\", \"right\": 3, \"applies\": false}]}", 1, 1 },
    { "{\"x\": 1, \"corrections\": [{\"field\": \"x\", \"right\": 3, \"applies\": true}]}", 1, 3 },
    { "{\"x\": 1, \"corrections\": [{\"field\": \"y\", \"right\": 3}]}", 1, 1 },
    { "{\"x\": 1, \"corrections\": [{\"field\": \"x\", \"right\": null}]}", 1, 1 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      json_t *json = json_loads (cases[i].json, 0, NULL);
      NEAR (llmenv_record_number (json, "x", LLMENV_PUBLISHED), cases[i].published, 0, cases[i].json);
      NEAR (llmenv_record_number (json, "x", LLMENV_LAYERED), cases[i].layered, 0, cases[i].json);
      json_decref (json);
    }
  assert_string_equal (llmenv_record_text (NULL, "x"), "");
}

/* Spec section 4. */
static void
known_corrections_are_in_place (void **state)
{
  static const struct { const char *id, *field; double right; } cases[] = {
    { "nemotron-h-8b-base-8k", "mamba_layers", 24 },
    { "step-3-5-flash", "num_layers", 45 },
    { "gemma-2-2b", "global_layers", 13 }, { "gemma-2-2b", "local_layers", 13 },
    { "gemma-4-12b", "full_attention_layers", 8 } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    NEAR (llmenv_record_number (llmenv_catalogue_model (shipped_catalogue (), cases[i].id)->json,
                                cases[i].field, LLMENV_LAYERED), cases[i].right, 0, cases[i].id);
  /* 48 MiB of matrices; MiniCPM-V about 18 MiB (with columns 18.6). */
  NEAR (24 * 1048576 * 2.0, 48 * 1048576.0, 0, "Nemotron-H");
  const llmenv_envelope e = shipped ("minicpm-v-4-6", NULL, NULL);
  NEAR (value_of ("kv_bytes", &e, 1, 0) / 1048576, 18.6, 0.01, "MiniCPM-V");
}

/* ---- cards ------------------------------------------------------------- */

static void
cards_answer_by_convention (void **state)
{
  static const struct
  {
    const char *id, *convention, *type;
    double tflops, gb_s, memory;
    int peak_assumed, memory_assumed;
  } cases[] = {
    { "nvidia-h100-sxm", "published", "bf16", 989.5, 3350, 80e9, 0, 0 },
    /* nvidia-smi: 81,559 MiB */
    { "nvidia-h100-sxm", "layered", "bf16", 989.5, 3350, 81559.0 * 1048576, 0, 0 },
    { "nvidia-h100-sxm", "layered", "fp8", 1979, 3350, 81559.0 * 1048576, 0, 0 },
    { "nvidia-b200", "published", "bf16", 2500, 8000, 186e9, 0, 0 },
    { "nvidia-b200", "layered", "bf16", 2250, 8000, 183359.0 * 1048576, 0, 0 },
    { "nvidia-b200", "published", "fp4", 10000, 8000, 186e9, 0, 0 },
    { "nvidia-b200", "layered", "fp4", 9000, 8000, 183359.0 * 1048576, 0, 0 },
    { "nvidia-rtx-3090", "published", "bf16", 71.2, 936, 24e9, 1, 0 },
    { "nvidia-rtx-3090", "layered", "bf16", 71.2, 936, 24576.0 * 1048576, 1, 0 },
    { "nvidia-rtx-3090", "layered", "fp16", 71.2, 936, 24576.0 * 1048576, 0, 0 },
    /* dense 165.2 beside sparse 330.4 */
    { "nvidia-rtx-4090", "layered", "bf16", 165.2, 1008, 24564.0 * 1048576, 0, 0 },
    /* the matrix rate beside the vector rate */
    { "amd-instinct-mi355x", "layered", "fp16", 2500, 8000, 294896.0 * 1048576, 0, 0 },
    { "amd-radeon-rx-7900-xtx", "layered", "bf16", 123, 960, 24560.0 * 1048576, 1, 0 },
    { "apple-m4-max", "layered", "bf16", NAN, 546, 128 * 1073741824.0, 0, 1 },
    { "apple-m4-max", "published", "bf16", NAN, 546, 128e9, 0, 0 },
    { "nvidia-h800-80gb", "published", "bf16", NAN, NAN, NAN, 0, 0 },
    { "nvidia-h20", "published", "int8", NAN, 4000, 96e9, 0, 0 },
    { "nvidia-h20", "layered", "int8", 296, 4000, 97871.0 * 1048576, 0, 0 },
    { "nvidia-h100-sxm", "layered", "int4", NAN, 3350, 81559.0 * 1048576, 0, 0 },
  };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      llmenv_options o = llmenv_options_default ();
      llmenv_error error;
      assert_int_equal (llmenv_option_set_text (&o, "Convention", cases[i].convention, &error), LLMENV_OK);
      assert_int_equal (llmenv_option_set_text (&o, "ComputeType", cases[i].type, &error), LLMENV_OK);
      const llmenv_card_numbers n
        = llmenv_card_numbers_get (llmenv_catalogue_card (shipped_catalogue (), cases[i].id), &o);
      NEAR (n.card.peak, 1e12 * cases[i].tflops, 1e-15, cases[i].id);
      NEAR (n.card.bandwidth, 1e9 * cases[i].gb_s, 1e-15, cases[i].id);
      NEAR (n.card.memory, cases[i].memory, 0, cases[i].id);
      assert_int_equal (n.peak_is_assumed, cases[i].peak_assumed);
      assert_int_equal (n.memory_is_assumed, cases[i].memory_assumed);
    }
}

/* ---- LLMENV_DATA ------------------------------------------------------- */

static void
folders_of_llmenv_data_come_first (void **state)
{
  llmenv_model_record *m;
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_catalogue c;
  char two[3 * PATH];
  (void) state;
  write_record ("models", "llama-3-1-8b", "{\"id\": \"llama-3-1-8b\", \"params_b\": 9}");
  write_record ("models", "mine", "{\"id\": \"mine\", \"name\": \"My Own 1T\"}");
  static const char *const forms[] = { "%s", "/tmp:%s", ":::%s:", "%s:/tmp" };
  for (size_t i = 0; i < N_OF_ARRAY (forms); i++)
    {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      snprintf (two, sizeof two - 8, forms[i], folder);
#pragma GCC diagnostic pop
      strcat (two, after);
      setenv ("LLMENV_DATA", two, 1);
      STATUS (llmenv_model_load ("llama-3-1-8b", &m, &error), LLMENV_OK, error, two);
      NEAR (m->model.published.params, 9e9, 0, "first one wins");
      llmenv_model_record_free (m);
      STATUS (llmenv_model_load ("my own", &m, &error), LLMENV_OK, error, two);
      assert_string_equal (m->id, "mine");
      llmenv_model_record_free (m);
      STATUS (llmenv_catalogue_load (&c, &error), LLMENV_OK, error, two);
      assert_int_equal (c.n_models, 82);  /* one more, one replaced */
      assert_int_equal (c.n_cards, 64);
      NEAR (llmenv_catalogue_model (&c, "llama-3-1-8b")->model.published.params, 9e9, 0, "first");
      llmenv_catalogue_free (&c);
    }
  remove_record ("models", "mine");
  remove_record ("models", "llama-3-1-8b");
  leave_folder ();
}

/* A folder that is not there is a slip of the keyboard, not a wish for none. */
static void
folders_that_are_not_there_are_named (void **state)
{
  static const char *const values[][2]
    = { { "/no/such/folder", "LLMENV_DATA: /no/such/folder: no such folder" },
        { ":/tmp::/no/such/folder:", "LLMENV_DATA: /no/such/folder: no such folder" },
        { "/dev/null", "LLMENV_DATA: /dev/null: no such folder" } };
  llmenv_catalogue c;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (values); i++)
    {
      llmenv_error error = { LLMENV_OK, "" };
      char path[LLMENV_PATH_SIZE];
      setenv ("LLMENV_DATA", values[i][0], 1);
      STATUS (load_model ("llama-3-1-8b", &error), LLMENV_EBADFILE, error, values[i][0]);
      HAS_TEXT (error.text, values[i][1], "message");
      STATUS (llmenv_catalogue_load (&c, &error), LLMENV_EBADFILE, error, values[i][0]);
      STATUS (llmenv_data_file ("printed.json", path, &error), LLMENV_EBADFILE, error, values[i][0]);
      HAS_TEXT (error.text, values[i][1], "message");
    }
  leave_folder ();
}

static void
data_files_are_found_or_named (void **state)
{
  char path[LLMENV_PATH_SIZE];
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  STATUS (llmenv_data_file ("printed.json", path, &error), LLMENV_OK, error, "printed.json");
  assert_int_equal (access (path, R_OK), 0);
  STATUS (llmenv_data_file ("no-such.json", path, &error), LLMENV_EBADFILE, error, "none");
  HAS_TEXT (error.text, "no-such.json", "name");
  assert_true (is_one_line (error.text));
}

/* ---- malformed records ------------------------------------------------- */

/* A model named x: what it holds, the status, what the line says. */
#define LAYER(rest) "{\"id\": \"x\", \"layers\": [{\"count\": 2, " rest "}]}"
#define HEADS "\"q_heads\": 4, \"kv_heads\": 2, \"k_dim\": 8, \"v_dim\": 8"
#define PART(rest) "{\"id\": \"x\", \"weights\": {\"parts\": [{" rest "}]}}"

static const struct
{
  const char *json;
  llmenv_status status;
  const char *says;
} bad_models[] = {
  /* not JSON: file, line and column */
  { "", LLMENV_EBADRECORD, "/x.json: the file is empty, expected one JSON object" },
  { " ", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{", LLMENV_EBADRECORD, "/x.json:1:1:" },
  { "{\"id\": \"x\"", LLMENV_EBADRECORD, "/x.json:1:10:" },
  { "{\n\"id\": \"x\",\n\"params_b\": 1 2}", LLMENV_EBADRECORD, "/x.json:3:15:" },
  { "{\n\"id\": \"x\",\n\n}", LLMENV_EBADRECORD, "/x.json:4:1:" },
  { "{\"id\": \"x\"}}", LLMENV_EBADRECORD, "/x.json:1:12: not valid JSON" },
  { "{\"id\": \"x\"} {\"id\": \"x\"}", LLMENV_EBADRECORD, "/x.json:1:13:" },
  { "{\"id\": 'x'}", LLMENV_EBADRECORD, "/x.json:1:8:" },
  { "{\"id\": \"x\", \"params_b\": NaN}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"x\", \"params_b\": 1e999}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"x\", \"params_b\": 012}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"x\", \"num_layers\": 123456789012345678901234567890}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"\xff\xfe\"}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"x\\u0000y\"}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"x\\ud800\"}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"x\ny\"}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "\xef\xbb\xbf{\"id\": \"x\"}", LLMENV_EBADRECORD, "/x.json:1:" },
  { "{\"id\": \"x\", \"id\": \"x\"}", LLMENV_EBADRECORD, "duplicate" },
  { "{\"id\": \"x\", \"a\": {\"b\": 1, \"b\": 2}}", LLMENV_EBADRECORD, "duplicate" },
  /* not an object */
  { "[]", LLMENV_EBADRECORD, "expected one JSON object" },
  { "[{\"id\": \"x\"}]", LLMENV_EBADRECORD, "expected one JSON object" },
  { "null", LLMENV_EBADRECORD, "/x.json:1:" },
  { "7", LLMENV_EBADRECORD, "/x.json:1:" },
  { "\"x\"", LLMENV_EBADRECORD, "/x.json:1:" },
  /* the id */
  { "{}", LLMENV_EBADRECORD, "id: expected" },
  { "{\"id\": null}", LLMENV_EBADRECORD, "id: expected" },
  { "{\"id\": 7}", LLMENV_EBADRECORD, "id: expected" },
  { "{\"id\": \"y\"}", LLMENV_EBADRECORD, "id: expected \"x\"" },
  { "{\"id\": \"\"}", LLMENV_EBADRECORD, "id: expected \"x\"" },
  { "{\"name\": \"x\"}", LLMENV_EBADRECORD, "id: expected" },
  /* fields of a wrong type or range */
  { "{\"id\": \"x\", \"params_b\": \"8\"}", LLMENV_EBADRECORD, "params_b: expected a number or null, found \"8\"" },
  { "{\"id\": \"x\", \"params_b\": true}", LLMENV_EBADRECORD, "params_b: expected a number" },
  { "{\"id\": \"x\", \"params_b\": [8]}", LLMENV_EBADRECORD, "params_b: expected a number" },
  { "{\"id\": \"x\", \"params_b\": -8}", LLMENV_EBADRECORD, "params_b: expected a number from 0, found -8" },
  { "{\"id\": \"x\", \"num_layers\": 1.5}", LLMENV_EBADRECORD, "num_layers: expected a whole number from 1, or null, found 1.5" },
  { "{\"id\": \"x\", \"release_year\": 1.5}", LLMENV_EBADRECORD, "release_year: expected a whole number, found 1.5" },
  /* what a model has of these is not 0 */
  { "{\"id\": \"x\", \"params_b\": 0}", LLMENV_EBADRECORD, "params_b: expected a number above 0, or null, found 0" },
  { "{\"id\": \"x\", \"active_params_b\": 0.0}", LLMENV_EBADRECORD, "active_params_b: expected a number above 0" },
  { "{\"id\": \"x\", \"hidden_size\": 0}", LLMENV_EBADRECORD, "hidden_size: expected a whole number from 1, or null, found 0" },
  { "{\"id\": \"x\", \"num_layers\": 0}", LLMENV_EBADRECORD, "num_layers: expected a whole number from 1" },
  { "{\"id\": \"x\", \"num_attention_heads\": 0}", LLMENV_EBADRECORD, "num_attention_heads: expected a whole number from 1" },
  { "{\"id\": \"x\", \"num_kv_heads\": 0}", LLMENV_EBADRECORD, "num_kv_heads: expected a whole number from 1" },
  { "{\"id\": \"x\", \"head_dim\": 0}", LLMENV_EBADRECORD, "head_dim: expected a whole number from 1" },
  { "{\"id\": \"x\", \"num_experts\": -1}", LLMENV_EBADRECORD, "num_experts: expected" },
  { "{\"id\": \"x\", \"shared_expert\": 1}", LLMENV_EBADRECORD, "shared_expert: expected true, false or null" },
  { "{\"id\": \"x\", \"name\": 1}", LLMENV_EBADRECORD, "name: expected text" },
  { "{\"id\": \"x\", \"architecture\": {}}", LLMENV_EBADRECORD, "architecture: expected text" },
  { "{\"id\": \"x\", \"corrections\": {}}", LLMENV_EBADRECORD, "corrections: expected a list" },
  { "{\"id\": \"x\", \"corrections\": [1]}", LLMENV_EBADRECORD, "corrections[0]: expected an object" },
  { "{\"id\": \"x\", \"corrections\": [{\"field\": \"a\"}, {}]}", LLMENV_EBADRECORD, "corrections[1].field: expected" },
  { "{\"id\": \"x\", \"weight_format\": \"bf17\"}", LLMENV_EBADRECORD, "weight_format: expected a storage type" },
  { "{\"id\": \"x\", \"weight_format\": 2}", LLMENV_EBADRECORD, "weight_format: expected text" },
  { "{\"id\": \"x\", \"weight_format\": \"Q4_K_M\"}", LLMENV_EBADRECORD, "weight_format: expected" },
  /* layers */
  { "{\"id\": \"x\", \"layers\": {}}", LLMENV_EBADRECORD, "layers: expected a list" },
  { "{\"id\": \"x\", \"layers\": 3}", LLMENV_EBADRECORD, "layers: expected a list" },
  { "{\"id\": \"x\", \"layers\": [3]}", LLMENV_EBADRECORD, "layers[0]: expected an object" },
  { "{\"id\": \"x\", \"layers\": [{}]}", LLMENV_EBADRECORD, "layers[0].count: expected" },
  { "{\"id\": \"x\", \"layers\": [{\"count\": 0, \"kind\": \"none\"}]}", LLMENV_EBADRECORD, "layers[0].count: expected" },
  { LAYER ("\"kind\": 1"), LLMENV_EBADRECORD, "layers[0].kind: expected" },
  { LAYER (HEADS), LLMENV_EBADRECORD, "layers[0].kind: expected" },
  { LAYER ("\"kind\": \"fulll\""), LLMENV_EBADRECORD, "layers[0].kind: expected one of full window" },
  { LAYER ("\"kind\": \"full\""), LLMENV_EBADRECORD, "layers[0].q_heads: expected a number" },
  { LAYER ("\"kind\": \"full\", \"q_heads\": 4, \"kv_heads\": null, \"k_dim\": 8, \"v_dim\": 8"), LLMENV_EBADRECORD, "layers[0].kv_heads: expected a number, found null" },
  { LAYER ("\"kind\": \"full\", \"q_heads\": 4, \"kv_heads\": 2, \"k_dim\": -8, \"v_dim\": 8"), LLMENV_EBADRECORD, "layers[0].k_dim: expected" },
  { LAYER ("\"kind\": \"window\", " HEADS), LLMENV_EBADRECORD, "layers[0].window: expected" },
  { LAYER ("\"kind\": \"chunk\", " HEADS), LLMENV_EBADRECORD, "layers[0].window: expected" },
  { LAYER ("\"kind\": \"cross\", " HEADS), LLMENV_EBADRECORD, "layers[0].length: expected" },
  { LAYER ("\"kind\": \"latent\", \"q_heads\": 4"), LLMENV_EBADRECORD, "layers[0].rank: expected" },
  { LAYER ("\"kind\": \"sparse_latent\", \"q_heads\": 4, \"rank\": 8, \"rope_dim\": 2"), LLMENV_EBADRECORD, "layers[0].top: expected" },
  { LAYER ("\"kind\": \"shared\", " HEADS), LLMENV_EBADRECORD, "layers[0].reads: expected" },
  { LAYER ("\"kind\": \"shared\", \"reads\": \"window\", " HEADS), LLMENV_EBADRECORD, "layers[0].window: expected" },
  { LAYER ("\"kind\": \"recurrent\""), LLMENV_EBADRECORD, "layers[0].state: expected" },
  { LAYER ("\"kind\": \"recurrent\", \"state\": 7"), LLMENV_EBADRECORD, "layers[0].state: expected an object" },
  { LAYER ("\"kind\": \"recurrent\", \"state\": {\"recurrent\": \"7\"}"), LLMENV_EBADRECORD, "layers[0].state.recurrent: expected" },
  { LAYER ("\"kind\": \"recurrent\", \"state\": {\"recurrent\": 7, \"type\": \"bf1\"}"), LLMENV_EBADRECORD, "layers[0].state.type: expected" },
  { LAYER ("\"kind\": \"none\", \"mlp\": 7"), LLMENV_EBADRECORD, "layers[0].mlp: expected an object, found 7" },
  { LAYER ("\"kind\": \"none\", \"mlp\": []"), LLMENV_EBADRECORD, "layers[0].mlp: expected an object" },
  { LAYER ("\"kind\": \"none\", \"mlp\": {}"), LLMENV_EBADRECORD, "layers[0].mlp.kind: expected text" },
  { LAYER ("\"kind\": \"none\", \"mlp\": {\"kind\": \"wide\"}"), LLMENV_EBADRECORD, "layers[0].mlp.kind: expected dense or moe, found \"wide\"" },
  { LAYER ("\"kind\": \"none\", \"mlp\": {\"kind\": \"dense\", \"size\": \"8\"}"), LLMENV_EBADRECORD, "layers[0].mlp.size: expected a number" },
  { LAYER ("\"kind\": \"none\", \"mlp\": {\"kind\": \"dense\", \"size\": 0}"), LLMENV_EBADRECORD, "layers[0].mlp.size: expected a number from 1" },
  { LAYER ("\"kind\": \"none\", \"mlp\": {\"kind\": \"moe\", \"size\": 8, \"experts\": true, \"top\": 1, \"shared_size\": 0}"), LLMENV_EBADRECORD, "layers[0].mlp.experts: expected a number" },
  { LAYER ("\"kind\": \"none\", \"mlp\": {\"kind\": \"moe\", \"size\": 8, \"experts\": 4, \"top\": 1}"), LLMENV_EBADRECORD, "layers[0].mlp.shared_size: expected a number" },
  /* contradictions */
  { "{\"id\": \"x\", \"params_b\": 100, \"active_params_b\": 90, \"num_experts\": 8, \"experts_per_token\": 16}", LLMENV_EBADRECORD, "experts_per_token: 16 of 8 experts" },
  { "{\"id\": \"x\", \"num_layers\": 3, \"layers\": [{\"count\": 2, \"kind\": \"none\"}]}", LLMENV_EBADRECORD, "num_layers: the layers give 2, the record says 3" },
  { "{\"id\": \"x\", \"kv_caching_layer_count\": 1, \"layers\": [{\"count\": 2, \"kind\": \"full\", " HEADS "}]}", LLMENV_EBADRECORD, "kv_caching_layer_count: the layers give 2, the record says 1" },
  { "{\"id\": \"x\", \"kv_cache_bytes_per_token\": 127, \"layers\": [{\"count\": 2, \"kind\": \"full\", " HEADS "}]}", LLMENV_EBADRECORD, "kv_cache_bytes_per_token: the layers give 128, the record says 127" },
  { "{\"id\": \"x\", \"state_bytes_per_sequence\": 13, \"layers\": [{\"count\": 1, \"kind\": \"recurrent\", \"state\": {\"recurrent\": 7}}]}", LLMENV_EBADRECORD, "state_bytes_per_sequence: the layers give 14, the record says 13" },
  { "{\"id\": \"x\", \"num_layers\": 2, \"corrections\": [{\"field\": \"num_layers\", \"right\": 3}], \"layers\": [{\"count\": 2, \"kind\": \"none\"}]}", LLMENV_EBADRECORD, "num_layers: the layers give 2, the record says 3" },
  /* weights */
  { "{\"id\": \"x\", \"weights\": []}", LLMENV_EBADRECORD, "weights: expected an object" },
  { "{\"id\": \"x\", \"weights\": {\"parts\": {}}}", LLMENV_EBADRECORD, "weights.parts: expected a list" },
  { "{\"id\": \"x\", \"weights\": {\"parts\": [1]}}", LLMENV_EBADRECORD, "weights.parts[0]: expected an object" },
  { PART (""), LLMENV_EBADRECORD, "weights.parts[0].params: expected" },
  { PART ("\"params\": \"7\", \"role\": \"shared\""), LLMENV_EBADRECORD, "weights.parts[0].params: expected" },
  { PART ("\"params\": 7"), LLMENV_EBADRECORD, "weights.parts[0].role: expected" },
  { PART ("\"params\": 7, \"role\": \"sharde\""), LLMENV_EBADRECORD, "weights.parts[0].role: expected one of shared routed" },
  { PART ("\"params\": 7, \"role\": \"shared\", \"format\": \"zip\""), LLMENV_EBADRECORD, "weights.parts[0].format: expected" },
  { PART ("\"params\": 7, \"role\": \"routed\""), LLMENV_EBADRECORD, "routed weights need experts and top" },
  { "{\"id\": \"x\", \"weights\": {\"experts\": 4, \"top\": 5, \"parts\": [{\"params\": 7, \"role\": \"routed\"}]}}", LLMENV_EBADRECORD, "top at most experts" },
  { "{\"id\": \"x\", \"weights\": {\"experts\": 0, \"top\": 0, \"parts\": [{\"params\": 7, \"role\": \"routed\"}]}}", LLMENV_EBADRECORD, "weights.experts: expected" },
  /* controls in an id, of ASCII and of Latin 1 */
  { "{\"id\": \"x\\u001b[2J\"}", LLMENV_EBADRECORD, "id: expected" },
  /* good: unknown fields, nulls, empty lists */
  { "{\"id\": \"x\", \"num_experts\": 0, \"experts_per_token\": 0, \"kv_cache_bytes_per_token\": 0}", LLMENV_OK, "" },
  { LAYER ("\"kind\": \"none\", \"mlp\": {\"kind\": \"moe\", \"size\": 8, \"experts\": 4, \"top\": 1, \"shared_size\": 0}"), LLMENV_OK, "" },
  { LAYER ("\"kind\": \"none\", \"mlp\": null"), LLMENV_OK, "" },
  { "{\"id\": \"x\"}", LLMENV_OK, "" },
  { "{\"id\": \"x\", \"colour\": {\"deep\": [1, {\"er\": null}]}}", LLMENV_OK, "" },
  { "{\"id\": \"x\", \"params_b\": null, \"layers\": null, \"weights\": null, \"corrections\": null}", LLMENV_OK, "" },
  { "{\"id\": \"x\", \"layers\": [], \"weights\": {\"parts\": []}, \"corrections\": []}", LLMENV_OK, "" },
  { LAYER ("\"kind\": \"full\", \"colour\": 1, " HEADS), LLMENV_OK, "" },
  { LAYER ("\"kind\": \"recurrent\", \"state\": {\"recurrent\": 7}"), LLMENV_OK, "" },
  { PART ("\"params\": 0, \"role\": \"shared\", \"colour\": 1"), LLMENV_OK, "" },
  { "{\"id\": \"x\", \"num_layers\": 3, \"corrections\": [{\"field\": \"num_layers\", \"right\": 2}], \"layers\": [{\"count\": 2, \"kind\": \"none\"}]}", LLMENV_OK, "" },
  { " \n\t{\"id\": \"x\"}\n\n", LLMENV_OK, "" },
};

static void
malformed_models_are_refused_in_one_line (void **state)
{
  char path[PATH];
  llmenv_error error;
  (void) state;
  put_folder_first ();
  path_in (path, "models", "x");
  for (size_t i = 0; i < N_OF_ARRAY (bad_models); i++)
    {
      write_record ("models", "x", bad_models[i].json);
      STATUS (load_model ("x", &error), bad_models[i].status, error, bad_models[i].json);
      HAS_TEXT (error.text, bad_models[i].says, bad_models[i].json);
      if (bad_models[i].status != LLMENV_OK)
        HAS_TEXT (error.text, path, "the file");
    }
  remove_record ("models", "x");
  leave_folder ();
}

static const struct
{
  const char *json;
  llmenv_status status;
  const char *says;
} bad_cards[] = {
  { "", LLMENV_EBADRECORD, "/x.json: the file is empty" },
  { "{\"id\": \"y\"}", LLMENV_EBADRECORD, "id: expected \"x\"" },
  { "{\"id\": \"x\", \"vram_gb\": \"80\"}", LLMENV_EBADRECORD, "vram_gb: expected a number" },
  { "{\"id\": \"x\", \"vram_gb\": -1}", LLMENV_EBADRECORD, "vram_gb: expected a number from 0, found -1" },
  { "{\"id\": \"x\", \"memory_bandwidth_gbps\": []}", LLMENV_EBADRECORD, "memory_bandwidth_gbps: expected" },
  { "{\"id\": \"x\", \"release_year\": 2024.5}", LLMENV_EBADRECORD, "release_year: expected a whole number" },
  { "{\"id\": \"x\", \"consumer\": \"no\"}", LLMENV_EBADRECORD, "consumer: expected true, false or null" },
  { "{\"id\": \"x\", \"memory_bytes\": 0}", LLMENV_EBADRECORD, "memory_bytes: expected" },
  { "{\"id\": \"x\", \"memory_bytes\": \"1\"}", LLMENV_EBADRECORD, "memory_bytes: expected" },
  { "{\"id\": \"x\", \"flops\": {}}", LLMENV_EBADRECORD, "flops: expected a list" },
  { "{\"id\": \"x\", \"flops\": [989]}", LLMENV_EBADRECORD, "flops[0]: expected an object" },
  { "{\"id\": \"x\", \"flops\": [{}]}", LLMENV_EBADRECORD, "flops[0].precision: expected" },
  { "{\"id\": \"x\", \"flops\": [{\"precision\": \"bf16\", \"dense\": true}]}", LLMENV_EBADRECORD, "flops[0].tflops: expected" },
  { "{\"id\": \"x\", \"flops\": [{\"precision\": \"bf16\", \"tflops\": -1, \"dense\": true}]}", LLMENV_EBADRECORD, "flops[0].tflops: expected" },
  { "{\"id\": \"x\", \"flops\": [{\"precision\": \"bf16\", \"tflops\": 1}]}", LLMENV_EBADRECORD, "flops[0].dense: expected true or false" },
  { "{\"id\": \"x\", \"flops\": [{\"precision\": \"bf16\", \"tflops\": 1, \"dense\": 1}]}", LLMENV_EBADRECORD, "flops[0].dense: expected true or false" },
  { "{\"id\": \"x\", \"corrections\": [null]}", LLMENV_EBADRECORD, "corrections[0]: expected an object" },
  { "{\"id\": \"x\"}", LLMENV_OK, "" },
  { "{\"id\": \"x\", \"flops\": null, \"colour\": [1]}", LLMENV_OK, "" },
  { "{\"id\": \"x\", \"flops\": [{\"precision\": \"bf16\", \"tflops\": 1, \"dense\": true, \"note\": \"\"}]}", LLMENV_OK, "" },
};

static void
malformed_cards_are_refused_in_one_line (void **state)
{
  llmenv_error error;
  (void) state;
  put_folder_first ();
  for (size_t i = 0; i < N_OF_ARRAY (bad_cards); i++)
    {
      write_record ("accelerators", "x", bad_cards[i].json);
      STATUS (load_card ("x", &error), bad_cards[i].status, error, bad_cards[i].json);
      HAS_TEXT (error.text, bad_cards[i].says, bad_cards[i].json);
    }
  remove_record ("accelerators", "x");
  leave_folder ();
}

/* A broken record stops the catalogue, and is named; it does not stop others. */
static void
a_broken_record_does_not_hide_the_others (void **state)
{
  llmenv_catalogue c;
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  put_folder_first ();
  write_record ("models", "x", "{\"id\": ");
  STATUS (load_model ("Llama 3.1 8B", &error), LLMENV_OK, error, "by name");
  STATUS (load_model ("llama-3-1-8b", &error), LLMENV_OK, error, "by id");
  STATUS (llmenv_catalogue_load (&c, &error), LLMENV_EBADRECORD, error, "catalogue");
  HAS_TEXT (error.text, "/models/x.json:1:", "which");
  assert_true (c.models == NULL && c.n_models == 0 && c.n_cards == 0);
  remove_record ("models", "x");
  leave_folder ();
}

/* ---- what is no file --------------------------------------------------- */

static void
what_is_no_regular_file_is_refused (void **state)
{
  char path[PATH];
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  put_folder_first ();
  path_in (path, "models", "x");
  assert_int_equal (mkfifo (path, 0600), 0);
  STATUS (load_model ("x", &error), LLMENV_EBADFILE, error, "FIFO");
  HAS_TEXT (error.text, "not a regular file", "FIFO");
  remove (path);
  assert_int_equal (mkdir (path, 0700), 0);
  STATUS (load_model ("x", &error), LLMENV_EBADFILE, error, "directory");
  rmdir (path);
  assert_int_equal (symlink ("/dev/zero", path), 0);
  STATUS (load_model ("x", &error), LLMENV_EBADFILE, error, "device");
  remove (path);
  assert_int_equal (symlink (path, path), 0);
  assert_int_not_equal (load_model ("x", &error), LLMENV_OK);
  remove (path);
  leave_folder ();
}

static void
unreadable_and_huge_files_are_refused (void **state)
{
  char path[PATH];
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  put_folder_first ();
  path_in (path, "models", "x");
  write_bytes (path, "", 0);
  assert_int_equal (truncate (path, (off_t) 1 << 40), 0);  /* a hole */
  STATUS (load_model ("x", &error), LLMENV_EBADFILE, error, "1 TiB");
  HAS_TEXT (error.text, "at most", "limit");
  if (geteuid () != 0)
    {
      write_bytes (path, "{}", 2);
      assert_int_equal (chmod (path, 0), 0);
      STATUS (load_model ("x", &error), LLMENV_EBADFILE, error, "no permission");
    }
  remove (path);
  assert_null (llmenv_json_read (path, &error));
  assert_int_equal (error.status, LLMENV_EBADFILE);
  leave_folder ();
}

static void
deep_nesting_and_embedded_zeros_are_refused (void **state)
{
  char path[PATH];
  char *text = malloc (TEXT);
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  assert_non_null (text);
  put_folder_first ();
  path_in (path, "models", "x");
  static const char *const nests[] = { "[", "{\"a\":", "[{\"id\":" };
  for (size_t i = 0; i < N_OF_ARRAY (nests); i++)
    {
      const size_t n = strlen (nests[i]);
      for (size_t k = 0; k + n <= TEXT; k += n)
        memcpy (text + k, nests[i], n);
      write_bytes (path, text, TEXT / n * n);
      STATUS (load_model ("x", &error), LLMENV_EBADRECORD, error, nests[i]);
      assert_true (strlen (error.text) < 500);
    }
  write_bytes (path, "{\"id\": \"x\"\0}", 12);
  STATUS (load_model ("x", &error), LLMENV_EBADRECORD, error, "zero byte");
  write_bytes (path, "{\"id\": \"x\"}\0", 12);
  STATUS (load_model ("x", &error), LLMENV_EBADRECORD, error, "zero byte at the end");
  remove (path);
  free (text);
  leave_folder ();
}

/* A long value or key in the message must not make it long or many lines. */
static void
hostile_texts_are_quoted_short (void **state)
{
  char *text = malloc (TEXT + 100);
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  assert_non_null (text);
  put_folder_first ();
  strcpy (text, "{\"id\": \"x\", \"params_b\": \"\\n\\u001b[2J");
  const size_t n = strlen (text);
  memset (text + n, 'A', TEXT);
  strcpy (text + n + TEXT, "\"}");
  write_record ("models", "x", text);
  STATUS (load_model ("x", &error), LLMENV_EBADRECORD, error, "long value");
  assert_true (strlen (error.text) < 500);
  HAS_TEXT (error.text, "params_b", "field");
  remove_record ("models", "x");
  free (text);
  leave_folder ();
}

/* Control characters would reach the terminal: none in an id, question marks
 * in all other texts; letters beyond ASCII stay. */
static void
control_characters_do_not_reach_the_terminal (void **state)
{
  static const char *const ids[] = { "x\\u001b[2J", "x\\u009b2J", "x\\u007f", "x\\n" };
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_model_record *m;
  char text[100];
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (ids); i++)
    {
      snprintf (text, sizeof text, "{\"id\": \"%s\"}", ids[i]);
      json_t *json = json_loads (text, 0, NULL);
      assert_non_null (json);
      STATUS (llmenv_model_record_make (json, "here", &m, &error), LLMENV_EBADRECORD, error, text);
      HAS_TEXT (error.text, "here: id: expected text without control characters", text);
      assert_true (is_one_line (error.text));
    }
  json_t *json = json_loads ("{\"id\": \"x\", \"name\": \"Gr\\u00f6\\u00dfe\\u001b[31m\\u009b0m\","
                             " \"corrections\": [{\"field\": \"a\", \"why\": \"\\u0007\"}]}", 0, NULL);
  STATUS (llmenv_model_record_make (json, "here", &m, &error), LLMENV_OK, error, "name");
  assert_string_equal (m->name, "Gr\xc3\xb6\xc3\x9f" "e?[31m??0m");
  assert_string_equal (llmenv_record_text (json_array_get (json_object_get (m->json, "corrections"), 0), "why"), "?");
  llmenv_model_record_free (m);
}

/* ---- shipped files cut and damaged ------------------------------------- */

static char *
read_whole (const char *path, size_t *n)
{
  FILE *f = fopen (path, "rb");
  char *text = malloc (TEXT);
  assert_true (f != NULL && text != NULL);
  *n = fread (text, 1, TEXT, f);
  assert_true (*n > 0 && *n < TEXT);
  fclose (f);
  return text;
}

static llmenv_status
load_bytes (const char *kind, const char *id, const char *bytes, size_t n,
            llmenv_error *error)
{
  char path[PATH];
  path_in (path, kind, id);
  write_bytes (path, bytes, n);
  return strcmp (kind, "models") == 0 ? load_model (id, error) : load_card (id, error);
}

/* Cut anywhere, a record is refused, unless only blanks are missing. */
static void
cut_at_many_places (const char *kind, const char *id, const char *shipped_path)
{
  llmenv_error error;
  size_t n, end;
  char *text = read_whole (shipped_path, &n);
  for (end = n; end > 0 && text[end - 1] != '}'; end--)
    ;
  for (size_t i = 0; i < 26; i++)
    {
      const size_t at = i < 3 ? end - 1 - i : (n * (i - 3)) / 23;
      STATUS (load_bytes (kind, id, text, at, &error), LLMENV_EBADRECORD, error, id);
    }
  STATUS (load_bytes (kind, id, text, end, &error), LLMENV_OK, error, id);
  remove_record (kind, id);
  free (text);
}

/* Any byte changed: refused in one line, or still a record; never a crash. */
static void
damaged_at_many_places (const char *kind, const char *id, const char *shipped_path,
                        uint64_t *r)
{
  static const char bytes[] = "\"{}[]:,-0e\xff\x01 ";
  llmenv_error error;
  size_t n;
  char *text = read_whole (shipped_path, &n);
  for (size_t i = 0; i < 24; i++)
    {
      const size_t at = (size_t) random_whole (r, 0, (double) n - 1);
      const char before = text[at];
      text[at] = bytes[(size_t) random_whole (r, 0, sizeof bytes - 2)];
      const llmenv_status st = load_bytes (kind, id, text, n, &error);
      assert_true (st == LLMENV_OK || st == LLMENV_EBADRECORD);
      text[at] = before;
    }
  remove_record (kind, id);
  free (text);
}

static void
shipped_files_cut_or_damaged_never_crash (void **state)
{
  const llmenv_catalogue *c = shipped_catalogue ();
  char data[LLMENV_PATH_SIZE], path[LLMENV_PATH_SIZE + 300];
  llmenv_error error = { LLMENV_OK, "" };
  uint64_t r = 99;
  (void) state;
  STATUS (llmenv_data_file ("printed.json", data, &error), LLMENV_OK, error, "data");
  *strrchr (data, '/') = '\0';
  put_folder_first ();
  for (size_t i = 0; i < c->n_models + c->n_cards; i++)
    {
      const int model = i < c->n_models;
      const char *kind = model ? "models" : "accelerators";
      const char *id = model ? c->models[i]->id : c->cards[i - c->n_models]->id;
      snprintf (path, sizeof path, "%s/%s/%s.json", data, kind, id);
      cut_at_many_places (kind, id, path);
      damaged_at_many_places (kind, id, path, &r);
    }
  leave_folder ();
}

/* A record of document 003's repository loads unchanged (spec section 4). */
static void
the_documents_own_records_load (void **state)
{
  static const struct { const char *file, *kind; size_t n; } lists[] = {
    { "records/models.jsonl", "models", 81 }, { "records/accelerators.jsonl", "accelerators", 64 } };
  char path[PATH];
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (lists); i++)
    {
      const char *file = shared_file (lists[i].file, path);
      if (file == NULL)
        continue;
      FILE *f = fopen (file, "rb");
      char *line = NULL;
      size_t size = 0, n = 0;
      assert_non_null (f);
      while (getline (&line, &size, f) > 0)
        {
          llmenv_error error = { LLMENV_OK, "" };
          json_t *json = json_loads (line, 0, NULL);
          json_object_del (json, "facts");
          const char *id = llmenv_record_text (json, "id");
          char name[200];
          snprintf (name, sizeof name, "%s", id);
          if (strcmp (lists[i].kind, "models") == 0)
            {
              llmenv_model_record *m;
              STATUS (llmenv_model_record_make (json, file, &m, &error), LLMENV_OK, error, name);
              assert_non_null (llmenv_catalogue_model (shipped_catalogue (), m->id));
              llmenv_model_record_free (m);
            }
          else
            {
              llmenv_card_record *a;
              STATUS (llmenv_card_record_make (json, file, &a, &error), LLMENV_OK, error, name);
              assert_non_null (llmenv_catalogue_card (shipped_catalogue (), a->id));
              llmenv_card_record_free (a);
            }
          n++;
        }
      free (line);
      fclose (f);
      assert_int_equal (n, lists[i].n);
      print_message ("%zu of %s loaded unchanged\n", n, lists[i].file);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (the_catalogue_is_complete_and_sorted),
    cmocka_unit_test (ids_and_names_find_their_record),
    cmocka_unit_test (every_id_and_name_finds_its_own_record),
    cmocka_unit_test (unknown_and_ambiguous_names_are_refused),
    cmocka_unit_test (paths_do_not_reach_records),
    cmocka_unit_test (a_very_long_name_is_refused_in_one_line),
    cmocka_unit_test (published_right_and_older_are_kept_apart),
    cmocka_unit_test (corrections_that_do_not_apply_are_only_noted),
    cmocka_unit_test (known_corrections_are_in_place),
    cmocka_unit_test (cards_answer_by_convention),
    cmocka_unit_test (folders_of_llmenv_data_come_first),
    cmocka_unit_test (folders_that_are_not_there_are_named),
    cmocka_unit_test (data_files_are_found_or_named),
    cmocka_unit_test (malformed_models_are_refused_in_one_line),
    cmocka_unit_test (malformed_cards_are_refused_in_one_line),
    cmocka_unit_test (a_broken_record_does_not_hide_the_others),
    cmocka_unit_test (what_is_no_regular_file_is_refused),
    cmocka_unit_test (unreadable_and_huge_files_are_refused),
    cmocka_unit_test (deep_nesting_and_embedded_zeros_are_refused),
    cmocka_unit_test (hostile_texts_are_quoted_short),
    cmocka_unit_test (control_characters_do_not_reach_the_terminal),
    cmocka_unit_test (shipped_files_cut_or_damaged_never_crash),
    cmocka_unit_test (the_documents_own_records_load),
  };
  after = use_shipped_data ();
  shipped_catalogue ();
  const int failed = cmocka_run_group_tests (tests, make_folder, remove_folder);
  llmenv_catalogue_free (shipped_catalogue ());
  return failed;
}
