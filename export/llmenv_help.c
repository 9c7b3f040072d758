/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llmenv_help.h"

#include <string.h>

#include "llmenv_options.h"
#include "llmenv_point.h"
#include "llmenv_table.h"

static const struct
{
  const char *verb, *usage, *summary, *example;
} verbs[] = {
  { "report", "llmenv report FILE.xlsx [OPTION...]",
    "write the workbook: every table, a contents sheet with links",
    "  llmenv report out/llmenv.xlsx\n"
    "  llmenv report mine.xlsx --card nvidia-rtx-4090 --kv-type q8_0\n"
    "  llmenv report mine.xlsx --own ~/models/Llama-3.1-8B\n"
    "  llmenv report few.xlsx --models llama-3-1-8b,deepseek-v3 --cards nvidia-h100-sxm,nvidia-h20 --tables ridge,dense,moe,charts\n" },
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
    "  llmenv show deepseek-v3 nvidia-h200-sxm --count 8 --context 32k --batch 64 --json\n"
    "  llmenv show ~/models/Llama-3.1-8B nvidia-rtx-4090\n" },
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
  { "claims", "llmenv claims [000|003] [OPTION...]",
    "every numeric claim of the documents: printed, recomputed, judged",
    "  llmenv claims\n"
    "  llmenv claims 003 --csv\n" },
  { "sweep", "llmenv sweep QUANTITY... --vary INPUT=VALUES [--vary INPUT=VALUES] [OPTION...]",
    "quantities over one or two inputs, a row a combination",
    "  llmenv sweep l_wall b_star --vary kv_bytes=0.28:4:50:log\n"
    "  llmenv sweep throughput --vary context=1k,8k,32k --vary batch=1:256:9:log --model deepseek-v3 --cards nvidia-h100-sxm,nvidia-h20 --csv\n" },
  { "solve", "llmenv solve QUANTITY [TARGET] --vary INPUT --from LO --to HI [OPTION...]",
    "where a quantity meets a number, another quantity, or that of a second model or card",
    "  llmenv solve l_wall 8k --vary kv_bytes --from 0.28 --to 4 --models all\n"
    "  llmenv solve b_star capacity --vary expert_ratio --from 0.008 --to 1 --model qwen3-30b-a3b --context 512\n"
    "  llmenv solve throughput --models llama-3-1-8b,qwen3-8b --vary context --from 1 --to 128k\n"
    "  llmenv solve intensity ridge --vary batch --from 1 --to 10k --whole first-at-least\n" },
  { "audit", "llmenv audit [MODEL|PATH...] [OPTION...]",
    "derived fields that do not match layers, weights and counts; exit 1 if any is not explained",
    "  llmenv audit\n"
    "  llmenv audit --convention published\n"
    "  llmenv audit ~/models/Llama-3.1-8B\n" },
  { "import", "llmenv import PATH [--save] [--json]",
    "make a record of a model's folder, config.json, GGUF or safetensors file",
    "  llmenv import ~/models/Llama-3.1-8B/config.json\n"
    "  llmenv import model.gguf --save\n" },
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

/* Options of the command alone; ACCEPTS is NULL for a flag. */
static const struct
{
  const char *name, *help, *accepts;
} own_options[] = {
  { "as-printed", "tables of document 003 as it prints them: rows, order, rounding", NULL },
  { "direction", "order of a ranking", "ascending (default) or descending" },
  { "vary", "input of sweep and solve; sweep takes two",
    "INPUT=FROM:TO:COUNT, with :log at the end INPUT=0.28:4:50:log, INPUT=1k,8k,32k; for solve INPUT" },
  { "from", "lower end of the range in which solve looks", "a number" },
  { "to", "upper end of that range", "a number" },
  { "models", "models of sweep and solve, by default that of --model; of report, table, rank and models, by default all: "
    "that of --model and those of --own join the list, and without --model the first is the one that figures and charts are about",
    "ids or names with commas between, or all" },
  { "cards", "the same for cards and --card",
    "ids or names with commas between, or all" },
  { "tables", "tables that report writes, both conventions of each; those without rows are left out, and the contents sheet says so",
    "names of tables, models_overview, cards_overview, both_conventions or charts with commas between, or all" },
  { "whole", "solve by whole numbers of the input",
    "first-at-least, first-at-most, last-at-least or last-at-most" },
  { "own", "add a model's files to the catalogue, up to 8 times", "a path" },
  { "inputs", "of report: a JSON object that presets the workbook's Inputs: options by name, and names of its sheets Inputs, "
    "Own model and What-if (ctx_8k, price, own_peak, q_heads, model_1, card_1); options after it override it", "a path" },
  { "values", "of report: values in the place of formulas", NULL },
  { "save", "of import: keep the record among those that every command finds", NULL },
  { "csv", "comma-separated values instead of the aligned table", NULL },
  { "json", "JSON instead of the aligned table", NULL },
};

