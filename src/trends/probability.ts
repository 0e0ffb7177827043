/** Slack for rounding, as R has it: a probability that equals the wanted one counts as reached. */
const FUZZ = 64 * Number.EPSILON

/**
 * Counts with this mean and a variance of `dispersion` times the mean: Poisson's distribution for
 * a dispersion of 1, a negative binomial one above it.
 */
export interface CountDistribution {
  readonly mean: number
  readonly dispersion: number
}

/** The probability of this count or more. */
export function upperTail({ mean, dispersion }: CountDistribution, count: number): number {
  if (count <= 0) return 1
  if (dispersion <= 1) return incompleteGamma(count, mean).lower
  return incompleteBeta(1 - 1 / dispersion, count, mean / (dispersion - 1))
}

/** The probability of this count or fewer. */
function lowerTail({ mean, dispersion }: CountDistribution, count: number): number {
  if (count < 0) return 0
  if (dispersion <= 1) return incompleteGamma(count + 1, mean).upper
  return incompleteBeta(1 / dispersion, mean / (dispersion - 1), count + 1)
}

/** The smallest count that is not exceeded with at least this probability. */
export function countQuantile(distribution: CountDistribution, probability: number): number {
  const { mean, dispersion } = distribution
  const wanted = probability * (1 - FUZZ)
  const isReached = (count: number) => lowerTail(distribution, count) >= wanted
  const guess = mean + normalQuantile(probability) * Math.sqrt(mean * dispersion)
  let high = Math.max(0, Math.round(guess))
  let step = 1
  while (!isReached(high)) {
    high += step
    step *= 2
  }
  let low = high
  for (step = 1; low >= 0 && isReached(low); step *= 2) low -= step
  // `low` is not reached (or is below 0), `high` is.
  low = Math.max(-1, low)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isReached(middle)) high = middle
    else low = middle
  }
  return high
}

/** The probability that Student's t is at least as far from 0 as this. */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)
}

/** The probability that a standard normal variable is above x. */
export function normalUpperTail(x: number): number {
  const half = incompleteGamma(0.5, (x * x) / 2)
  return x > 0 ? half.upper / 2 : 0.5 + half.lower / 2
}

type Polynomial = readonly number[]

/** Wichura's algorithm AS 241 (PPND16), which is R's `qnorm` too: exact to about 16 digits. */
const CENTRE: readonly [Polynomial, Polynomial] = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852546,
  ],
]
const MIDDLE: readonly [Polynomial, Polynomial] = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
]
const FAR: readonly [Polynomial, Polynomial] = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
]

/** The value that a standard normal variable stays below with this probability. */
export function normalQuantile(probability: number): number {
  const offset = probability - 0.5
  if (Math.abs(offset) <= 0.425) return offset * ratio(CENTRE, 0.180625 - offset * offset)
  const root = Math.sqrt(-Math.log(offset < 0 ? probability : 1 - probability))
  const distance = root <= 5 ? ratio(MIDDLE, root - 1.6) : ratio(FAR, root - 5)
  return offset < 0 ? -distance : distance
}

function ratio([above, below]: readonly [Polynomial, Polynomial], x: number): number {
  return evaluate(above, x) / evaluate(below, x)
}

function evaluate(coefficients: Polynomial, x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)
}

const TINY = 1e-300
/** Relative change by a term from which on an expansion has converged. */
const PRECISION = 4e-16
/** Expansions need some multiples of √shape terms; counts of incidents stay far below this. */
const MAX_TERMS = 100_000

/** The regularised incomplete beta function I_x(a, b), for positive a and b. */
function incompleteBeta(x: number, a: number, b: number): number {
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

/** Coefficients of Lanczos's approximation with g = 7; exact to about 15 digits. */
const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 0.000009984369578019572, 1.5056327351493116e-7,
]

/** The logarithm of the gamma function, for positive numbers. */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  const base = shifted + 7.5
  let sum = LANCZOS[0]!
  for (let index = 1; index < LANCZOS.length; index++) sum += LANCZOS[index]! / (shifted + index)
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum)
}

/** The regularised incomplete gamma functions: the lower one P(shape, x), and Q = 1 − P. */
function incompleteGamma(shape: number, x: number): { readonly lower: number; readonly upper: number } {
  if (x <= 0) return { lower: 0, upper: 1 }
  const factor = Math.exp(shape * Math.log(x) - x - logGamma(shape))
  if (x < shape + 1) {
    const lower = factor * lowerSeries(shape, x)
    return { lower, upper: 1 - lower }
  }
  const upper = factor * upperFraction(shape, x)
  return { lower: 1 - upper, upper }
}

function lowerSeries(shape: number, x: number): number {
  let term = 1 / shape
  let sum = term
  for (let index = 1; index < MAX_TERMS && term > (sum * PRECISION) / 4; index++) {
    term *= x / (shape + index)
    sum += term
  }
  return sum
}

/** Lentz's method for the continued fraction. */
function upperFraction(shape: number, x: number): number {
  let b = x + 1 - shape
  let c = 1 / Number.MIN_VALUE
  let d = 1 / b
  let value = d
  for (let index = 1; index < MAX_TERMS; index++) {
    const a = -index * (index - shape)
    b += 2
    d = 1 / (a * d + b)
    c = b + a / c
    value *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return value
}
