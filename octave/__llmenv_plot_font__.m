## SPDX-License-Identifier: GPL-3.0-or-later

## __llmenv_plot_font__ (): see that Octave finds a font to measure text with.
## Debian's Octave wants FreeSans (package fonts-freefont-otf) and makes no axes
## without it, whatever their fontname. Where it is absent, a folder of links to
## what fontconfig offers takes its place. Octave asks for it once a session.

function __llmenv_plot_font__ ()
  config = __octave_config_info__ ();
  folders = {config.octfontsdir, "/usr/share/fonts/opentype/freefont"};
  files = fullfile (folders, "FreeSans.otf");
  if (! isempty (getenv ("OCTAVE_FONTS_DIR"))
      || any (cellfun (@(f) exist (f, "file"), files)))
    return;
  endif
  folder = fullfile (get_home_directory (), ".cache", "llmenv", "fonts");
  if (! exist (folder, "dir"))
    mkdir (folder);
  endif
  is_linked = link_to (":regular", fullfile (folder, "FreeSans.otf")) ...
              && link_to (":bold", fullfile (folder, "FreeSansBold.otf"));
  if (is_linked)
    setenv ("OCTAVE_FONTS_DIR", folder);
  endif
endfunction

function is_linked = link_to (style, link)
  is_linked = exist (link, "file") > 0;
  if (! is_linked)
    command = ["fc-match -f '%{file}' sans" style " 2>/dev/null"];
    [status, file] = system (command);
    if (status == 0 && exist (file, "file"))
      [~, ~] = unlink (link);  # one whose font is gone
      is_linked = symlink (file, link) == 0;
    endif
  endif
endfunction
