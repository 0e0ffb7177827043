import fc from 'fast-check'

const WEIGHT_OF_CERTAINTY = 10_000

/**
 * Generates one of the alternatives with its probability, and `usual` otherwise. A failing value
 * shrinks to `usual` first, so the reported request differs from a usual one only where it must.
 */
export function mostly<Value>(
  usual: fc.Arbitrary<Value>,
  ...alternatives: readonly (readonly [probability: number, values: fc.Arbitrary<Value>])[]
): fc.Arbitrary<Value> {
  const rest = alternatives.reduce((left, [probability]) => left - probability, 1)
  const weighted = [[rest, usual] as const, ...alternatives].map(([probability, arbitrary]) => ({
    arbitrary,
    weight: Math.round(probability * WEIGHT_OF_CERTAINTY),
  }))
  return fc.oneof({ withCrossShrink: true }, ...weighted)
}

/** Generates a value with the given probability, and undefined otherwise; shrinks to undefined. */
export function sometimes<Value>(probability: number, values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return mostly<Value | undefined>(fc.constant(undefined), [probability, values])
}

/** Arrays of any length between the bounds; by default fast-check prefers short ones. */
export function listOf<Value>(
  values: fc.Arbitrary<Value>,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<Value[]> {
  return fc.array(values, { minLength, maxLength, size: 'max' })
}
