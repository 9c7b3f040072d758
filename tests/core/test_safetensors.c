/* SPDX-License-Identifier: GPL-3.0-or-later */
/* safetensors headers, written here without tensor data, read and merged with
 * a configuration's record.
 *
 *   test_safetensors                  the tests
 *   test_safetensors --write FOLDER   the files below, small, for the fuzzer */
#include <sys/stat.h>

#include "check.h"

#include "llmenv_import.h"
#include "llmenv_safetensors.h"

/* ---- a writer ----------------------------------------------------------- */

/* A header as JSON; offsets follow one another. */
typedef struct
{
  char *text;
  size_t n, room;
  uint64_t end;
} writer;

static void
add_text (writer *w, const char *text)
{
  const size_t n = strlen (text);
  while (w->n + n + 1 > w->room)
    {
      w->room = w->room == 0 ? 4096 : 2 * w->room;
      w->text = realloc (w->text, w->room);
    }
  memcpy (w->text + w->n, text, n + 1);
  w->n += n;
}

static writer
start (void)
{
  writer w = { NULL, 0, 0, 0 };
  add_text (&w, "{\"__metadata__\":{\"format\":\"pt\"}");
  return w;
}

/* A tensor with the offsets that BITS a value ask for; dimensions up to a 0. */
static void
tensor_of_bits (writer *w, unsigned bits, const char *dtype, const char *name,
                uint64_t d0, uint64_t d1, uint64_t d2)
{
  char entry[700];
  const uint64_t bytes = d0 * (d1 > 0 ? d1 : 1) * (d2 > 0 ? d2 : 1) * bits / 8;
  char shape[100];
  if (d2 > 0)
    snprintf (shape, sizeof shape, "%llu,%llu,%llu", (unsigned long long) d0,
              (unsigned long long) d1, (unsigned long long) d2);
  else if (d1 > 0)
    snprintf (shape, sizeof shape, "%llu,%llu", (unsigned long long) d0, (unsigned long long) d1);
  else
    snprintf (shape, sizeof shape, "%llu", (unsigned long long) d0);
  snprintf (entry, sizeof entry,
            ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%llu,%llu]}", name,
            dtype, shape, (unsigned long long) w->end, (unsigned long long) (w->end + bytes));
  w->end += bytes;
  add_text (w, entry);
}

static void
tensor (writer *w, const char *dtype, const char *name, uint64_t d0, uint64_t d1, uint64_t d2)
{
  tensor_of_bits (w, llmenv_dtype_find (dtype)->bits, dtype, name, d0, d1, d2);
}

static void
layer_tensor (writer *w, const char *dtype, unsigned layer, const char *rest, uint64_t d0,
              uint64_t d1)
{
  char name[260];
  snprintf (name, sizeof name, "model.layers.%u.%s", layer, rest);
  tensor (w, dtype, name, d0, d1, 0);
}

typedef struct
{
  unsigned char *data;
  size_t n;
} bytes;

/* Length and JSON; W is emptied. */
static bytes
wrap (writer *w)
{
  bytes b = { malloc (w->n + 8), w->n + 8 };
  for (int i = 0; i < 8; i++)
    b.data[i] = (unsigned char) (w->n >> 8 * i);
  memcpy (b.data + 8, w->text, w->n);
  free (w->text);
  memset (w, 0, sizeof *w);
  return b;
}

static bytes
finish (writer *w)
{
  add_text (w, "}");
  return wrap (w);
}

/* ---- models ------------------------------------------------------------- */

static void
attention (writer *w, unsigned i, unsigned width, unsigned q, unsigned kv, const char *dtype)
{
  layer_tensor (w, "BF16", i, "input_layernorm.weight", width, 0);
  layer_tensor (w, "BF16", i, "post_attention_layernorm.weight", width, 0);
  layer_tensor (w, dtype, i, "self_attn.q_proj.weight", q, width);
  layer_tensor (w, dtype, i, "self_attn.k_proj.weight", kv, width);
  layer_tensor (w, dtype, i, "self_attn.v_proj.weight", kv, width);
  layer_tensor (w, dtype, i, "self_attn.o_proj.weight", width, q);
}

static void
mlp (writer *w, unsigned i, unsigned width, unsigned ff)
{
  layer_tensor (w, "BF16", i, "mlp.gate_proj.weight", ff, width);
  layer_tensor (w, "BF16", i, "mlp.up_proj.weight", ff, width);
  layer_tensor (w, "BF16", i, "mlp.down_proj.weight", width, ff);
}

/* Llama-3.1-8B: layers FROM to TO - 1, and its ends where asked. */
static writer
llama (unsigned from, unsigned to, int first, int last)
{
  writer w = start ();
  if (first)
    tensor (&w, "BF16", "model.embed_tokens.weight", 128256, 4096, 0);
  for (unsigned i = from; i < to; i++)
    {
      attention (&w, i, 4096, 4096, 1024, "BF16");
      mlp (&w, i, 4096, 14336);
    }
  if (last)
    {
      tensor (&w, "BF16", "model.norm.weight", 4096, 0, 0);
      tensor (&w, "BF16", "lm_head.weight", 128256, 4096, 0);
    }
  return w;
}

/* A matrix of ROWS x COLUMNS in fp8 with a scale for each 128 x 128. */
static void
fp8_matrix (writer *w, unsigned layer, const char *name, unsigned rows, unsigned columns)
{
  char full[200];
  snprintf (full, sizeof full, "%s.weight", name);
  layer_tensor (w, "F8_E4M3", layer, full, rows, columns);
  snprintf (full, sizeof full, "%s.weight_scale_inv", name);
  layer_tensor (w, "F32", layer, full, (rows + 127) / 128, (columns + 127) / 128);
}

static void
fp8_experts (writer *w, unsigned i, const char *which, unsigned width, unsigned ff)
{
  static const char *const names[] = { "gate_proj", "up_proj", "down_proj" };
  char name[140];
  for (int k = 0; k < 3; k++)
    {
      snprintf (name, sizeof name, "mlp.%s.%s", which, names[k]);
      fp8_matrix (w, i, name, k < 2 ? ff : width, k < 2 ? width : ff);
    }
}

