#!/bin/sh
# needs_libc_only.sh PROGRAM: fails if it needs a shared library other than glibc's own.
needed=$(ldd "$1") || exit 1
if echo "$needed" | grep -vE 'linux-vdso|ld-linux|/lib(c|m|dl|rt|pthread)\.so'; then
  echo "$1 needs the shared libraries above" >&2
  exit 1
fi
