## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{ids} =} llmenv_models ()
## @deftypefnx {} {@var{ids} =} llmenv_models (@var{options})
## @deftypefnx {} {[@var{ids}, @var{t}] =} llmenv_models (@dots{})
## @deftypefnx {} {} llmenv_models (@dots{})
## Which models are there?
##
## @var{ids} is a cell column of ids; every function that takes a model takes
## such a cell and then answers for all of them. @var{t} is the table with name,
## vendor, architecture, parameters (1e9), KV KiB a token, longest advertised
## context and what the figures are computed from; it has the shape that
## @code{llmenv_table} describes. With no output the table is printed.
##
## @var{options} are name, value pairs or a struct; @code{Convention} and
## @code{KVType} change figures of the table. @code{help llmenv_options}
## explains every option. Records are read from the folders in the environment
## variable @env{LLMENV_DATA} (separated by colons), then from those that came
## with the package; the first that has an id counts.
##
## Errors: @code{llmenv:badCall}, @code{llmenv:badOption},
## @code{llmenv:badRecord} or @code{llmenv:badFile} for a record file that
## cannot be read, with file, line and column or the field.
##
## Source: the records of document 003's repository.
##
## @example
## @group
## numel (llmenv_models ())
## @result{} ans = 81
## @end group
## @group
## m = llmenv_models ();
## m@{1@}
## @result{} ans = canary-1b-flash
## @end group
## @end example
## @seealso{llmenv_model, llmenv_accelerators, llmenv_table}
## @end deftypefn

function [ids, t] = llmenv_models (varargin)
  [t, text] = __llmenv_table_call__ ("llmenv_models", "table", "models", {},
                                     varargin{:});
  if (nargout == 0)
    puts (text);
  else
    ids = t.data.id;
  endif
endfunction

## The records of the documents are all there, each once, each usable.
%!test
%! ids = llmenv_models ();
%! assert (iscellstr (ids));
%! assert (columns (ids), 1);
%! assert (numel (ids) >= 81);
%! assert (numel (unique (ids)), numel (ids));
%! assert (all (ismember ({"llama-3-1-8b", "deepseek-v3", "kimi-k3", "o3"},
%!                        ids)));
%! assert (size (llmenv_kv_bytes (ids, 1)), [numel(ids), 1]);

## The table has a row a model, in the same order.
%!test
%! [ids, t] = llmenv_models ();
%! assert (t.data.id, ids);
%! k = find (strcmp (ids, "llama-3-1-8b"));
%! assert (t.data.kv_kib_per_tok(k), 128);
%! assert (t.data.name{k}, "Llama 3.1 8B");
%! [~, p] = llmenv_models ("Convention", "published");
%! k = find (strcmp (ids, "gemma-4-12b"));
%! assert (p.data.kv_kib_per_tok(k), 174);
%! assert (t.data.kv_kib_per_tok(k), 336);

%!assert (! isempty (strfind (evalc ("llmenv_models ();"), "llama-3-1-8b")))
%!error id=llmenv:badOption llmenv_models ("Nonsense", 1)
%!error id=llmenv:badCall   llmenv_models ("Convention")
%!error <^llmenv_models: no option 'Nonsense'> llmenv_models ("Nonsense", 1)

%!demo
%! ## Which models keep less than 1 GB of cache and state at 128k tokens?
%! ids = llmenv_models ();
%! GB = llmenv_kv_bytes (ids, 131072) / 1e9;
%! small = find (GB < 1);
%! printf ("%-26s %5.2f GB\n", [ids(small), num2cell(GB(small))]'{:});