/* DeepSeek-V3's kinds of tensor: one dense layer, one mixture of 4 experts, one
 * layer of multi-token prediction. */
static writer
deepseek (void)
{
  writer w = start ();
  char name[100];
  tensor (&w, "BF16", "model.embed_tokens.weight", 1000, 7168, 0);
  tensor (&w, "BF16", "lm_head.weight", 1000, 7168, 0);
  for (unsigned i = 0; i < 3; i++)
    {
      layer_tensor (&w, "BF16", i, "input_layernorm.weight", 7168, 0);
      fp8_matrix (&w, i, "self_attn.kv_a_proj_with_mqa", 576, 7168);
      layer_tensor (&w, "BF16", i, "self_attn.kv_a_layernorm.weight", 512, 0);
    }
  fp8_matrix (&w, 0, "mlp.gate_proj", 18432, 7168);
  layer_tensor (&w, "BF16", 1, "mlp.gate.weight", 4, 7168);
  layer_tensor (&w, "F32", 1, "mlp.gate.e_score_correction_bias", 4, 0);
  for (unsigned e = 0; e < 4; e++)
    {
      snprintf (name, sizeof name, "experts.%u", e);
      fp8_experts (&w, 1, name, 7168, 2048);
    }
  fp8_experts (&w, 1, "shared_experts", 7168, 2048);
  layer_tensor (&w, "BF16", 2, "eh_proj.weight", 7168, 14336);
  layer_tensor (&w, "BF16", 2, "embed_tokens.weight", 1000, 7168);
  layer_tensor (&w, "BF16", 2, "shared_head.head.weight", 1000, 7168);
  fp8_experts (&w, 2, "experts.0", 7168, 2048);
  return w;
}

/* gpt-oss-20b: one layer of 24. */
static writer
gpt_oss (unsigned layers)
{
  writer w = start ();
  char name[100];
  tensor (&w, "BF16", "model.embed_tokens.weight", 201088, 2880, 0);
  tensor (&w, "BF16", "lm_head.weight", 201088, 2880, 0);
  for (unsigned i = 0; i < layers; i++)
    {
      layer_tensor (&w, "BF16", i, "self_attn.q_proj.weight", 4096, 2880);
      layer_tensor (&w, "BF16", i, "self_attn.sinks", 64, 0);
      layer_tensor (&w, "BF16", i, "mlp.router.weight", 32, 2880);
      layer_tensor (&w, "BF16", i, "mlp.experts.gate_up_proj_bias", 32, 5760);
      snprintf (name, sizeof name, "model.layers.%u.mlp.experts.gate_up_proj_blocks", i);
      tensor (&w, "U8", name, 32ULL * 5760, 90, 16);
      snprintf (name, sizeof name, "model.layers.%u.mlp.experts.gate_up_proj_scales", i);
      tensor (&w, "U8", name, 32, 5760, 90);
      snprintf (name, sizeof name, "model.layers.%u.mlp.experts.down_proj_blocks", i);
      tensor (&w, "U8", name, 32ULL * 2880, 90, 16);
      snprintf (name, sizeof name, "model.layers.%u.mlp.experts.down_proj_scales", i);
      tensor (&w, "U8", name, 32, 2880, 90);
    }
  return w;
}

/* ---- helpers ------------------------------------------------------------ */

static char folder[] = "/tmp/llmenv_st_XXXXXX";

static const char *
path_of (const char *name)
{
  static char path[1200];
  snprintf (path, sizeof path, "%s/%s", folder, name);
  return path;
}

static const char *
save (const char *name, const void *data, size_t n)
{
  const char *path = path_of (name);
  FILE *f = fopen (path, "wb");
  assert_non_null (f);
  assert_true (n == 0 || fwrite (data, 1, n, f) == n);
  fclose (f);
  return path;
}

static const char *
save_model (const char *name, writer w)
{
  bytes b = finish (&w);
  const char *path = save (name, b.data, b.n);
  free (b.data);
  return path;
}

static llmenv_status
read_bytes (const void *data, size_t n, llmenv_safetensors *set, llmenv_error *error)
{
  llmenv_source source;
  memset (set, 0, sizeof *set);
  llmenv_source_memory (&source, "memory", data, n);
  return llmenv_safetensors_read (&source, set, error);
}

static json_t *
json_of (const char *text)
{
  json_error_t where;
  json_t *json = json_loads (text, 0, &where);
  if (json == NULL)
    print_error ("%s\n", where.text);
  assert_non_null (json);
  return json;
}

/* CONFIG's record (NULL: none) with the weights of W; it must be one that the
 * project accepts. */
static llmenv_model_record *
merged (writer w, const char *config, llmenv_import_notes *notes)
{
  llmenv_error error = { LLMENV_OK, "" };
  llmenv_model_record *record = NULL;
  json_t *json = config == NULL ? NULL : json_of (config);
  STATUS (llmenv_import_safetensors (save_model ("model.safetensors", w), &json, notes, &error),
          LLMENV_OK, error, "import");
  STATUS (llmenv_model_record_make (json, "memory", &record, &error), LLMENV_OK, error, "record");
  return record;
}

static double
number_of (const json_t *object, const char *name)
{
  return json_number_value (json_object_get (object, name));
}

/* Params and bytes of the parts of ROLE whose name starts with NAME. */
static void
part_is (const llmenv_model_record *r, const char *role, const char *name, double params,
         double in_bytes)
{
  double p = 0, b = 0;
  size_t i;
  json_t *part;
  json_array_foreach (json_object_get (json_object_get (r->json, "weights"), "parts"), i, part)
    if (strcmp (llmenv_record_text (part, "role"), role) == 0
        && strncmp (llmenv_record_text (part, "name"), name, strlen (name)) == 0)
      {
        p += number_of (part, "params");
        b += number_of (part, "bytes");
      }
  NEAR (p, params, 0, name);
  NEAR (b, in_bytes, 0, name);
}

