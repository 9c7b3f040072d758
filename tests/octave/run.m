## SPDX-License-Identifier: GPL-3.0-or-later

## Run all tests of the Octave functions from a built tree:
##   octave-cli --quiet --no-init-file --no-history tests/octave/run.m [FOLDER]
## FOLDER holds functions and gateways, build/octave unless given. Tests are the
## %! blocks of llmenv_*.m and of the files beside this one, every demo, every
## help text with each @example that has a result, and every script of
## octave/examples. Prints a line for each file that fails and a last line with
## the counts; exit status 1 if anything failed or nothing ran.

1;

function c = count (c, file, passed, failed, skipped, why)
  c += [passed, failed, skipped];
  if (failed > 0)
    printf ("%s: %d of %d failed: %s\n", file, failed, passed + failed, why);
  endif
endfunction

## Test blocks of FILE.
function c = run_blocks (c, file)
  log = tempname ();
  fid = fopen (log, "w");
  [n, total, xfail, bug, skip, rtskip] = test (file, "quiet", fid);
  fclose (fid);
  text = fileread (log);
  delete (log);
  if (total + skip + rtskip == 0)
    c = count (c, file, 0, 1, 0, "it has no tests");
    return;
  endif
  skipped = skip + rtskip;
  failed = total - n - xfail;
  c = count (c, file, n - skipped, failed, skipped, first_failure (text));
endfunction

function why = first_failure (text)
  ## No regexprep: assert may cut a UTF-8 character in two.
  why = strjoin (ostrsplit (text, " \t\n", true), " ");
  why = why(1:min (end, 600));
endfunction

## Demos of FILE, without a display.
function c = run_demos (c, file)
  [code, index] = test (file, "grabdemo");
  if (numel (index) < 2)
    c = count (c, file, 0, 1, 0, "it has no demo");
    return;
  endif
  for k = 1:numel (index) - 1
    block = code(index(k):index(k+1)-1);
    [text, why] = output_of (block);
    if (isempty (why) && isempty (strtrim (text)))
      why = "the demo prints nothing";
    endif
    c = count (c, file, isempty (why), ! isempty (why), 0, why);
  endfor
endfunction

function [text__, why__] = output_of (code__)
  why__ = text__ = "";
  try
    text__ = evalc (code__);
  catch e__
    why__ = e__.message;
  end_try_catch
endfunction

## Groups of @example with @result{}: code, then what it prints.
function c = run_examples (c, file)
  [help, format] = get_help_text (file);
  if (! strcmp (format, "texinfo"))
    c = count (c, file, 0, 1, 0, "its help is no texinfo");
    return;
  endif
  [~, status] = __makeinfo__ (help, "plain text");
  c = count (c, file, status == 0, status != 0, 0, "makeinfo refuses its help");
  examples = regexp (help, '@example\n(.*?)@end example', "tokens");
  for k = 1:numel (examples)
    code = "";
    groups = regexp (examples{k}{1}, '@group\n(.*?)@end group', "tokens");
    for g = 1:numel (groups)
      part = strsplit (groups{g}{1}, "@result{}");
      if (numel (part) != 2)
        continue;
      endif
      [shown, why] = example_output (code, strrep (part{1}, "@{", "{"));
      code = [code, plain(part{1})];
      want = plain (part{2});
      if (isempty (why) && ! strcmp (words (shown), words (want)))
        why = sprintf ("example prints '%s', its help says '%s'",
                       words (shown), words (want));
      endif
      c = count (c, file, isempty (why), ! isempty (why), 0, why);
    endfor
  endfor
endfunction

function [shown, why] = example_output (before, code)
  [~, why] = output_of ([before, plain(code)]);
  shown = "";
  if (isempty (why))
    all = output_of ([before, "\ndisp ('@@@');\n", plain(code)]);
    shown = regexprep (all, '^.*@@@\n', "");
  endif
endfunction

function text = plain (text)
  text = strrep (strrep (strrep (text, "@{", "{"), "@}", "}"), "@@", "@");
endfunction

function text = words (text)
  text = strtrim (regexprep (text, '\s+', " "));
endfunction

## A script prints what the comment at its end says.
function c = run_script (c, file)
  source = fileread (file);
  said = regexp (source, '\n## Prints:\n(.*)$', "tokens", "once");
  [shown, why] = output_of (source);
  if (isempty (why) && isempty (said))
    why = "it does not say what it prints";
  elseif (isempty (why))
    want = regexprep (said{1}, '(^|\n)## ?', "$1");
    if (! strcmp (words (shown), words (want)))
      why = sprintf ("prints '%s'", shown);
    endif
  endif
  c = count (c, file, isempty (why), ! isempty (why), 0, why);
endfunction

here = fileparts (mfilename ("fullpath"));
root = fileparts (fileparts (here));
built = fullfile (root, "build", "octave");
if (! isempty (argv ()))
  built = make_absolute_filename (argv (){end});
endif
if (! isfolder (built))
  printf ("%s: no such folder\noctave: 0 passed, 1 failed, 0 skipped\n", built);
  exit (1);
endif
if (isempty (getenv ("LLMENV_SHARED")))
  setenv ("LLMENV_SHARED", fullfile (root, "..", "shared"));
endif
addpath (built);

c = [0, 0, 0];
files = glob (fullfile (built, "llmenv_*.m"));
for k = 1:numel (files)
  c = run_blocks (c, files{k});
  c = run_demos (c, files{k});
  c = run_examples (c, files{k});
endfor
names = @(list) regexprep (list, '^.*/', "");
missing = setdiff (names (glob (fullfile (root, "octave", "llmenv_*.m"))),
                   names (files));
if (! isempty (missing))
  c = count (c, built, 0, numel (missing), 0,
             ["not built: " strjoin(missing, ", ")]);
endif
for file = glob (fullfile (here, "test_*.m"))'
  c = run_blocks (c, file{1});
endfor
for file = glob (fullfile (root, "octave", "examples", "*.m"))'
  c = run_script (c, file{1});
endfor

printf ("octave: %d passed, %d failed, %d skipped\n", c);
exit (c(2) > 0 || c(1) == 0 || isempty (files));
