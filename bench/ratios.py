"""Medians of paired measurements, each with a bootstrap interval.

Runs are made in pairs, bare and supervised next to each other and each going
first every other time, so that what drifts (clock, cache, neighbours) falls on
both. The figure is the median over the pairs; its interval holds the middle
95 % of medians of resampled pairs.
"""

import random
import statistics

RESAMPLES = 4000


def median_interval(values):
    """{median, low, high} of a list of paired ratios or differences."""
    rng = random.Random(1)
    medians = sorted(statistics.median(rng.choices(values, k=len(values)))
                     for _ in range(RESAMPLES))
    return {"median": statistics.median(values),
            "low": medians[int(0.025 * RESAMPLES)],
            "high": medians[int(0.975 * RESAMPLES) - 1],
            "pairs": len(values)}