static int
is_noted (const llmenv_import_notes *notes, const char *text)
{
  for (size_t i = 0; i < notes->n; i++)
    if (strstr (notes->line[i], text) != NULL)
      return 1;
  return 0;
}

/* ---- headers ------------------------------------------------------------ */

/* Widths of the format's dtypes. */
static void
every_dtype_has_its_width (void **state)
{
  static const struct { const char *name; unsigned bits; } t[] = {
    { "F64", 64 }, { "F32", 32 }, { "F16", 16 }, { "BF16", 16 }, { "F8_E4M3", 8 },
    { "F8_E5M2", 8 }, { "F8_E8M0", 8 }, { "F4", 4 }, { "F6_E2M3", 6 }, { "F6_E3M2", 6 },
    { "I64", 64 }, { "I32", 32 }, { "I16", 16 }, { "I8", 8 }, { "U64", 64 }, { "U32", 32 },
    { "U16", 16 }, { "U8", 8 }, { "BOOL", 8 }, { "C64", 64 } };
  writer w = start ();
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (t); i++)
    tensor_of_bits (&w, t[i].bits, t[i].name, t[i].name, 16, 3, 0);
  bytes b = finish (&w);
  llmenv_safetensors set;
  llmenv_error error = { LLMENV_OK, "" };
  STATUS (read_bytes (b.data, b.n, &set, &error), LLMENV_OK, error, "dtypes");
  assert_int_equal (set.n, N_OF_ARRAY (t));
  for (size_t i = 0; i < set.n; i++)
    {
      assert_int_equal (set.tensors[i].elements, 48);
      assert_int_equal (set.tensors[i].bytes, 6 * t[i].bits);
    }
  llmenv_safetensors_free (&set);
  free (b.data);
}

static void
a_header_cut_at_any_byte_is_refused (void **state)
{
  writer w = deepseek ();
  bytes b = finish (&w);
  (void) state;
  for (size_t n = 0; n < b.n; n++)
    {
      llmenv_safetensors set;
      llmenv_error error = { LLMENV_OK, "" };
      unsigned char *cut = malloc (n + 1);
      memcpy (cut, b.data, n);
      assert_int_equal (read_bytes (cut, n, &set, &error), LLMENV_EBADFILE);
      HAS_TEXT (error.text, "memory: byte ", "cut");
      llmenv_safetensors_free (&set);
      /* And the same JSON, cut, under a length that says so. */
      if (n > 8)
        {
          for (int i = 0; i < 8; i++)
            cut[i] = (unsigned char) ((uint64_t) (n - 8) >> 8 * i);
          assert_int_equal (read_bytes (cut, n, &set, &error), LLMENV_EBADFILE);
          assert_true (is_one_line (error.text));
          llmenv_safetensors_free (&set);
        }
      free (cut);
    }
  free (b.data);
}

static void
changed_bytes_do_no_harm (void **state)
{
  static const unsigned char values[] = { 0, '"', '{', '9', '-', 0xFF };
  writer w = gpt_oss (1);
  bytes b = finish (&w);
  (void) state;
  for (size_t i = 0; i < b.n; i++)
    for (size_t v = 0; v < N_OF_ARRAY (values); v++)
      {
        llmenv_safetensors set;
        llmenv_error error = { LLMENV_OK, "" };
        const unsigned char was = b.data[i];
        b.data[i] = values[v];
        if (read_bytes (b.data, b.n, &set, &error) != LLMENV_OK)
          assert_true (is_one_line (error.text));
        llmenv_safetensors_free (&set);
        b.data[i] = was;
      }
  free (b.data);
}

/* ---- refusals ----------------------------------------------------------- */

/* The JSON text TEXT as a header. */
static void
header_refused (const char *text, const char *says)
{
  writer w = { NULL, 0, 0, 0 };
  llmenv_safetensors set;
  llmenv_error error = { LLMENV_OK, "" };
  add_text (&w, text);
  bytes b = wrap (&w);
  STATUS (read_bytes (b.data, b.n, &set, &error), LLMENV_EBADFILE, error, text);
  HAS_TEXT (error.text, says, text);
  HAS_TEXT (error.text, "memory: ", text);
  assert_true (is_one_line (error.text));
  llmenv_safetensors_free (&set);
  free (b.data);
}

#define ONE(dtype, shape, offsets) \
  "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static void
absurd_headers_are_refused (void **state)
{
  (void) state;
  header_refused ("[]", "expected an object");
  header_refused ("{}}", "byte 11");
  header_refused ("{\"a\":1}", "expected an object with dtype");
  header_refused ("{\"a\":{\"dtype\":\"F32\"}}", "shape: expected a list");
  header_refused ("{\"a\":{},\"a\":{}}", "duplicate");
  header_refused ("{\"\xFF\":{}}", "byte ");
  header_refused (ONE ("3", "[2]", "[0,8]"), "expected an object with dtype");
  header_refused (ONE ("\"F31\"", "[2]", "[0,8]"), "no dtype is called F31");
  header_refused (ONE ("\"F32\"", "[-2]", "[0,8]"), "shape: expected whole numbers");
  header_refused (ONE ("\"F32\"", "[2.5]", "[0,8]"), "shape: expected whole numbers");
  header_refused (ONE ("\"F32\"", "[\"2\"]", "[0,8]"), "shape: expected whole numbers");
  header_refused (ONE ("\"F32\"", "[9223372036854775807,2]", "[0,8]"), "above 2^53 elements");
  header_refused (ONE ("\"F32\"", "[18446744073709551616]", "[0,8]"), "integer");
  header_refused (ONE ("\"F32\"", "[4294967296,4294967296]", "[0,8]"), "above 2^53 elements");
  header_refused (ONE ("\"F64\"", "[9007199254740992]", "[0,8]"), "need 72057594037927936 bytes");
  header_refused (ONE ("\"F32\"", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), "at most 8 dimensions");
  header_refused (ONE ("\"F32\"", "[2]", "[0,9]"), "need 8 bytes");
  header_refused (ONE ("\"F32\"", "[2]", "[8,0]"), "need 8 bytes");
  header_refused (ONE ("\"F32\"", "[2]", "[-8,0]"), "two whole numbers");
  header_refused (ONE ("\"F32\"", "[2]", "[0]"), "two whole numbers");
  header_refused (ONE ("\"F32\"", "[2]", "[9223372036854775799,9223372036854775807]"), "above 2^53");
  header_refused (ONE ("\"F4\"", "[3]", "[0,2]"), "no whole number of bytes");
  header_refused ("{\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
                  "\"b\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[4,12]}}", "tensors overlap");
}