static void
put_options (FILE *out)
{
  const llmenv_option_info *o;
  fprintf (out, "\nOptions:\n");
  for (size_t i = 0; (o = llmenv_option_get (i)) != NULL; i++)
    fprintf (out, "  --%s VALUE\n      %s\n      VALUE: %s\n", o->kebab,
             o->help, o->accepts);
  for (size_t i = 0; i < sizeof own_options / sizeof *own_options; i++)
    {
      const int takes = own_options[i].accepts != NULL;
      fprintf (out, "  --%s%s\n      %s\n", own_options[i].name,
               takes ? " VALUE" : "", own_options[i].help);
      if (takes)
        fprintf (out, "      VALUE: %s\n", own_options[i].accepts);
    }
  fprintf (out,
           "\nExit status: 0 good, 1 a check failed, 2 bad usage or input.\n"
           "Records: data/ beside the program, after the folders of LLMENV_DATA and\n"
           "$XDG_DATA_HOME/llmenv (~/.local/share/llmenv). A path (with a slash in it, or a .json,\n.gguf or .safetensors file) stands for a model anywhere.\n");
}

static void
put_inputs (FILE *out)
{
  fprintf (out, "\nInputs:\n");
  for (int i = 0; i < LLMENV_INPUT_COUNT; i++)
    {
      const llmenv_input_info *input = llmenv_input_get ((llmenv_input) i);
      fprintf (out, "  %-13s %s%s%s\n", input->name, input->help,
               *input->unit == '\0' ? "" : ", ", input->unit);
    }
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
  if (strcmp (verb, "sweep") == 0 || strcmp (verb, "solve") == 0)
    put_inputs (out);
  if (strcmp (verb, "rank") == 0 || strcmp (verb, "sweep") == 0
      || strcmp (verb, "solve") == 0)
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

/* ---- the same, as a man page and as completion for bash ----------------- */

/* Text in roff: no line may begin with a dot or a quote, '-' is a minus. */
static void
put_roff (const char *text, FILE *out)
{
  for (int start = 1; *text != '\0'; text++)
    {
      if (start && (*text == '.' || *text == '\''))
        fputs ("\\&", out);
      if (*text == '-')
        fputs ("\\-", out);
      else if (*text == '\\')
        fputs ("\\e", out);
      else
        fputc (*text, out);
      start = *text == '\n';
    }
}

static void
put_roff_option (const char *name, const char *help, const char *accepts, FILE *out)
{
  fputs (".TP\n.B \\-\\-", out);
  put_roff (name, out);
  fputc ('\n', out);
  put_roff (help, out);
  fputs (".\n", out);
  if (accepts == NULL)
    return;
  fputs ("Takes ", out);
  put_roff (accepts, out);
  fputs (".\n", out);
}

void
llmenv_help_man (const char *version, FILE *out)
{
  const llmenv_option_info *o;
  fprintf (out, ".TH LLMENV 1 \"\" \"llmenv %s\" \"User Commands\"\n"
           ".SH NAME\nllmenv \\- the memory envelope of LLM inference\n"
           ".SH SYNOPSIS\n", version);
  for (int i = 0; i < N_VERBS; i++)
    {
      put_roff (verbs[i].usage, out);
      fputs ("\n.br\n", out);
    }
  fputs (".SH COMMANDS\n", out);
  for (int i = 0; i < N_VERBS; i++)
    {
      fprintf (out, ".TP\n.B %s\n", verbs[i].verb);
      put_roff (verbs[i].summary, out);
      fputc ('\n', out);
    }
  fputs (".SH OPTIONS\n", out);
  for (size_t i = 0; (o = llmenv_option_get (i)) != NULL; i++)
    put_roff_option (o->kebab, o->help, o->accepts, out);
  for (size_t i = 0; i < sizeof own_options / sizeof *own_options; i++)
    put_roff_option (own_options[i].name, own_options[i].help,
                     own_options[i].accepts, out);
  fputs (".SH EXAMPLES\n.nf\n", out);
  for (int i = 0; i < N_VERBS; i++)
    put_roff (verbs[i].example, out);
  fputs (".fi\n.SH EXIT STATUS\n0 good, 1 a check failed, 2 bad usage or input.\n"
         ".SH ENVIRONMENT\n.TP\n.B LLMENV_DATA\n"
         "Folders with records of your own, separated by colons; the first one wins.\n"
         ".TP\n.B XDG_DATA_HOME\n"
         "After those, its folder llmenv holds records that import \\-\\-save keeps.\n", out);
}

void
llmenv_help_completion (FILE *out)
{
  const llmenv_option_info *o;
  const llmenv_table_info *t;
  fputs ("# bash completion for llmenv\n_llmenv ()\n{\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local options='", out);
  for (size_t i = 0; (o = llmenv_option_get (i)) != NULL; i++)
    fprintf (out, "--%s ", o->kebab);
  for (size_t i = 0; i < sizeof own_options / sizeof *own_options; i++)
    fprintf (out, "--%s ", own_options[i].name);
  fputs ("--help'\n  local verbs='", out);
  for (int i = 0; i < N_VERBS; i++)
    fprintf (out, "%s ", verbs[i].verb);
  fputs ("'\n  local tables='", out);
  for (size_t i = 0; (t = llmenv_table_get (i)) != NULL; i++)
    fprintf (out, "%s ", t->name);
  fputs ("'\n"
         "  ids () { \"${COMP_WORDS[0]}\" \"$1\" --csv 2>/dev/null | sed -e 1d -e 's/,.*//'; }\n"
         "  local words=$options list=\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then words=\"$verbs --help --version\"\n"
         "  elif [ \"$previous\" = --card ]; then words=$(ids cards)\n"
         "  elif [ \"$previous\" = --model ]; then words=$(ids models)\n"
         "  elif [ \"$previous\" = --models ] || [ \"$previous\" = --cards ]; then list=$(ids \"${previous#--}\")\n"
         "  elif [ \"$previous\" = --tables ]; then list=\"$tables models_overview cards_overview both_conventions charts\"\n"
         "  elif [ \"${word#-}\" != \"$word\" ]; then :\n"
         "  elif [ \"$verb\" = table ] && [ \"$COMP_CWORD\" = 2 ]; then words=$tables\n"
         "  elif [ \"$verb\" = rank ] && [ \"$COMP_CWORD\" = 2 ]; then words=$(\"${COMP_WORDS[0]}\" table quantities --csv 2>/dev/null | sed -e 1d -e 's/,.*//')\n"
         "  elif [ \"$verb\" = show ] && [ \"$COMP_CWORD\" = 2 ]; then words=$(ids models)\n"
         "  elif [ \"$verb\" = show ] && [ \"$COMP_CWORD\" = 3 ]; then words=$(ids cards)\n"
         "  elif [ \"$verb\" = report ] || [ \"$verb\" = import ] || [ \"$verb\" = audit ]; then COMPREPLY=($(compgen -f -- \"$word\")); return\n"
         "  fi\n"
         "  # The last name of a list.\n"
         "  if [ -n \"$list\" ]; then COMPREPLY=($(compgen -P \"${word%\"${word##*,}\"}\" -W \"$list\" -- \"${word##*,}\")); return; fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\ncomplete -F _llmenv llmenv\n", out);
}
