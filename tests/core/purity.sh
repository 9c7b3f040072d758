#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: purity.sh OBJECT...
# Proves that core/formulas is pure: its sources include nothing but what is
# listed, and its OBJECTs call nothing else either: no file, no printing, no
# allocation, no environment, no host; and they keep no state.
# Exit 0 pure, 1 not, 2 bad usage.
set -u
export LC_ALL=C

# Each symbol that may be left undefined. Add one only when it reads nothing
# but its arguments and writes nothing but what they point to.
ALLOWED='
  ceil exp expm1 fabs floor fmax fmin fmod isfinite isinf isnan ldexp log log1p
  log2 nextafter pow round sqrt trunc
  memcmp memcpy memmove memset strcasecmp strcmp strlen strncmp strncasecmp
  gsl_root_fsolver_brent gsl_root_fsolver_iterate gsl_root_fsolver_set
  gsl_root_test_interval
  _GLOBAL_OFFSET_TABLE_ __stack_chk_fail
'
HEADERS='float.h math.h stddef.h stdint.h string.h strings.h gsl/gsl_errno.h gsl/gsl_roots.h'

formulas=$(cd "$(dirname "$0")/../../core/formulas" && pwd) || exit 2
[ $# -gt 0 ] || { echo "usage: purity.sh OBJECT..." >&2; exit 2; }

bad=0
complain() {
  echo "purity: $*" >&2
  bad=$((bad + 1))
}

# has WORD LIST: WORD is one of the words of LIST.
has() {
  for word in $2; do
    [ "$word" = "$1" ] && return 0
  done
  return 1
}

# ---- sources: what is included ------------------------------------------------

n_sources=0
for source in "$formulas"/*.c "$formulas"/*.h; do
  n_sources=$((n_sources + 1))
  name=$(basename "$source")
  for header in $(sed -n 's/^[ 	]*#[ 	]*include[ 	]*<\([^>]*\)>.*/\1/p' "$source"); do
    has "$header" "$HEADERS" || complain "$name includes <$header>"
  done
  for header in $(sed -n 's/^[ 	]*#[ 	]*include[ 	]*"\([^"]*\)".*/\1/p' "$source"); do
    [ -f "$formulas/$header" ] || complain "$name includes \"$header\", which is no part of the formulas"
  done
  # An include made of a macro, or a declaration of one's own, would hide.
  if grep -nE '^[ 	]*#[ 	]*include[ 	]*[^<" 	]' "$source" >&2; then
    complain "$name includes what cannot be read here"
  fi
  if grep -nE '(^|[^_[:alnum:]])(asm|__asm__|syscall)([^_[:alnum:]]|$)' "$source" >&2; then
    complain "$name holds assembler or system calls"
  fi
done

# ---- objects: what is called, what is kept ------------------------------------

for object in "$@"; do
  [ -f "$object" ] || { echo "purity: no object $object" >&2; exit 2; }
done
defined=$(nm --defined-only "$@" | awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }' | sort -u)
n_symbols=0
for object in "$@"; do
  name=$(basename "$object")
  [ -f "$formulas/${name%.o}.c" ] || complain "$name is no object of the formulas"
  for symbol in $(nm -u "$object" | awk '{ print $NF }'); do
    n_symbols=$((n_symbols + 1))
    has "$symbol" "$ALLOWED" || has "$symbol" "$defined" \
      || complain "$name calls $symbol"
  done
  size -A "$object" | awk '($1 ~ /^\.data(\.[^r].*)?$/ || $1 ~ /^\.bss/ || $1 ~ /^\.t(data|bss)/) && $2 > 0 { exit 1 }' \
    || complain "$name keeps state that can change"
done
for source in "$formulas"/*.c; do
  want=$(basename "$source" .c).o
  found=0
  for object in "$@"; do
    [ "$(basename "$object")" = "$want" ] && found=1
  done
  [ $found -eq 1 ] || complain "no object of $(basename "$source") was given"
done

[ $bad -eq 0 ] || exit 1
[ $n_symbols -gt 0 ] && [ $n_sources -gt 0 ] || { echo "purity: nothing was looked at" >&2; exit 1; }
echo "$n_sources sources, $# objects, $n_symbols calls: pure"