static void
deep_and_wide_json_is_bounded (void **state)
{
  writer w = { NULL, 0, 0, 0 };
  llmenv_safetensors set;
  llmenv_error error = { LLMENV_OK, "" };
  (void) state;
  add_text (&w, "{\"a\":");
  for (int i = 0; i < 100000; i++)
    add_text (&w, "[");
  bytes b = wrap (&w);
  assert_int_equal (read_bytes (b.data, b.n, &set, &error), LLMENV_EBADFILE);
  HAS_TEXT (error.text, "depth", "deep");
  llmenv_safetensors_free (&set);
  free (b.data);
  const size_t n = 10 << 20;
  b = (bytes) { malloc (n + 8), n + 8 };
  for (int i = 0; i < 8; i++)
    b.data[i] = (unsigned char) ((uint64_t) n >> 8 * i);
  for (size_t i = 8; i < b.n; i++)
    b.data[i] = "[],"[i % 3];
  assert_int_equal (read_bytes (b.data, b.n, &set, &error), LLMENV_EBADFILE);
  HAS_TEXT (error.text, "a header of more than 4194304 values", "wide");
  llmenv_safetensors_free (&set);
  free (b.data);
}

static void
open_refused (const char *path, const char *says)
{
  llmenv_error error = { LLMENV_OK, "" };
  json_t *json = NULL;
  assert_int_not_equal (llmenv_import_safetensors (path, &json, NULL, &error), LLMENV_OK);
  HAS_TEXT (error.text, says, path);
  HAS_TEXT (error.text, path, "names the file");
  assert_true (is_one_line (error.text));
  assert_null (json);
}

static void
what_is_no_checkpoint_is_refused (void **state)
{
  (void) state;
  open_refused (save ("empty.safetensors", "", 0), "byte 0: the file is empty");
  open_refused (save ("seven.safetensors", "1234567", 7), "byte 0: the header's length needs 8 bytes, 7 are left");
  open_refused (save ("zeros.safetensors", "\0\0\0\0\0\0\0\0\0", 9), "a header of 0 bytes");
  open_refused (save ("huge.safetensors", "\0\0\0\0\0\0\0\x80{}", 10), "a header of 9223372036854775808 bytes");
  open_refused (save ("long.safetensors", "\3\0\0\0\0\0\0\0{}", 10), "byte 8: the header needs 3 bytes, 2 are left");
  open_refused ("/dev/zero", "not a regular file");
  open_refused ("/nowhere/x.safetensors", "No such file");
  assert_int_equal (mkfifo (path_of ("pipe.safetensors"), 0600), 0);
  open_refused (path_of ("pipe.safetensors"), "not a regular file");
  assert_int_equal (mkdir (path_of ("nothing"), 0700), 0);
  open_refused (path_of ("nothing"), "neither model.safetensors nor");
  save ("sparse.safetensors", "", 0);
  assert_int_equal (truncate (path_of ("sparse.safetensors"), (off_t) 2 << 30), 0);
  open_refused (path_of ("sparse.safetensors"), "a header of 0 bytes");
  open_refused (save ("none.safetensors", "\2\0\0\0\0\0\0\0{}", 10), "no tensors");
}

/* ---- sharded folders ---------------------------------------------------- */

static const char index_name[] = "sharded/model.safetensors.index.json";

static void
save_index (const char *total, const char *more)
{
  char text[2000];
  snprintf (text, sizeof text,
            "{\"metadata\":{\"total_size\":%s},\"weight_map\":{"
            "\"model.embed_tokens.weight\":\"model-00001-of-00002.safetensors\","
            "\"lm_head.weight\":\"model-00002-of-00002.safetensors\"%s}}", total, more);
  save (index_name, text, strlen (text));
}

static const char *
llama_config (void)
{
  return "{\"id\":\"own\",\"num_layers\":32,\"kv_cache_bytes_per_token\":131072,"
         "\"weight_format\":\"bf16\",\"weights\":{\"parts\":["
         "{\"name\":\"all\",\"role\":\"shared\",\"params\":7504924672},"
         "{\"name\":\"input embedding\",\"role\":\"embedding\",\"params\":525336576}]}}";
}

/* Llama-3.1-8B in two shards: 2 x 8,030,261,248 = 16,060,522,496 bytes, the
 * total_size of its published index. */
