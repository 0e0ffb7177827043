/**
 * Benjamini and Hochberg's step-up procedure: tells which of many tests to believe so that, on
 * average, at most `rate` of those believed are false. Among 37 states, 5 % of the single tests
 * would raise two false alarms every week.
 */
export function falseDiscoveryControl(probabilities: readonly number[], rate: number): boolean[] {
  const sorted = [...probabilities].sort((one, other) => one - other)
  let limit = -1
  for (const [rank, probability] of sorted.entries())
    if (probability <= (rate * (rank + 1)) / sorted.length) limit = probability
  return probabilities.map((probability) => probability <= limit)
}
