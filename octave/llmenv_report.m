## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {} llmenv_report (@var{file})
## @deftypefnx {} {} llmenv_report (@var{file}, @var{options})
## Write the workbook: every table on a sheet, with its assumptions, and a
## contents sheet with links.
##
## @var{file} is the name of the xlsx file. It is written under a temporary name
## beside it and then renamed, so that a failure leaves an older file untouched;
## equal inputs give equal bytes.
##
## @var{options} are name, value pairs in any case or a struct, and apply to
## every table: card, context, types, reserve and so on; see
## @code{help llmenv_options}. Three more are lists that narrow the workbook,
## each a cell of texts or one text with commas (@code{[]} or @qcode{"all"}:
## everything):
##
## @table @code
## @item Models
## ids or names; the model of option Model joins them, and without it the first
## is the one that figures and charts are about
## @item Cards
## the same for cards
## @item Tables
## names of tables (@code{llmenv_table ()} lists them), each in both
## conventions, and @code{models_overview}, @code{cards_overview},
## @code{both_conventions} and @code{charts}
## @end table
##
## Claims, misprints and tables as printed are about the documents and stay
## whole. Tables without rows are left out; the contents sheet names them.
##
## Errors: @code{llmenv:badFile} (where it cannot be written, and why),
## @code{llmenv:badCall}, @code{llmenv:badType} (@var{file} is no text, a list
## no cell of texts), @code{llmenv:badOption} (no such option or table, an empty
## name), @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}.
##
## Source: the tables of documents 000 and 003, in both conventions.
##
## @example
## llmenv_report ("envelope.xlsx", "Card", "nvidia-rtx-4090", "KVType", "q8_0")
## llmenv_report ("few.xlsx", "Models", @{"llama-3-1-8b", "deepseek-v3"@},
##                "Tables", "ridge, lwall_ranked, charts")
## @end example
## @seealso{llmenv_table, llmenv_show, llmenv_options}
## @end deftypefn

function llmenv_report (varargin)
  lists = {[], [], []};
  try
    pairs = __llmenv_pairs__ (varargin{2:end});
    names = {"Models", "Cards", "Tables"};
    for k = 1:3
      [lists{k}, pairs] = __llmenv_take__ (pairs, names{k}, []);
    endfor
  catch e
    error (e.identifier, "llmenv_report: %s", e.message);
  end_try_catch
  if (nargin == 0)
    error ("llmenv:badCall",
           "llmenv_report: usage: llmenv_report (FILE, OPTION, VALUE, ...)");
  endif
  __llmenv_gate__ ("llmenv_report", "__llmenv_report__", 4, varargin{1},
                   lists{:}, pairs{:});
endfunction

## A zip of some size, the same bytes each time, other bytes for another card.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   a = fullfile (folder, "a.xlsx");
%!   b = fullfile (folder, "b.xlsx");
%!   llmenv_report (a);
%!   llmenv_report (b);
%!   assert (fileread (a)(1:2), "PK");
%!   assert (numel (fileread (a)) > 10000);
%!   assert (isequal (fileread (a), fileread (b)));
%!   llmenv_report (b, "Card", "nvidia-rtx-4090", struct ("KVType", "q8_0"));
%!   assert (! isequal (fileread (a), fileread (b)));
%!   assert (numel (readdir (folder)), 4);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

## Lists narrow the workbook, in every spelling alike; nothing is left of one
## that is refused.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   a = fullfile (folder, "a.xlsx");
%!   b = fullfile (folder, "b.xlsx");
%!   llmenv_report (a, "Models", {"llama-3-1-8b", "deepseek-v3", "llama-3-1-8b"},
%!                  "Cards", {"nvidia-h100-sxm"}, "Tables", {"dense", "moe"});
%!   llmenv_report (b, "models", "Llama 3.1 8B, deepseek-v3", "cards", "H100 SXM",
%!                  "tables", "Dense,moe", "Card", "nvidia-h100-sxm");
%!   assert (isequal (fileread (a), fileread (b)));
%!   llmenv_report (b, "Models", [], "Cards", "all");
%!   assert (numel (fileread (a)) < numel (fileread (b)) / 4);
%!   llmenv_report (b, struct ("Models", {{"deepseek-v3"}}, "Tables", "dense,moe"));
%!   assert (! isequal (fileread (a), fileread (b)));
%!   unlink (b);
%!   for refused = {{"Models", "lama-3-1-8b"}, {"Cards", {"h1000"}}, ...
%!                  {"Tables", "desne"}, {"Models", {}}, {"Tables", ""}}
%!     fail ("llmenv_report (b, refused{1}{:})");
%!   endfor
%!   assert (numel (readdir (folder)), 3);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect

%!error id=llmenv:unknownModel llmenv_report (tempname (), "Models", "lama-3-1-8b")
%!error <^llmenv_report: no model 'lama-3-1-8b'; nearest: llama-3-1-8b>
%! llmenv_report (tempname (), "Models", {"qwen3-8b", "lama-3-1-8b"});
%!error id=llmenv:unknownCard  llmenv_report (tempname (), "Cards", {"nvidia-h100-sxn"})
%!error id=llmenv:badOption    llmenv_report (tempname (), "Models", "a,,b")
%!error <option Cards: an empty list> llmenv_report (tempname (), "Cards", {})
%!error <no table 'desne'; nearest: dense> llmenv_report (tempname (), "Tables", "desne")
%!error id=llmenv:badOption    llmenv_report (tempname (), "Tables", {"dense", "desne"})
%!error id=llmenv:badType      llmenv_report (tempname (), "Tables", 3)
%!error id=llmenv:badType      llmenv_report (tempname (), "Models", {"qwen3-8b", 3})
%!error id=llmenv:badFile      llmenv_report (tempname (), "Contexts", "/nowhere/at/all")

%!error id=llmenv:badCall   llmenv_report ()
%!error id=llmenv:badType   llmenv_report (1)
%!error id=llmenv:badFile   llmenv_report ("/nowhere/at/all.xlsx")
%!error <^llmenv_report: .*/nowhere/at/all.xlsx>
%! llmenv_report ("/nowhere/at/all.xlsx");
%!error id=llmenv:badOption llmenv_report (tempname (), "Colour", 1)
%!error id=llmenv:badCall   llmenv_report (tempname (), "Card")

%!demo
%! ## The workbook for a consumer card.
%! file = [tempname() ".xlsx"];
%! llmenv_report (file, "Card", "nvidia-rtx-4090");
%! printf ("%d bytes in a workbook\n", stat (file).size);
%! delete (file);