static void
shards_are_one_checkpoint (void **state)
{
  static const char *const paths[] = { "sharded", "sharded/model.safetensors.index.json",
                                       "sharded/model-00001-of-00002.safetensors",
                                       "sharded/model-00002-of-00002.safetensors" };
  (void) state;
  assert_int_equal (mkdir (path_of ("sharded"), 0700), 0);
  save_index ("16060522496,\"total_parameters\":8030261248", "");
  save_model ("sharded/model-00001-of-00002.safetensors", llama (0, 16, 1, 0));
  save_model ("sharded/model-00002-of-00002.safetensors", llama (16, 32, 0, 1));
  for (size_t i = 0; i <= N_OF_ARRAY (paths); i++)
    {
      llmenv_import_notes notes = { 0, { "" } };
      llmenv_error error = { LLMENV_OK, "" };
      llmenv_model_record *r = NULL;
      json_t *json = json_of (llama_config ());
      const char *path = paths[i % N_OF_ARRAY (paths)];
      if (i == N_OF_ARRAY (paths))         /* by their names alone */
        {
          unlink (path_of (index_name));
          path = paths[2];
        }
      STATUS (llmenv_import_safetensors (path_of (path), &json, &notes, &error), LLMENV_OK, error, path);
      STATUS (llmenv_model_record_make (json, "memory", &r, &error), LLMENV_OK, error, "record");
      part_is (r, "shared", "attention, bf16", 1342177280, 2684354560);
      part_is (r, "shared", "dense mlp, bf16", 5637144576, 11274289152);
      part_is (r, "shared", "norms", 266240, 532480);
      part_is (r, "head", "output head", 525336576, 1050673152);
      part_is (r, "embedding", "input embedding", 525336576, 1050673152);
      assert_true (is_noted (&notes, "2 files: 291 tensors, 16060522496 bytes"));
      assert_false (is_noted (&notes, "the index says"));
      assert_false (is_noted (&notes, "the configuration gives"));
      NEAR (r->model.n_parts, 5, 0, "parts");
      llmenv_model_record_free (r);
    }
  save_index ("16060522496,\"total_parameters\":8030261247", "");
  llmenv_import_notes notes = { 0, { "" } };
  llmenv_error error = { LLMENV_OK, "" };
  json_t *json = json_of (llama_config ());
  STATUS (llmenv_import_safetensors (path_of ("sharded"), &json, &notes, &error), LLMENV_OK, error, "index");
  assert_true (is_noted (&notes, "the index says 8030261247 parameters, the tensors have 8030261248"));
  json_decref (json);
  unlink (path_of (index_name));
  unlink (path_of ("sharded/model-00002-of-00002.safetensors"));
  open_refused (path_of ("sharded"), "");
}

/* Only the index: its total_size counts, and is said. */
static void
an_index_alone_gives_the_total (void **state)
{
  llmenv_import_notes notes = { 0, { "" } };
  llmenv_error error = { LLMENV_OK, "" };
  json_t *json = json_of (llama_config ());
  (void) state;
  unlink (path_of ("sharded/model-00001-of-00002.safetensors"));
  save_index ("16060522496,\"total_parameters\":4015130624", "");
  STATUS (llmenv_import_safetensors (path_of ("sharded"), &json, &notes, &error), LLMENV_OK, error, "index");
  NEAR (number_of (json_object_get (json, "weights"), "checkpoint_bytes"), 16060522496, 0, "bytes");
  assert_true (is_noted (&notes, "2 of the 2 files are missing (model-00001-of-00002.safetensors, ...): the checkpoint has the 16060522496 bytes"));
  assert_true (is_noted (&notes, "parts are the configuration's: 16060522496 bytes (+0 %)"));
  assert_true (is_noted (&notes, "the index says 4015130624 parameters, the configuration gives 8030261248 (+100 %)"));
  json_decref (json);
  save_index ("null", "");
  open_refused (path_of ("sharded"), "the index has no metadata.total_size");
}

static void
indexes_cannot_lead_elsewhere (void **state)
{
  (void) state;
  save_index ("1", ",\"a\":\"../../etc/passwd.safetensors\"");
  open_refused (path_of (index_name), "names of safetensors files beside it");
  save_index ("1", ",\"a\":\"passwd\"");
  open_refused (path_of (index_name), "names of safetensors files beside it");
  save_index ("1", ",\"a\":7");
  open_refused (path_of (index_name), "names of safetensors files beside it");
  save (index_name, "{\"weight_map\":[]}", 17);
  open_refused (path_of (index_name), "weight_map: missing or no object");
  save (index_name, "{\"weight_map\":{}}", 17);
  open_refused (path_of (index_name), "names 0 files");
  save_index ("1", ",\"model.layers.77.x\":\"model-00001-of-00002.safetensors\"");
  save_model ("sharded/model-00001-of-00002.safetensors", llama (0, 1, 1, 0));
  save_model ("sharded/model-00002-of-00002.safetensors", llama (1, 2, 0, 1));
  open_refused (path_of (index_name), "tensor model.layers.77.x is in none of the files");
  save_model ("sharded/model-00002-of-00002.safetensors", llama (0, 2, 0, 1));
  open_refused (path_of ("sharded/model-00002-of-00002.safetensors"), "appears twice");
}

/* ---- quantised checkpoints ---------------------------------------------- */

/* fp8 in blocks of 128 x 128, a float for each: bytes with the scales.
 *   attention   2 layers x (576 x 7168 + 4 x 5 x 56); 576 needs 5 blocks
 *   dense MLP   18432 x 7168 + 4 x 144 x 56
 *   an expert   3 x (2048 x 7168 + 4 x 16 x 56) */
static void
block_scales_are_counted (void **state)
{
  const double matrix = 2048.0 * 7168, expert = 3 * (matrix + 4 * 16 * 56);
  llmenv_model_record *r
    = merged (deepseek (), "{\"id\":\"own\",\"num_layers\":2,\"num_experts\":4,\"experts_per_token\":2}", NULL);
  (void) state;
  part_is (r, "shared", "attention, fp8_block", 2.0 * 576 * 7168, 2 * (576.0 * 7168 + 4 * 5 * 56));
  part_is (r, "shared", "dense mlp, fp8_block", 18432.0 * 7168, 18432.0 * 7168 + 4 * 144 * 56);
  part_is (r, "routed", "routed experts, fp8_block", 12 * matrix, 4 * expert);
  part_is (r, "shared", "shared experts, fp8_block", 3 * matrix, expert);
  part_is (r, "shared", "norms, routers and other, bf16", 2 * (7168 + 512) + 4 * 7168, 2 * (2 * 7680 + 4 * 7168));
  part_is (r, "shared", "norms, routers and other, fp32", 4, 16);
  part_is (r, "embedding", "input embedding, bf16", 7168000, 14336000);
  part_is (r, "head", "output head, bf16", 7168000, 14336000);
  /* The third layer: its own copies of embedding and head among them. */
  part_is (r, "mtp", "multi-token prediction, bf16", 2.0 * 7168 * 7168 + 2 * 7168000 + 7168 + 512,
           2 * (2.0 * 7168 * 7168 + 2 * 7168000 + 7168 + 512));
  part_is (r, "mtp", "multi-token prediction, fp8_block", 576.0 * 7168 + 3 * matrix,
           576.0 * 7168 + 4 * 5 * 56 + expert);
  NEAR (r->model.experts, 4, 0, "E");
  NEAR (r->model.top, 2, 0, "e");
  assert_string_equal (llmenv_record_text (r->json, "weight_format"), "fp8_block");
  llmenv_model_record_free (r);
}

