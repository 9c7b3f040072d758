## SPDX-License-Identifier: GPL-3.0-or-later

## -*- texinfo -*-
## @deftypefn  {} {@var{t} =} llmenv_table (@var{name})
## @deftypefnx {} {@var{t} =} llmenv_table (@var{name}, @var{options})
## @deftypefnx {} {} llmenv_table (@var{name}, @dots{})
## @deftypefnx {} {@var{names} =} llmenv_table ()
## @deftypefnx {} {} llmenv_table ()
## A table of the documents or of the records, computed.
##
## @var{name} is one of @var{names}, a cell column; without a name and an output
## they are listed with their titles. The command and the workbook show the same
## tables. With no output the table is printed, rounded for reading and with a
## word where there is no number.
##
## @var{t} is a struct:
##
## @table @code
## @item name, title
## text
## @item caption
## text: convention, basis, types, card, context, batch, reserve
## @item columns, units, notes
## cell rows of text, one element a column
## @item data
## struct with a field per column: a column vector, or a cell column of text.
## Numbers are not rounded; @code{Inf} and @code{NaN} stand where the printed
## table has a word.
## @end table
##
## @var{options} are name, value pairs in any case or a struct; see
## @code{help llmenv_options}. Besides those, @code{AsPrinted}, @code{true} or
## @code{false} (default): the document's selection, order and rounding, in its
## convention, for the tables of document 003.
##
## Errors: @code{llmenv:badOption} (an unknown table with the nearest names, an
## unknown option), @code{llmenv:badCall}, @code{llmenv:badType} (@var{name} is
## no text), @code{llmenv:unknownModel}, @code{llmenv:unknownCard}.
##
## Source: documents 000 and 003; the tables of the records.
##
## @example
## @group
## t = llmenv_table ("bstar", "AsPrinted", true);
## t.data.bstar_1k(strcmp (t.data.id, "deepseek-v3"))
## @result{} ans = 413
## @end group
## @group
## opt = @{"Model", "llama-3-1-8b", "Card", "nvidia-l40s"@};
## t = llmenv_table ("knee", opt@{:@});
## t.columns(end-2:end)
## @result{} ans =
## @{
##   [1,1] = b_knee
##   [1,2] = capacity
##   [1,3] = capacity_over_b50
## @}
## @end group
## @end example
## @seealso{llmenv_rank, llmenv_show, llmenv_report, llmenv_options}
## @end deftypefn

