/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage types: block sizes against the layouts of the formats, and against
 * KV caches that llama.cpp allocated (spec section 6). */
#include "check.h"

#include "llmenv_element.h"

/* Bits a value needs with its share of the block's scales, from the format's
 * own parts: quants + scales + minima, in bits, over the values of a block. */
static const struct
{
  const char *name;
  double bits, values;
} types[] = {
  { "fp32", 32, 1 }, { "bf16", 16, 1 }, { "fp16", 16, 1 }, { "f16", 16, 1 },
  { "fp8", 8, 1 }, { "int8", 8, 1 }, { "int4", 4, 1 },
  { "fp8_block", 128 * 128 * 8 + 32, 128 * 128 },
  { "q8_0", 32 * 8 + 16, 32 },                     /* one fp16 scale */
  { "q5_0", 32 * 5 + 16, 32 },
  { "q5_1", 32 * 5 + 16 + 16, 32 },                /* scale and minimum */
  { "q4_0", 32 * 4 + 16, 32 },
  { "q4_1", 32 * 4 + 16 + 16, 32 },
  { "iq4_nl", 32 * 4 + 16, 32 },
  { "iq4_xs", 256 * 4 + 8 * 6 + 16, 256 },         /* 8 scales of 6 bits */
  { "q6_K", 256 * 6 + 16 * 8 + 16, 256 },          /* 16 scales of 8 bits */
  { "q5_K", 256 * 5 + 16 * 6 + 32, 256 },          /* 8 + 8 of 6 bits, two fp16 */
  { "q4_K", 256 * 4 + 16 * 6 + 32, 256 },
  { "q3_K", 256 * 3 + 16 * 6 + 16, 256 },
  { "q2_K", 256 * 2 + 16 * 8 + 32, 256 },
  { "mxfp4", 32 * 4 + 8, 32 },                     /* one 8-bit exponent */
  { "nvfp4", 16 * 4 + 8, 16 },                     /* one fp8 scale */
};

static void
blocks_hold_what_their_format_says (void **state)
{
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (types); i++)
    {
      const llmenv_element *e = llmenv_element_find (types[i].name, 0);
      if (e == NULL)
        print_error ("no type %s\n", types[i].name);
      assert_non_null (e);
      NEAR (llmenv_element_bytes (e), types[i].bits / 8 / types[i].values, 0,
            types[i].name);
      assert_int_equal (e->is_mix, 0);
    }
}

/* Issue 2's list of types. */
static void
the_required_types_are_there (void **state)
{
  static const char *const names[] = {
    "fp32", "bf16", "fp16", "fp8", "int8", "q8_0", "q6_K", "q5_K", "q5_0",
    "q5_1", "q4_K", "q4_0", "q4_1", "iq4_nl", "q3_K", "q2_K", "mxfp4", "nvfp4" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (names); i++)
    assert_non_null (llmenv_element_find (names[i], 0));
  assert_non_null (llmenv_element_find ("Q4_K_M", 1));
}

/* Llama-3.1-8B, 8,192 tokens: 32 layers x 8 heads x 128 elements of K and of V. */
static void
caches_are_those_that_llama_cpp_allocates (void **state)
{
  static const struct { const char *k, *v; double mib; } cases[] = {
    { "fp16", "fp16", 1024 }, { "f16", "f16", 1024 }, { "bf16", "bf16", 1024 },
    { "q8_0", "q8_0", 544 }, { "q4_0", "q4_0", 288 }, { "q8_0", "fp16", 784 },
    { "fp16", "q8_0", 784 } };
  const double elements = 8192.0 * 32 * 8 * 128;
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const double k = llmenv_element_bytes (llmenv_element_find (cases[i].k, 0));
      const double v = llmenv_element_bytes (llmenv_element_find (cases[i].v, 0));
      NEAR (elements * (k + v) / 1048576, cases[i].mib, 0, cases[i].k);
      const llmenv_envelope e = shipped ("llama-3-1-8b", NULL, "KType", cases[i].k,
                                         "VType", cases[i].v, NULL);
      NEAR (value_of ("kv_bytes", &e, 1, 8192), cases[i].mib * 1048576, 0, cases[i].v);
    }
}

