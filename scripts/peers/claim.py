"""Is report-noisy-max far faster than roulette? Ratios round by round of the lines of scripts/bench-choosing, and a verdict.

    claim.py ROUNDS.tsv FILE

"Far faster" is read as: at least twice as fast. A program's verdict is `holds` if it is so in every round, `refuted` if in none, else
`undecided`; so is that of all programs together, at a million candidates.
"""
import collections
import pathlib
import statistics
import sys

FAR = 2.0
MANY = "n=1000000"


def verdict(factors):
    far = [factor >= FAR for factor in factors]
    return "holds" if all(far) else "undecided" if any(far) else "refuted"


def main(rounds, file):
    found = collections.defaultdict(dict)
    for line in pathlib.Path(rounds).read_text().splitlines():
        number, kind, name, setting, _, value = line.split("\t")
        for way in ("roulette", "report-noisy-max"):
            program, separator, level = name.partition(f" {way}")
            if kind == "choose" and separator:
                found[setting, program + level][number, way] = float(value)
    lines = ["candidates\tprogram\troulette over report-noisy-max\tleast\tmost\trounds\tverdict"]
    many = []
    for (setting, program), times in found.items():
        numbers = sorted({number for number, _ in times})
        factors = [times[number, "roulette"] / times[number, "report-noisy-max"] for number in numbers]
        middle = [f"{x:.3g}" for x in (statistics.median(factors), min(factors), max(factors))]
        lines.append("\t".join([setting[2:], program, *middle, str(len(factors)), verdict(factors)]))
        if setting == MANY:
            many += factors
    lines.append("\t".join([MANY[2:], "all", "", f"{min(many):.3g}", f"{max(many):.3g}", str(len(many)), verdict(many)]))
    text = "\n".join(lines) + "\n"
    pathlib.Path(file).write_text(text)
    print("\nC7: with millions of candidates report-noisy-max is far faster than roulette sampling\n" + text, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