/* gpt-oss: 24 x 32 x 3 x 2880^2 values of 4 bits, a scale for each 32. */
static void
microscaling_blocks_are_counted (void **state)
{
  llmenv_model_record *r
    = merged (gpt_oss (24), "{\"id\":\"own\",\"num_layers\":24,\"weights\":{\"experts\":32,\"top\":4}}", NULL);
  (void) state;
  part_is (r, "routed", "routed experts, mxfp4", 19110297600, 10152345600);
  part_is (r, "routed", "routed experts, bf16", 24 * 32 * 5760, 24 * 32 * 5760 * 2);
  part_is (r, "head", "", 579133440, 1158266880);
  part_is (r, "embedding", "", 579133440, 1158266880);
  part_is (r, "shared", "norms, routers and other", 24 * (64 + 32 * 2880), 48 * (64 + 32 * 2880));
  llmenv_model_record_free (r);
}

/* A 14336 x 4096 matrix in 4 bits, groups of 128: 112 x 4096 scales of fp16,
 * zero points of 4 bits; AWQ packs the columns, GPTQ the rows. */
static writer
words (int awq)
{
  writer w = start ();
  tensor (&w, "F16", "model.embed_tokens.weight", 1000, 4096, 0);
  layer_tensor (&w, "I32", 0, "mlp.down_proj.qweight", awq ? 14336 : 14336 / 8, awq ? 4096 / 8 : 4096);
  layer_tensor (&w, "I32", 0, "mlp.down_proj.qzeros", 112, 4096 / 8);
  layer_tensor (&w, "F16", 0, "mlp.down_proj.scales", 112, 4096);
  if (!awq)
    layer_tensor (&w, "I32", 0, "mlp.down_proj.g_idx", 14336, 0);
  return w;
}

static void
packed_words_are_unpacked (void **state)
{
  const double values = 14336.0 * 4096, scales = 112.0 * 4096;
  (void) state;
  for (int awq = 0; awq <= 1; awq++)
    {
      llmenv_model_record *r = merged (words (awq), "{\"id\":\"own\",\"num_layers\":1}", NULL);
      part_is (r, "shared", "dense mlp, int4", values,
               values / 2 + scales * 2.5 + (awq ? 0 : 4 * 14336));
      part_is (r, "head", "output head, fp16", 4096000, 8192000);
      llmenv_model_record_free (r);
    }
  /* GPTQ with 8 bits, and with 3: 32 values in 3 words. */
  for (unsigned bits = 3; bits <= 8; bits += 5)
    {
      writer w = start ();
      layer_tensor (&w, "I32", 0, "mlp.down_proj.qweight", 14336 / 32 * bits, 4096);
      layer_tensor (&w, "I32", 0, "mlp.down_proj.qzeros", 112, 4096 / 32 * bits);
      layer_tensor (&w, "F16", 0, "mlp.down_proj.scales", 112, 4096);
      llmenv_model_record *r = merged (w, "{\"id\":\"own\",\"num_layers\":1}", NULL);
      part_is (r, "shared", bits == 8 ? "dense mlp, int8" : "dense mlp, int4", values,
               values * bits / 8 + scales * 2 + scales * bits / 8);
      llmenv_model_record_free (r);
    }
}

/* compressed-tensors: the number of bits stands nowhere in the header; the
 * configuration's parameters decide. */
static void
the_configuration_decides_what_shapes_leave_open (void **state)
{
  char config[300];
  (void) state;
  for (unsigned bits = 4; bits <= 8; bits += 4)
    {
      writer w = start ();
      const double values = 4096.0 * 1024 * 32 / bits;
      layer_tensor (&w, "I32", 0, "self_attn.q_proj.weight_packed", 4096, 1024);
      layer_tensor (&w, "BF16", 0, "self_attn.q_proj.weight_scale", 4096, 1024 / bits);
      layer_tensor (&w, "I64", 0, "self_attn.q_proj.weight_shape", 2, 0);
      snprintf (config, sizeof config,
                "{\"id\":\"own\",\"num_layers\":1,\"weights\":{\"parts\":[{\"name\":\"x\",\"role\":\"shared\",\"params\":%.0f}]}}",
                values);
      llmenv_model_record *r = merged (w, config, NULL);
      part_is (r, "shared", bits == 4 ? "attention, int4" : "attention, int8", values,
               4096 * 4096 + 2 * 4096.0 * 1024 / bits + 16);
      llmenv_model_record_free (r);
    }
  llmenv_import_notes notes = { 0, { "" } };
  writer w = start ();
  layer_tensor (&w, "I32", 0, "self_attn.q_proj.weight_packed", 4096, 512);
  llmenv_model_record_free (merged (w, NULL, &notes));
  assert_true (is_noted (&notes, "4 bits each"));
}

/* MLX: words of 32 bits, scales and biases in fp16 for each group. */
static void
mlx_words_are_unpacked (void **state)
{
  static const struct { unsigned bits, group; } cases[] = { { 4, 64 }, { 8, 32 }, { 6, 64 }, { 3, 64 } };
  char config[300];
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      writer w = start ();
      tensor (&w, "U32", "model.embed_tokens.weight", 1024, 3072 * cases[i].bits / 32, 0);
      tensor (&w, "F16", "model.embed_tokens.scales", 1024, 3072 / cases[i].group, 0);
      tensor (&w, "F16", "model.embed_tokens.biases", 1024, 3072 / cases[i].group, 0);
      snprintf (config, sizeof config,
                "{\"id\":\"own\",\"num_layers\":1,\"weights\":{\"parts\":[{\"name\":\"x\",\"role\":\"head\",\"tied\":true,\"params\":%d}]}}",
                1024 * 3072);
      llmenv_model_record *r = merged (w, config, NULL);
      part_is (r, "head", "output head", 1024 * 3072,
               1024.0 * 3072 * cases[i].bits / 8 + 4.0 * 1024 * 3072 / cases[i].group);
      llmenv_model_record_free (r);
    }
}

