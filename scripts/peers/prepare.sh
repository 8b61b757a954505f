# Sourced by the benchmarks, with $root set: a place to work in ($work) and a Python with what the peers need ($python).
if [ -n "${PEERS_WORK:-}" ]; then
  work=$PEERS_WORK
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
python=$work/venv/bin/python
if [ ! -x "$python" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --requirement "$root/scripts/peers/requirements.txt"
fi
export PYTHONDONTWRITEBYTECODE=1 NUMBA_CACHE_DIR=$work/numba
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# the program of a benchmark of the runner, built
bench_of() {
  cargo bench --quiet -p epsweep --bench "$1" --no-run --message-format json | "$python" -c 'import json, sys
found = [m["executable"] for m in map(json.loads, sys.stdin) if m.get("executable") and m["target"]["name"] == sys.argv[1]]
print(found[-1])' "$1"
}
