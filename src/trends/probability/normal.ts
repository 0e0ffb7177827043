import { incompleteGamma } from './gamma.ts'

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