/* NVFP4: two values a byte, an fp8 scale for each 16, floats for the tensor;
 * fp8 with one scale; bitsandbytes in 8 and in 4 bits. */
static writer
pairs (void)
{
  writer w = start ();
  layer_tensor (&w, "U8", 0, "mlp.experts.0.up_proj.weight", 2048, 2048);
  layer_tensor (&w, "F8_E4M3", 0, "mlp.experts.0.up_proj.weight_scale", 2048, 256);
  layer_tensor (&w, "F32", 0, "mlp.experts.0.up_proj.weight_scale_2", 1, 0);
  layer_tensor (&w, "F32", 0, "mlp.experts.0.up_proj.input_scale", 1, 0);
  layer_tensor (&w, "F8_E4M3", 0, "self_attn.o_proj.weight", 2048, 2048);
  layer_tensor (&w, "F32", 0, "self_attn.o_proj.weight_scale", 1, 0);
  layer_tensor (&w, "F32", 0, "self_attn.k_proj.k_scale", 1, 0);
  layer_tensor (&w, "I8", 0, "mlp.up_proj.weight", 2048, 2048);
  layer_tensor (&w, "F32", 0, "mlp.up_proj.SCB", 2048, 0);
  layer_tensor (&w, "U8", 0, "mlp.down_proj.weight", 2097152, 1);
  layer_tensor (&w, "F32", 0, "mlp.down_proj.weight.absmax", 65536, 0);
  layer_tensor (&w, "F32", 0, "mlp.down_proj.weight.quant_map", 16, 0);
  layer_tensor (&w, "U8", 0, "mlp.down_proj.weight.quant_state.bitsandbytes__nf4", 80, 0);
  return w;
}

static void
pairs_in_a_byte_are_unpacked (void **state)
{
  (void) state;
  llmenv_model_record *r
    = merged (pairs (), "{\"id\":\"own\",\"num_layers\":1,\"num_experts\":1,\"experts_per_token\":1}", NULL);
  part_is (r, "routed", "routed experts, nvfp4", 2048 * 4096, 2048 * 2048 + 2048 * 256 + 8);
  part_is (r, "shared", "attention, fp8", 2048 * 2048, 2048 * 2048 + 4 + 4);
  part_is (r, "shared", "dense mlp, int8", 2048 * 2048, 2048 * 2048 + 4 * 2048);
  part_is (r, "shared", "dense mlp, int4", 4194304, 2097152 + 4 * 65536 + 64 + 80);
  llmenv_model_record_free (r);
}

/* ---- names -------------------------------------------------------------- */

/* One tensor of 1,000 bf16 values, and the part where it must be. */
static void
names_tell_parts (void **state)
{
  static const struct { const char *name, *part; } cases[] = {
    { "model.layers.3.self_attn.q_proj.weight", "attention" },
    { "model.layers.3.self_attn.q_norm.weight", "norms" },
    { "transformer.h.3.attn.c_attn.weight", "attention" },
    { "transformer.h.3.mlp.c_fc.weight", "dense mlp" },
    { "h.3.ln_1.weight", "norms" },
    { "transformer.wte.weight", "output head" },
    { "transformer.wpe.weight", "positions" },
    { "gpt_neox.layers.3.attention.query_key_value.weight", "attention" },
    { "gpt_neox.embed_in.weight", "output head" },
    { "embed_out.weight", "output head" },
    { "transformer.word_embeddings.weight", "output head" },
    { "model.tok_embeddings.weight", "output head" },
    { "output.weight", "output head" },
    { "model.layers.3.attention.wqkv.weight", "attention" },
    { "model.layers.3.feed_forward.w1.weight", "dense mlp" },
    { "model.layers.3.block_sparse_moe.experts.7.w1.weight", "routed experts" },
    { "model.layers.3.block_sparse_moe.gate.weight", "norms" },
    { "model.layers.3.mlp.experts.gate_up_proj", "routed experts" },
    { "language_model.model.layers.3.feed_forward.experts.down_proj", "routed experts" },
    { "language_model.model.layers.3.feed_forward.shared_expert.up_proj.weight", "shared experts" },
    { "language_model.model.layers.3.feed_forward.router.weight", "norms" },
    { "model.layers.3.mlp.shared_expert_gate.weight", "norms" },
    { "model.layers.3.mlp.shared_expert.up_proj.weight", "shared experts" },
    { "model.layers.3.mlp.gate.weight", "norms" },
    { "transformer.blocks.3.norm_attn_norm.attn.Wqkv.weight", "attention" },
    { "transformer.blocks.3.norm_attn_norm.norm_1.weight", "norms" },
    { "transformer.blocks.3.ffn.experts.mlp.w1", "routed experts" },
    { "backbone.layers.3.mixer.in_proj.weight", "recurrent layers" },
    { "backbone.layers.3.mixer.A_log", "recurrent layers" },
    { "backbone.layers.3.mixer.q_proj.weight", "attention" },
    { "backbone.layers.3.mixer.up_proj.weight", "dense mlp" },
    { "backbone.layers.3.mixer.experts.1.up_proj.weight", "routed experts" },
    { "backbone.layers.3.mixer.shared_experts.up_proj.weight", "shared experts" },
    { "backbone.layers.3.mixer.gate.weight", "norms" },
    { "backbone.embeddings.weight", "output head" },
    { "model.layers.3.linear_attn.in_proj_qkvz.weight", "recurrent layers" },
    { "model.layers.3.mamba.in_proj.weight", "recurrent layers" },
    { "model.layers.3.conv.in_proj.weight", "recurrent layers" },
    { "model.visual.blocks.0.attn.qkv.weight", "towers" },
    { "vision_tower.vision_model.encoder.layers.0.mlp.fc1.weight", "towers" },
    { "multi_modal_projector.linear_1.weight", "towers" },
    { "model.audio_tower.conformer.0.attention.attn.q_proj.weight", "towers" },
    { "model.language_model.embed_tokens_per_layer.weight", "per-layer" },
    { "model.language_model.per_layer_model_projection.weight", "norms" },
    { "mtp.layers.0.self_attn.q_proj.weight", "multi-token" },
    { "model.layers.9.mlp.experts.0.up_proj.weight", "multi-token" },
    { "model.norm.weight", "norms" } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      writer w = start ();
      tensor (&w, "BF16", cases[i].name, 1000, 0, 0);
      llmenv_model_record *r
        = merged (w, "{\"id\":\"own\",\"num_layers\":9,\"num_experts\":8,\"experts_per_token\":2}", NULL);
      const json_t *part
        = json_array_get (json_object_get (json_object_get (r->json, "weights"), "parts"), 0);
      HAS_TEXT (llmenv_record_text (part, "name"), cases[i].part, cases[i].name);
      NEAR (number_of (part, "bytes"), 2000, 0, cases[i].name);
      llmenv_model_record_free (r);
    }
}

