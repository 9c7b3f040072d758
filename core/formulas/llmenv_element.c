/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_element.h"

#include <string.h>
#include <strings.h>

#define PLAIN "width of the format"
#define GGML  "llama.cpp, ggml block layouts"
#define MIX   "llama.cpp tools/quantize, bits per weight of Llama-3.1-8B"
#define RULES "llama.cpp's rules of the mix, over the tensors of Llama-3.1-8B"

/* A mix has 8 values and as many bytes as it has bits per weight. */
static const llmenv_element elements[] = {
  { "fp32",      1,     4,     0, PLAIN },
  { "bf16",      1,     2,     0, PLAIN },
  { "fp16",      1,     2,     0, PLAIN },
  { "f16",       1,     2,     0, PLAIN },
  { "fp8",       1,     1,     0, PLAIN },
  { "fp8_block", 16384, 16388, 0, "128 x 128 fp8 values and one fp32 scale" },
  { "int8",      1,     1,     0, PLAIN },
  { "int4",      2,     1,     0, PLAIN },
  { "q8_0",      32,    34,    0, GGML },
  { "q6_K",      256,   210,   0, GGML },
  { "q5_K",      256,   176,   0, GGML },
  { "q5_0",      32,    22,    0, GGML },
  { "q5_1",      32,    24,    0, GGML },
  { "q4_K",      256,   144,   0, GGML },
  { "q4_0",      32,    18,    0, GGML },
  { "q4_1",      32,    20,    0, GGML },
  { "iq4_nl",    32,    18,    0, GGML },
  { "iq4_xs",    256,   136,   0, GGML },
  { "q3_K",      256,   110,   0, GGML },
  { "q2_K",      256,   84,    0, GGML },
  { "q8_1",      32,    36,    0, GGML },
  { "q8_K",      256,   292,   0, GGML },
  { "iq3_s",     256,   110,   0, GGML },
  { "iq3_xxs",   256,   98,    0, GGML },
  { "iq2_s",     256,   82,    0, GGML },
  { "iq2_xs",    256,   74,    0, GGML },
  { "iq2_xxs",   256,   66,    0, GGML },
  { "iq1_m",     256,   56,    0, GGML },
  { "iq1_s",     256,   50,    0, GGML },
  { "tq2_0",     256,   66,    0, GGML },
  { "tq1_0",     256,   54,    0, GGML },
  { "mxfp4",     32,    17,    0, "OCP microscaling: 32 fp4 values, one 8-bit scale" },
  { "nvfp4",     16,    9,     0, "16 fp4 values, one fp8 scale" },
  { "Q2_K",      8,     3.1593, 1, MIX },
  { "Q2_K_S",    8,     2.9697, 1, MIX },
  { "Q3_K_S",    8,     3.6429, 1, MIX },
  { "Q3_K_M",    8,     3.9960, 1, RULES },
  { "Q3_K_L",    8,     4.2979, 1, MIX },
  { "Q4_0",      8,     4.6358, 1, RULES },
  { "Q4_1",      8,     5.1031, 1, RULES },
  { "Q4_K_S",    8,     4.6672, 1, MIX },
  { "Q4_K_M",    8,     4.8944, 1, MIX },
  { "Q5_0",      8,     5.5704, 1, RULES },
  { "Q5_1",      8,     6.0377, 1, RULES },
  { "Q5_K_S",    8,     5.5704, 1, MIX },
  { "Q5_K_M",    8,     5.7036, 1, MIX },
  { "Q6_K",      8,     6.5633, 1, MIX },
  { "Q8_0",      8,     8.5008, 1, MIX },
  { "IQ4_XS",    8,     4.4597, 1, MIX },
  { "IQ4_NL",    8,     4.6818, 1, MIX },
  { "IQ3_M",     8,     3.7628, 1, MIX },
  { "IQ3_S",     8,     3.6606, 1, MIX },
  { "IQ3_XS",    8,     3.4977, 1, MIX },
  { "IQ3_XXS",   8,     3.2548, 1, MIX },
  { "IQ2_M",     8,     2.9294, 1, MIX },
  { "IQ2_S",     8,     2.7403, 1, MIX },
  { "IQ2_XS",    8,     2.5882, 1, MIX },
  { "IQ2_XXS",   8,     2.3824, 1, MIX },
  { "IQ1_M",     8,     2.1460, 1, MIX },
  { "IQ1_S",     8,     2.0042, 1, MIX },
};

const llmenv_element *
llmenv_elements (size_t *n)
{
  *n = sizeof elements / sizeof *elements;
  return elements;
}

const llmenv_element *
llmenv_element_find (const char *name, int with_mixes)
{
  const llmenv_element *other_case = NULL;
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    {
      if (strcasecmp (elements[i].name, name) != 0
          || (elements[i].is_mix && !with_mixes))
        continue;
      if (strcmp (elements[i].name, name) == 0)
        return &elements[i];
      if (other_case == NULL)
        other_case = &elements[i];
    }
  return other_case;
}

double
llmenv_element_bytes (const llmenv_element *element)
{
  return element->bytes / element->values;
}
