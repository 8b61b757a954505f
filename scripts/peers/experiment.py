"""What all peers share: the data, the scales, the clock, the form of a line.

Three queries on the ages of experiments/data/ages.csv (their mean, their maximum, how many exceed 60) are answered with Laplace noise
under a total epsilon of 1, which is divided evenly or in proportion to the sensitivities. Of every trial the absolute errors of the
queries, the largest of them and their root mean square are recorded; of each of these ten rows the mean, the standard
deviation, a 95 % interval of the mean and six quantiles are computed.
"""
import csv
import pathlib
import statistics
import time

EPSILON = 1.0
TRIALS = 5000
ROOT = pathlib.Path(__file__).resolve().parents[2]
PERCENTILES = (5, 25, 50, 75, 95, 99)
NORMAL_975 = 1.959963984540054


def ages():
    with open(ROOT / "experiments" / "data" / "ages.csv", newline="") as file:
        return [float(row["age"]) for row in csv.DictReader(file)]


def sensitivities(records):
    return (120.0 / records, 120.0, 1.0)


def scales(records):
    """Scales of the noise: a row for the even split, a row for the proportional one."""
    delta = sensitivities(records)
    total = sum(delta)
    even = tuple(d / (EPSILON / 3) for d in delta)
    proportional = tuple(d / (EPSILON * d / total) for d in delta)
    return (even, proportional)


def seconds(call, calls, clock=time.process_time):
    """Median time of a call after one that is not timed."""
    call()
    taken = []
    for _ in range(calls):
        start = clock()
        call()
        taken.append(clock() - start)
    return statistics.median(taken)


def report(name, threads, trials, taken):
    per_trial, rate = taken / trials * 1e9, trials / taken
    print(f"seed\t{name}\tthreads={threads}\tN={trials}\tns/trial\t{per_trial:.3f}\ttrials/s\t{rate:.4e}", flush=True)


def report_sample(name, variates, taken):
    print(f"sample\t{name}\tns/sample\t{taken / variates * 1e9:.4f}", flush=True)
