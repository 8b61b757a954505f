"""The experiment in NumPy, as fast as we could make it: SFC64, exponentials by ziggurat (the absolute value of Laplace noise is
exponential), noise shared by both allocations, blocks that fit the cache, everything in place, and the vectorised sort."""
import math

import numpy as np

import experiment

BLOCK = 4096
SCALES = np.array(experiment.scales(len(experiment.ages())))


def summaries(rows):
    trials = rows.shape[1]
    mean, sd = rows.mean(axis=1), rows.std(axis=1, ddof=1)
    half = experiment.NORMAL_975 * sd / math.sqrt(trials)
    rows.sort(axis=1)
    rank = np.array(experiment.PERCENTILES) / 100 * (trials - 1)
    below = rank.astype(int)
    low, high = rows[:, below], rows[:, np.minimum(below + 1, trials - 1)]
    return mean, sd, mean - half, mean + half, low + (high - low) * (rank - below)


def run(generator, trials):
    rows = np.empty((10, trials))
    noise = np.empty((3, BLOCK))
    for first in range(0, trials, BLOCK):
        count = min(BLOCK, trials - first)
        drawn = noise if count == BLOCK else np.empty((3, count))
        generator.standard_exponential(out=drawn)
        for allocation in range(2):
            mine = rows[5 * allocation : 5 * allocation + 5, first : first + count]
            errors = mine[:3]
            np.multiply(drawn, SCALES[allocation][:, None], out=errors)
            np.maximum(np.maximum(errors[0], errors[1]), errors[2], out=mine[3])
            np.einsum("ij,ij->j", errors, errors, out=mine[4])
            mine[4] /= 3
            np.sqrt(mine[4], out=mine[4])
    return summaries(rows)


if __name__ == "__main__":
    generator = np.random.Generator(np.random.SFC64(1))
    variates = np.empty(1 << 20)
    taken = experiment.seconds(lambda: generator.laplace(size=1 << 20), 7)
    experiment.report_sample("NumPy laplace, SFC64", 1 << 20, taken)
    taken = experiment.seconds(lambda: generator.standard_exponential(out=variates), 7)
    experiment.report_sample("NumPy standard_exponential, SFC64", 1 << 20, taken)
    for trials, calls in ((5000, 51), (1 << 20, 5)):
        taken = experiment.seconds(lambda: run(generator, trials), calls)
        experiment.report("NumPy best", 1, trials, taken)