/* Kimi's delta attention is called self_attn, too; its decay gives it away. */
static void
a_decay_makes_a_layer_recurrent (void **state)
{
  writer w = start ();
  (void) state;
  layer_tensor (&w, "F32", 0, "self_attn.A_log", 32, 0);
  layer_tensor (&w, "BF16", 0, "self_attn.q_proj.weight", 100, 10);
  layer_tensor (&w, "BF16", 1, "self_attn.q_proj.weight", 100, 20);
  llmenv_model_record *r = merged (w, "{\"id\":\"own\",\"num_layers\":2}", NULL);
  part_is (r, "shared", "recurrent layers, bf16", 1000, 2000);
  part_is (r, "shared", "recurrent layers, fp32", 32, 128);
  part_is (r, "shared", "attention", 2000, 4000);
  llmenv_model_record_free (r);
}

static void
ties_are_seen (void **state)
{
  static const char tied[] = "{\"id\":\"own\",\"num_layers\":1,\"weights\":{\"parts\":["
    "{\"name\":\"head\",\"role\":\"head\",\"tied\":true,\"params\":4096000}]}}";
  llmenv_import_notes notes = { 0, { "" } };
  (void) state;
  for (int repeated = 0; repeated <= 1; repeated++)
    {
      writer w = start ();
      tensor (&w, "BF16", "model.embed_tokens.weight", 1000, 4096, 0);
      if (repeated)
        tensor (&w, "BF16", "lm_head.weight", 1000, 4096, 0);
      llmenv_model_record *r = merged (w, tied, &notes);
      part_is (r, "head", "output head", 4096000, 8192000);
      part_is (r, "embedding", "", 0, 0);
      assert_int_equal (is_noted (&notes, "repeats the tied embedding"), repeated);
      llmenv_model_record_free (r);
    }
}

static void
differences_are_noted (void **state)
{
  llmenv_import_notes notes = { 0, { "" } };
  (void) state;
  llmenv_model_record_free (merged (llama (0, 31, 1, 1), llama_config (), &notes));
  assert_true (is_noted (&notes, "the tensors hold 7812149248 parameters of the text model, the configuration gives 8030261248 (-2.72 %)"));
}

static void
without_a_configuration_only_weights_are_known (void **state)
{
  llmenv_import_notes notes = { 0, { "" } };
  (void) state;
  llmenv_model_record *r = merged (llama (0, 32, 1, 1), NULL, &notes);
  NEAR (number_of (r->json, "params_b"), 8.030261248, 0, "params");
  assert_int_equal (r->model.kv_reason, LLMENV_NO_RECORD);
  assert_string_equal (r->id, "model-safetensors");
  assert_true (is_noted (&notes, "no config.json"));
  llmenv_model_record_free (r);
  /* How many experts a token uses is nowhere in a checkpoint. */
  open_refused (save_model ("model.safetensors", gpt_oss (1)), "no configuration says how many");
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--write") == 0)
    {
      snprintf (folder, sizeof folder, "%.20s", ".");
      if (chdir (argv[2]) != 0)
        return 1;
      save_model ("llama.safetensors", llama (0, 1, 1, 1));
      save_model ("deepseek.safetensors", deepseek ());
      save_model ("gpt-oss.safetensors", gpt_oss (1));
      save_model ("pairs.safetensors", pairs ());
      save_model ("words.safetensors", words (0));
      return 0;
    }
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (every_dtype_has_its_width),
    cmocka_unit_test (a_header_cut_at_any_byte_is_refused),
    cmocka_unit_test (changed_bytes_do_no_harm),
    cmocka_unit_test (absurd_headers_are_refused),
    cmocka_unit_test (deep_and_wide_json_is_bounded),
    cmocka_unit_test (what_is_no_checkpoint_is_refused),
    cmocka_unit_test (shards_are_one_checkpoint),
    cmocka_unit_test (an_index_alone_gives_the_total),
    cmocka_unit_test (indexes_cannot_lead_elsewhere),
    cmocka_unit_test (block_scales_are_counted),
    cmocka_unit_test (microscaling_blocks_are_counted),
    cmocka_unit_test (packed_words_are_unpacked),
    cmocka_unit_test (the_configuration_decides_what_shapes_leave_open),
    cmocka_unit_test (mlx_words_are_unpacked),
    cmocka_unit_test (pairs_in_a_byte_are_unpacked),
    cmocka_unit_test (names_tell_parts),
    cmocka_unit_test (a_decay_makes_a_layer_recurrent),
    cmocka_unit_test (ties_are_seen),
    cmocka_unit_test (differences_are_noted),
    cmocka_unit_test (without_a_configuration_only_weights_are_known),
  };
  if (mkdtemp (folder) == NULL)
    return 1;
  const int failed = cmocka_run_group_tests (tests, NULL, NULL);
  char command[100];
  snprintf (command, sizeof command, "rm -rf '%s'", folder);
  return system (command) != 0 || failed;
}
