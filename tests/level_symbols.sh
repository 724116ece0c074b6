#!/bin/sh
# usage: level_symbols.sh NM LEVEL OBJECT
# An object built for one instruction set may define no symbol that another object could use instead of its own (the
# linker keeps one copy of an inline function, and may keep the one an old machine cannot run), and no start-up code.
nm=$1 level=$2
shift 2
symbols=$("$nm" -C --defined-only "$@") || exit 1
if [ -z "$symbols" ]; then
  echo "no symbols in $*"
  exit 1
fi
# Upper case, u, v, w: visible to others. DW.ref.* belongs to exception tables.
shared=$(echo "$symbols" | grep -E ' [A-TV-Zuvw] ' | grep -vE " [A-Zuvw] (DW\.ref\.|.*hecatomb::$level::)")
started=$("$nm" "$@" | grep -E '_GLOBAL__sub_I|__cxx_global_var_init')
if [ -n "$shared$started" ]; then
  printf 'symbols outside hecatomb::%s, or start-up code:\n%s\n%s\n' "$level" "$shared" "$started"
  exit 1
fi
