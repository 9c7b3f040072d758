/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_help.h"

#include <string.h>

#include "llmenv_options.h"
#include "llmenv_table.h"

static const struct
{
  const char *verb, *usage, *summary, *example;
} verbs[] = {
  { "report", "llmenv report FILE.xlsx [OPTION...]",
    "write the workbook: every table, a contents sheet with links",
    "  llmenv report out/llmenv.xlsx\n"
    "  llmenv report mine.xlsx --card nvidia-rtx-4090 --kv-type q8_0\n" },
  { "models", "llmenv models [OPTION...]",
    "list the models and what is known of each",
    "  llmenv models\n"
    "  llmenv models --csv\n" },
  { "cards", "llmenv cards [OPTION...]",
    "list the cards with peak, bandwidth, memory and ridge point",
    "  llmenv cards --compute-type fp8\n" },
  { "show", "llmenv show MODEL [CARD] [OPTION...]",
    "every quantity of one model on one card",
    "  llmenv show llama-3-1-8b\n"
    "  llmenv show \"Llama 3.3 70B\" nvidia-rtx-3090 --count 2 --weight-type Q4_K_M\n"
    "  llmenv show deepseek-v3 nvidia-h200-sxm --count 8 --context 32k --batch 64 --json\n" },
  { "table", "llmenv table [NAME] [OPTION...]",
    "one table; without a name, the list of tables",
    "  llmenv table dense\n"
    "  llmenv table bstar --card nvidia-h20\n"
    "  llmenv table dense --convention published --as-printed --csv\n"
    "  llmenv table knee --model llama-3-1-8b --card nvidia-l40s --kv-type fp8\n" },
  { "rank", "llmenv rank QUANTITY [OPTION...]",
    "models by a quantity; cards, when it is theirs alone or a model is given",
    "  llmenv rank l_wall\n"
    "  llmenv rank capacity --context 32k --direction descending\n"
    "  llmenv rank throughput --model llama-3-1-8b --direction descending\n" },
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static int
find (const char *verb)
{
  for (int i = 0; i < N_VERBS; i++)
    if (strcmp (verbs[i].verb, verb) == 0)
      return i;
  return -1;
}

const char *
llmenv_help_usage (const char *verb)
{
  const int i = find (verb);
  return i < 0 ? "llmenv COMMAND" : verbs[i].usage;
}

static void
put_options (FILE *out)
{
  const llmenv_option_info *o;
  fprintf (out, "\nOptions:\n");
  for (size_t i = 0; (o = llmenv_option_get (i)) != NULL; i++)
    fprintf (out, "  --%s VALUE\n      %s\n      VALUE: %s\n", o->kebab,
             o->help, o->accepts);
  fprintf (out,
           "  --as-printed\n      tables of document 003 as it prints them: rows, order, rounding\n"
           "  --direction VALUE\n      order of a ranking\n      VALUE: ascending (default) or descending\n"
           "  --csv, --json\n      for machines, instead of the aligned table\n"
           "\nExit status: 0 good, 1 a check failed, 2 bad usage or input.\n"
           "Records: data/ beside the program, after the folders of LLMENV_DATA.\n");
}

void
llmenv_help_all (FILE *out)
{
  fprintf (out,
           "llmenv: the memory envelope of LLM inference\n\n"
           "What does a model hold in memory, what does a decode step stream, at which\n"
           "batch and context does the binding resource change, on which card.\n\n"
           "Usage: llmenv COMMAND [ARGUMENT...] [OPTION...]\n\nCommands:\n");
  for (int i = 0; i < N_VERBS; i++)
    fprintf (out, "  %-8s %s\n", verbs[i].verb, verbs[i].summary);
  fprintf (out, "\nExamples:\n");
  for (int i = 0; i < N_VERBS; i++)
    fputs (verbs[i].example, out);
  put_options (out);
}

void
llmenv_help_verb (const char *verb, FILE *out)
{
  const int i = find (verb);
  if (i < 0)
    return;
  fprintf (out, "Usage: %s\n\n%s\n\nExamples:\n%s", verbs[i].usage,
           verbs[i].summary, verbs[i].example);
  if (strcmp (verb, "table") == 0)
    {
      fputc ('\n', out);
      llmenv_help_tables (out);
    }
  if (strcmp (verb, "rank") == 0)
    fprintf (out, "\nQuantities: see 'llmenv table quantities'.\n");
  put_options (out);
}

void
llmenv_help_tables (FILE *out)
{
  const llmenv_table_info *t;
  const char *group = "";
  for (size_t i = 0; (t = llmenv_table_get (i)) != NULL; i++)
    {
      if (strcmp (group, t->group) != 0)
        fprintf (out, "%s:\n", t->group);
      group = t->group;
      fprintf (out, "  %-16s %s\n", t->name, t->title);
    }
}
