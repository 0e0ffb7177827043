import { logGamma } from './gamma.ts'

const TINY = 1e-300
const PRECISION = 4e-16
/** The fraction needs some multiples of √(a + b) terms; counts of incidents stay far below this. */
const MAX_TERMS = 100_000

/** The regularised incomplete beta function I_x(a, b), for positive a and b. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const factor = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  // The fraction converges fast below the mean only; the other side is its mirror.
  if (x < (a + 1) / (a + b + 2)) return (factor * betaFraction(x, a, b)) / a
  return 1 - (factor * betaFraction(1 - x, b, a)) / b
}

/** Lentz's method for the continued fraction. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let term = 1; term < MAX_TERMS; term++) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    value *= d * c
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return value
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