function t = llmenv_table (name, varargin)
  if (nargin == 0)
    list = tables ();
    if (nargout == 0)
      printf ("%-20s %s\n", list'{:});
    else
      t = list(:,1);
    endif
    return;
  endif
  flag = {"AsPrinted", false, {"false", "true"}};
  [table, text] = __llmenv_table_call__ ("llmenv_table", "table", name, flag,
                                         varargin{:});
  if (nargout == 0)
    puts (text);
  else
    t = table;
  endif
endfunction

## Names and titles; a test holds them to the command's list.
function list = tables ()
  t = __llmenv_table__ ("tables", "", false);
  list = [t.data.table, t.data.title];
endfunction

## The shape of every table, and its title.
%!test
%! for name = llmenv_table ()'
%!   t = llmenv_table (name{1});
%!   assert (fieldnames (t), {"name"; "title"; "caption"; "columns"; ...
%!                            "units"; "notes"; "data"});
%!   assert (t.name, name{1});
%!   assert (fieldnames (t.data), t.columns');
%!   n = cellfun (@(c) rows (t.data.(c)), t.columns);
%!   m = cellfun (@(c) columns (t.data.(c)), t.columns);
%!   assert (n, repmat (n(1), size (n)));
%!   assert (m, ones (size (m)));
%!   assert (size (t.units), size (t.columns));
%!   assert (size (t.notes), size (t.columns));
%!   assert (isempty (strfind (evalc ("llmenv_table ()"), t.title)), false);
%!   text = evalc ("llmenv_table (name{1})");
%!   assert (strncmp (text, t.title, numel (t.title)));
%! endfor

## The command lists the same ones.
%!testif ; isfile ([fileparts(which ("llmenv_table")) "/../llmenv"])
%! command = [fileparts(which ("llmenv_table")) "/../llmenv"];
%! [status, text] = system (["'" command "' table"]);
%! assert (status, 0);
%! want = regexp (text, '(?<=\n  )(\w+) +([^\n]+)', "tokens");
%! ours = regexp (evalc ("llmenv_table ()"), '(\w+) +([^\n]+)', "tokens");
%! assert (cellfun (@(c) c{1}, ours, "UniformOutput", false),
%!         cellfun (@(c) c{1}, want, "UniformOutput", false));

## Cells that document 003 prints.
%!test
%! t = llmenv_table ("bstar", "AsPrinted", true);
%! k = find (strcmp (t.data.id, "deepseek-v3"));
%! assert (t.data.bstar_1k(k), 413);
%! assert (t.data.bstar_8k(k), Inf);
%! assert (strncmp (t.caption, "published as printed", 20));
%!test
%! t = llmenv_table ("beq_ranked", "asprinted", 1);
%! assert (t.data.id{1}, "smollm2-1-7b-instruct");
%! assert (t.data.b_eq_active(1), 17405);
%! t = llmenv_table ("beq_ranked", struct ("AsPrinted", true));
%! assert (t.data.b_eq_active(1), 17405);
%! t = llmenv_table ("beq_ranked", "as-printed", "TRUE");
%! assert (t.data.b_eq_active(1), 17405);
%! t = llmenv_table ("beq_ranked", "Convention", "published",
%!                   "AsPrinted", false);
%! k = find (strcmp (t.data.id, "smollm2-1-7b-instruct"));
%! assert (floor (t.data.b_eq_active(k)), 17405);

## A whole table has every model, and the quantities' own numbers.
%!test
%! t = llmenv_table ("dense", "Convention", "published");
%! assert (rows (t.data.id) >= 34);
%! k = find (strcmp (t.data.id, "llama-3-1-8b"));
%! assert (t.data.l_wall(k), llmenv_l_wall ("llama-3-1-8b", "nvidia-h100-sxm",
%!                                          "Convention", "published"), -1e-12);

## Options reach the table and its caption; words show in print.
%!test
%! t = llmenv_table ("bstar", "Card", "nvidia-h20", "KVType", "q8_0");
%! assert (! isempty (strfind (t.caption, "nvidia-h20")));
%! assert (! isempty (strfind (t.caption, "q8_0")));
%! text = evalc ('llmenv_table ("bstar", "AsPrinted", true)');
%! assert (! isempty (regexp (text, 'deepseek-v3 .* 413 +none +none +none')));

%!error id=llmenv:badOption llmenv_table ("densee")
%!error <^llmenv_table: no table 'densee'; nearest: dense>
%! llmenv_table ("densee");
%!error id=llmenv:badOption llmenv_table ("dense", "AsPrinted", "maybe")
%!error id=llmenv:badOption llmenv_table ("dense", "AsPrinted", 2)
%!error id=llmenv:badOption llmenv_table ("dense", "AsPrinted", {})
%!error id=llmenv:badOption llmenv_table ("knee", "AsPrinted", true)
%!error <option AsPrinted: '2' is not accepted, expected false or true>
%! llmenv_table ("dense", "AsPrinted", 2);
%!error id=llmenv:badCall   llmenv_table ("dense", "AsPrinted")
%!error id=llmenv:badCall   llmenv_table ("dense", "Card")
%!error id=llmenv:badType   llmenv_table (1)
%!error id=llmenv:badType   llmenv_table (["ab"; "cd"])
%!error id=llmenv:badOption llmenv_table ("dense", "Colour", 1)
%!error id=llmenv:unknownCard  llmenv_table ("bstar", "Card", "h1000")
%!error id=llmenv:unknownModel llmenv_table ("knee", "Model", "lama-3")

%!demo
%! ## Where added sequences stop paying, for an 8B on an L40S.
%! llmenv_table ("knee", "Model", "llama-3-1-8b", "Card", "nvidia-l40s")
