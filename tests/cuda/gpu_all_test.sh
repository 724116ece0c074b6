#!/bin/sh
# gpu_all_test.sh PATH-OF-gpu_all: what the script makes of programs that pass, fail and hang, played by stubs.
# shellcheck disable=SC2012,SC2016
set -eu
script=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/tests"
cp "$script" "$dir/tests/gpu_all"
printf '#!/bin/sh\n[ -z "${STUB_LOST:-}" ] || [ "$1" = info ] || exit 3\necho stub "$@"\ncase "$*" in "${STUB_FAILS:-nothing}"*) exit 1 ;; esac\n' >"$dir/tests/hecatomb"
printf '#!/bin/sh\n[ "$HECATOMB_REQUIRE_GPU" = 1 ]\n' >"$dir/tests/conformance_cuda"
printf '#!/bin/sh\necho a device\n' >"$dir/bin/nvidia-smi"
chmod +x "$dir"/tests/* "$dir"/bin/*
PATH=$dir/bin:/usr/bin:/bin
export PATH CUDA_PATH=/nowhere

fail() { echo "$1" >&2 && exit 1; }
cd "$dir"
tests/gpu_all passed >log || fail "all steps passed, and the script did not"
[ "$(ls passed | wc -l)" -le 8 ] || fail "more than 8 files"
grep -q '^bench .* passed$' passed/summary.txt || fail "the summary has no bench"
grep -q 'a device' passed/summary.txt || fail "the summary has no device"
STUB_FAILS='verify -v suicide' tests/gpu_all failed >log && fail "a step failed, and the script did not"
grep -q '^check suicide .* FAILED: exit status 1$' failed/summary.txt || fail "the summary does not name what failed"
grep -q '^bench .* passed$' failed/summary.txt || fail "a failed step kept the rest from running"
status=0
STUB_LOST=1 tests/gpu_all lost >log || status=$?
[ "$status" = 3 ] || fail "exit status $status without a device"
