"""One candidate of many by the exponential mechanism, in NumPy and in plain Python: by roulette, and by noise for every candidate.

Scores lie between 0 and 10, epsilon = delta = 1. "plain" is what one writes first, "best" is in place, with the fast generator.
"""
import bisect
import itertools
import math
import random

import numpy as np

import experiment

SLOPE = 0.5
SIZES = (1000, 100_000, 1_000_000)
DRAWS = 1 << 20


def report(kind, name, candidates, unit, value):
    print(f"{kind}\t{name}\tn={candidates}\t{unit}\t{value:.5f}", flush=True)


def single(name, candidates, call):
    calls = min(max(4_000_000 // candidates, 5), 501)
    report("choose", name, candidates, "ms", experiment.seconds(call, calls) * 1e3)


def python_loops(scores):
    def roulette():
        best = max(scores)
        cumulative = list(itertools.accumulate(math.exp(SLOPE * (score - best)) for score in scores))
        return bisect.bisect_right(cumulative, random.random() * cumulative[-1])

    def noisy_max():
        gumbel = (SLOPE * score - math.log(random.expovariate(1.0)) for score in scores)
        return max(enumerate(gumbel), key=lambda pair: pair[1])[0]

    return roulette, noisy_max


def numpy_plain(generator, scores):
    def roulette():
        weights = np.exp(SLOPE * (scores - scores.max()))
        return generator.choice(len(scores), p=weights / weights.sum())

    def noisy_max():
        return np.argmax(SLOPE * scores + generator.gumbel(size=len(scores)))

    return roulette, noisy_max


def numpy_best(generator, scores):
    work, cumulative = np.empty_like(scores), np.empty_like(scores)

    def roulette():
        np.subtract(scores, scores.max(), out=work)
        np.multiply(work, SLOPE, out=work)
        np.exp(work, out=work)
        np.cumsum(work, out=cumulative)
        return np.searchsorted(cumulative, generator.random() * cumulative[-1], side="right")

    def noisy_max():
        generator.standard_exponential(out=work)
        np.log(work, out=work)
        np.multiply(scores, SLOPE, out=cumulative)
        np.subtract(cumulative, work, out=work)
        return work.argmax()

    return roulette, noisy_max


if __name__ == "__main__":
    generator = np.random.Generator(np.random.SFC64(3))
    for candidates in SIZES:
        scores = 10 * generator.random(candidates)
        ways = {
            "plain Python": python_loops(scores.tolist()),
            "NumPy plain": numpy_plain(generator, scores),
            "NumPy best": numpy_best(generator, scores),
        }
        for program, (roulette, noisy_max) in ways.items():
            single(f"{program} roulette", candidates, roulette)
            single(f"{program} report-noisy-max", candidates, noisy_max)
        weights = np.exp(SLOPE * (scores - scores.max()))
        weights /= weights.sum()
        cumulative = np.cumsum(weights)
        for name, call in (
            ("NumPy choice", lambda: generator.choice(candidates, size=DRAWS, p=weights)),
            ("NumPy searchsorted", lambda: np.searchsorted(cumulative, generator.random(DRAWS), side="right")),
        ):
            report("draw", name, candidates, "ns", experiment.seconds(call, 3) / DRAWS * 1e9)