/* DeepSeek-V3, 8,192 tokens: 549.00 MiB and no V; the latent is K alone. */
static void
latent_caches_have_no_v (void **state)
{
  static const char *const v_types[] = { "fp16", "q4_0", "fp32" };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (v_types); i++)
    {
      const llmenv_envelope e
        = shipped ("deepseek-v3", NULL, "KType", "fp16", "VType", v_types[i], NULL);
      NEAR (value_of ("kv_bytes", &e, 1, 8192) / 1048576, 549, 0, v_types[i]);
    }
}

static void
case_matters_only_where_it_decides (void **state)
{
  (void) state;
  assert_string_equal (llmenv_element_find ("BF16", 0)->name, "bf16");
  assert_string_equal (llmenv_element_find ("q8_0", 1)->name, "q8_0");
  assert_string_equal (llmenv_element_find ("Q8_0", 1)->name, "Q8_0");
  assert_string_equal (llmenv_element_find ("Q8_0", 0)->name, "q8_0");
  assert_string_equal (llmenv_element_find ("q4_k_m", 1)->name, "Q4_K_M");
  assert_null (llmenv_element_find ("Q4_K_M", 0));
  assert_null (llmenv_element_find ("", 1));
  assert_null (llmenv_element_find ("bf17", 1));
  assert_null (llmenv_element_find ("bf16 ", 1));
}

static void
the_table_is_sound (void **state)
{
  size_t n;
  const llmenv_element *e = llmenv_elements (&n);
  (void) state;
  assert_true (n >= N_OF_ARRAY (types));
  for (size_t i = 0; i < n; i++)
    {
      const double bytes = llmenv_element_bytes (&e[i]);
      assert_true (bytes > 0.19 && bytes <= 4);
      assert_true (is_one_line (e[i].name) && is_one_line (e[i].source));
      /* Found by its own name, and as itself. */
      assert_ptr_equal (llmenv_element_find (e[i].name, 1), &e[i]);
    }
}

/* A mix cannot be smaller than its smallest block type nor larger than q6_K or
 * q8_0, the largest that these files use; and an 8B at Q4_K_M is the 4.9 GB of
 * document 000 (8,030,261,248 parameters). */
static void
mixes_are_between_their_parts (void **state)
{
  static const struct { const char *mix, *least, *most; } cases[] = {
    { "Q4_K_M", "q4_K", "q6_K" }, { "Q4_K_S", "q4_K", "q6_K" },
    { "Q5_K_M", "q5_K", "q6_K" }, { "Q6_K", "q6_K", "q8_0" },
    { "Q3_K_M", "q3_K", "q6_K" }, { "Q2_K", "q2_K", "q6_K" },
    { "Q8_0", "q8_0", "bf16" }, { "Q4_0", "q4_0", "q6_K" } };
  (void) state;
  for (size_t i = 0; i < N_OF_ARRAY (cases); i++)
    {
      const double bytes = llmenv_element_bytes (llmenv_element_find (cases[i].mix, 1));
      assert_true (bytes > llmenv_element_bytes (llmenv_element_find (cases[i].least, 0)));
      assert_true (bytes < llmenv_element_bytes (llmenv_element_find (cases[i].most, 0)));
    }
  NEAR (8030261248 * llmenv_element_bytes (llmenv_element_find ("Q4_K_M", 1)),
        4.9e9, 0.01, "8B at Q4_K_M");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (blocks_hold_what_their_format_says),
    cmocka_unit_test (the_required_types_are_there),
    cmocka_unit_test (caches_are_those_that_llama_cpp_allocates),
    cmocka_unit_test (latent_caches_have_no_v),
    cmocka_unit_test (case_matters_only_where_it_decides),
    cmocka_unit_test (the_table_is_sound),
    cmocka_unit_test (mixes_are_between_their_parts),
  };
  use_shipped_data ();
  return cmocka_run_group_tests (tests, NULL, NULL);
}
