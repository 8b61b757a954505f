"""The experiment in numba, as an expert might write it: random numbers from a counter, a logarithm by polynomial, so that LLVM can turn
the loops into vector code, and quantiles from a histogram by the bits of the values."""
import math

import numba as nb
import numpy as np

import experiment

BLOCK = 1024
BITS = 7
LOWEST = 1023 - 32
OCTAVES = 64
SCALES = np.array(experiment.scales(len(experiment.ages())))

U = np.uint64
GOLDEN, FIRST, SECOND = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
ONE, MANTISSA = U(0x3FF0000000000000), U(0x000FFFFFFFFFFFFF)
ROOT_HALF = U(0x3FE6A09E667F3BCD)
CARRY = U(0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
S12, S27, S30, S31, S52 = U(12), U(27), U(30), U(31), U(52)
SHIFT = U(52 - BITS)
BASE = U(LOWEST << BITS)
LAST = U((OCTAVES << BITS) - 1)
LN2 = math.log(2.0)

# reassociation is not allowed: it would break the arithmetic on bits
FAST = {"contract", "nnan", "ninf", "nsz"}


@nb.njit(fastmath=FAST, error_model="numpy", cache=True)
def fill(counter, out, bits):
    """Exponential variates: SplitMix64 of consecutive counters, then minus the logarithm of a uniform number."""
    words = out.view(np.uint64)
    for i in range(out.shape[0]):
        z = (counter + U(i + 1)) * GOLDEN
        z = (z ^ (z >> S30)) * FIRST
        z = (z ^ (z >> S27)) * SECOND
        words[i] = ((z ^ (z >> S31)) >> S12) | ONE
    for i in range(out.shape[0]):
        out[i] = 2.0 - out[i]
    # u = 2^e * m with m between sqrt(1/2) and sqrt(2)
    for i in range(out.shape[0]):
        shifted = words[i] + CARRY
        bits[i] = np.int64(shifted >> S52) - 1023
        words[i] = (shifted & MANTISSA) + ROOT_HALF
    for i in range(out.shape[0]):
        m = out[i]
        s = (m - 1.0) / (m + 1.0)
        z = s * s
        # the series of 2 artanh(s)
        p = 1.0 / 19.0
        p = p * z + 1.0 / 17.0
        p = p * z + 1.0 / 15.0
        p = p * z + 1.0 / 13.0
        p = p * z + 1.0 / 11.0
        p = p * z + 1.0 / 9.0
        p = p * z + 1.0 / 7.0
        p = p * z + 1.0 / 5.0
        p = p * z + 1.0 / 3.0
        out[i] = -(bits[i] * LN2 + 2.0 * s * (1.0 + z * p))


@nb.njit(fastmath=FAST, error_model="numpy", cache=True)
def tally(row, places, histogram, sums):
    total = square = 0.0
    # vectorised sums need the freedom to reorder, which is given lane by lane
    lanes = np.zeros(16)
    for i in range(0, row.shape[0], 8):
        for lane in range(8):
            x = row[i + lane]
            lanes[lane] += x
            lanes[8 + lane] += x * x
    for lane in range(8):
        total += lanes[lane]
        square += lanes[8 + lane]
    sums[0] += total
    sums[1] += square
    words = row.view(np.uint64)
    for i in range(row.shape[0]):
        lead = words[i] >> SHIFT
        lead = max(lead, BASE) - BASE
        places[i] = min(lead, LAST)
    for i in range(row.shape[0]):
        histogram[places[i]] += 1


@nb.njit(fastmath=FAST, error_model="numpy", cache=True)
def simulate(trials, seed, scales, histogram, sums):
    """Shared rows: three of noise, two for each allocation."""
    noise = np.empty((3, BLOCK))
    bits = np.empty(BLOCK, np.int64)
    places = np.empty(BLOCK, np.uint64)
    row = np.empty(BLOCK)
    for first in range(0, trials, BLOCK):
        count = (min(BLOCK, trials - first) + 7) // 8 * 8
        for query in range(3):
            fill(seed + U(first + query * (1 << 40)), noise[query, :count], bits)
            tally(noise[query, :count], places, histogram[query], sums[query])
        for a in range(2):
            b0, b1, b2 = scales[a, 0], scales[a, 1], scales[a, 2]
            for i in range(count):
                row[i] = max(max(b0 * noise[0, i], b1 * noise[1, i]), b2 * noise[2, i])
            tally(row[:count], places, histogram[3 + 2 * a], sums[3 + 2 * a])
            for i in range(count):
                x, y, z = b0 * noise[0, i], b1 * noise[1, i], b2 * noise[2, i]
                row[i] = math.sqrt((x * x + y * y + z * z) * (1.0 / 3.0))
            tally(row[:count], places, histogram[4 + 2 * a], sums[4 + 2 * a])


def quantile(ends, percent, trials):
    rank = percent / 100 * (trials - 1)
    bin = int(np.searchsorted(ends, rank, side="right"))
    lead = np.array([bin, bin + 1], np.uint64) + BASE
    low, high = (lead << SHIFT).view(np.float64)
    before = ends[bin - 1] if bin else 0
    return low + (high - low) * (rank - before + 0.5) / (ends[bin] - before)


def run(seed, trials):
    histogram = np.zeros((7, OCTAVES << BITS), np.int32)
    sums = np.zeros((7, 2))
    simulate(trials, U(seed), SCALES, histogram, sums)
    rounded = (trials + 7) // 8 * 8
    results = []
    for (total, square), counts in zip(sums, histogram):
        mean = total / rounded
        sd = math.sqrt((square - total * mean) / (rounded - 1))
        half = experiment.NORMAL_975 * sd / math.sqrt(rounded)
        ends = np.cumsum(counts)
        results.append((mean, sd, mean - half, mean + half, [quantile(ends, p, rounded) for p in experiment.PERCENTILES]))
    return results


def check():
    """The means of the noise and of the largest errors are the exact ones, or the comparison would be worth nothing."""
    results = run(7, 1 << 20)
    for row, exact in ((0, 1.0), (1, 1.0), (2, 1.0), (3, 360.0249), (5, 222.0533)):
        mean, low, high = results[row][0], results[row][2], results[row][3]
        assert abs(mean - exact) < 2.5 * (high - low), (row, mean, exact)
    assert abs(results[0][4][2] - math.log(2)) < 0.01


if __name__ == "__main__":
    check()
    for trials, calls in ((5000, 201), (1 << 20, 7)):
        taken = experiment.seconds(lambda: run(1, trials), calls)
        experiment.report("numba expert", 1, trials, taken)
