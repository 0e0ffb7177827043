/** Coefficients of Lanczos's approximation with g = 7; exact to about 15 digits. */
const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 0.000009984369578019572, 1.5056327351493116e-7,
]

/** The logarithm of the gamma function, for positive numbers. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const shifted = x - 1
  const base = shifted + 7.5
  let sum = LANCZOS[0]!
  for (let index = 1; index < LANCZOS.length; index++) sum += LANCZOS[index]! / (shifted + index)
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum)
}

const PRECISION = 1e-16
/** Both expansions need some multiples of √shape terms; counts of incidents stay far below this. */
const MAX_TERMS = 100_000

/** The regularised incomplete gamma functions: the lower one P(shape, x), and Q = 1 − P. */
export function incompleteGamma(shape: number, x: number): { readonly lower: number; readonly upper: number } {
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
  for (let index = 1; index < MAX_TERMS && term > sum * PRECISION; index++) {
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
    if (Math.abs(d * c - 1) < PRECISION * 4) break
  }
  return value
}
