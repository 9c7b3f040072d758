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
## @code{help llmenv_options}.
##
## Errors: @code{llmenv:badFile} (where it cannot be written, and why),
## @code{llmenv:badCall}, @code{llmenv:badType} (@var{file} is no text),
## @code{llmenv:badOption}, @code{llmenv:unknownModel},
## @code{llmenv:unknownCard}.
##
## Source: the tables of documents 000 and 003, in both conventions.
##
## @example
## llmenv_report ("envelope.xlsx", "Card", "nvidia-rtx-4090", "KVType", "q8_0")
## @end example
## @seealso{llmenv_table, llmenv_show, llmenv_options}
## @end deftypefn

function llmenv_report (varargin)
  __llmenv_gate__ ("llmenv_report", "__llmenv_report__", 1, varargin{:});
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
