"""The experiment as it is usually written: a loop in plain Python, a draw per query and trial.

    plain.py            runs 5000 trials and prints the summaries, as a user would
    plain.py --time     prints how long that takes, without starting Python
"""
import sys

import numpy as np

import experiment


def queries(data):
    delta = experiment.sensitivities(len(data))
    return {
        "mean age": (lambda d: np.mean(d), delta[0]),
        "max age": (lambda d: np.max(d), delta[1]),
        "over 60": (lambda d: np.sum(d > 60), delta[2]),
    }


def allocations(asked):
    total = sum(delta for _, delta in asked.values())
    return {
        "even": {name: experiment.EPSILON / len(asked) for name in asked},
        "proportional": {name: experiment.EPSILON * delta / total for name, (_, delta) in asked.items()},
    }


def trial(data, asked, budget):
    errors = {}
    for name, (answer, delta) in asked.items():
        truth = answer(data)
        noisy = truth + np.random.laplace(0, delta / budget[name])
        errors[name] = abs(noisy - truth)
    values = list(errors.values())
    errors["largest"] = max(values)
    errors["rmse"] = np.sqrt(np.mean([e**2 for e in values]))
    return errors


def summary(values):
    values = np.asarray(values)
    mean, sd = values.mean(), values.std(ddof=1)
    half = experiment.NORMAL_975 * sd / np.sqrt(len(values))
    return mean, sd, (mean - half, mean + half), np.percentile(values, experiment.PERCENTILES)


def run(data, trials):
    asked = queries(data)
    results = {}
    for allocation, budget in allocations(asked).items():
        rows = {}
        for _ in range(trials):
            for name, error in trial(data, asked, budget).items():
                rows.setdefault(name, []).append(error)
        results[allocation] = {name: summary(values) for name, values in rows.items()}
    return results


if __name__ == "__main__":
    ages = np.array(experiment.ages())
    if "--time" in sys.argv:
        taken = experiment.seconds(lambda: run(ages, experiment.TRIALS), 3)
        experiment.report("plain Python loop", 1, experiment.TRIALS, taken)
    else:
        for allocation, rows in run(ages, experiment.TRIALS).items():
            for name, (mean, sd, interval, percentiles) in rows.items():
                print(allocation, name, mean, sd, *interval, *percentiles, sep=",")
