"""Medians over the rounds, and ratios taken round by round, of the lines of scripts/bench-peers.

    ratios.py ROUNDS.tsv DIRECTORY NAME

Writes DIRECTORY/NAME.tsv and DIRECTORY/machine.txt.
"""
import collections
import pathlib
import platform
import statistics
import sys


def key_and_value(fields):
    kind = fields[0]
    if kind == "sample":
        return (kind, "", fields[1]), float(fields[3])
    if kind == "seed":
        return (kind, f"{fields[3]} {fields[2]}", fields[1]), float(fields[5])
    return (kind, fields[2], fields[1]), float(fields[4])


def ours(name, kind):
    if kind == "sample":
        return name.startswith("epsweep laplace")
    if kind in ("choose", "draw"):
        return name.startswith(("epsweep roulette", "epsweep alias table"))
    return name.startswith("epsweep log-hist [") or kind == "process" and name.startswith("epsweep")


def machine():
    model = platform.processor() or platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        model = f"{names[0]}, {len(names)} processors" if names else model
    except OSError:
        pass
    return f"processor: {model}\nsystem: {platform.system()} {platform.release()}\npython: {platform.python_version()}\n"


def main(rounds, directory, file):
    found = collections.OrderedDict()
    for line in pathlib.Path(rounds).read_text().splitlines():
        number, *fields = line.split("\t")
        key, value = key_and_value(fields)
        found.setdefault(key, {})[number] = value
    units = {"sample": "ns/variate", "seed": "ns/trial", "process": "ms", "choose": "ms/draw", "draw": "ns/draw"}
    table = ["kind\tsetting\tname\tunit\tmedian\tmin\tmax\trounds\ttimes_ours"]
    for section in dict.fromkeys(key[:2] for key in found):
        rows = {key[2]: values for key, values in found.items() if key[:2] == section}
        candidates = [name for name in rows if ours(name, section[0])]
        # of several instruction sets, the fastest
        reference = min(candidates, key=lambda n: statistics.median(rows[n].values()), default=None)
        for name, values in sorted(rows.items(), key=lambda item: statistics.median(item[1].values())):
            ratio = ""
            if reference is not None:
                common = [values[r] / rows[reference][r] for r in values if r in rows[reference]]
                ratio = f"{statistics.median(common):.3g}"
            numbers = values.values()
            table.append(
                "\t".join(
                    [section[0], section[1], name, units[section[0]]]
                    + [f"{x:.5g}" for x in (statistics.median(numbers), min(numbers), max(numbers))]
                    + [str(len(values)), ratio]
                )
            )
    text = "\n".join(table) + "\n"
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{file}.tsv").write_text(text)
    (directory / "machine.txt").write_text(machine())
    widths = [max(map(len, column)) for column in zip(*(line.split("\t") for line in table))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line.split("\t"), widths)).rstrip())


if __name__ == "__main__":
    main(*sys.argv[1:])
