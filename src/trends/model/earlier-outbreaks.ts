import type { Observations, QuasiPoissonFit } from './quasi-poisson.ts'

/**
 * Anscombe's residuals, standardised: about normal for counts that follow the model. An earlier
 * outbreak has a large one.
 */
export function anscombeResiduals(
  { counts }: Observations,
  { means, hatValues }: QuasiPoissonFit,
  dispersion: number,
): Float64Array {
  return means.map((mean, index) => {
    const residual = 1.5 * (counts[index]! ** (2 / 3) * mean ** (-1 / 6) - Math.sqrt(mean))
    return residual / Math.sqrt(dispersion * (1 - hatValues[index]!))
  })
}

/**
 * Gives counts with a residual above the threshold a weight of residual⁻², so that earlier
 * outbreaks raise the baseline less. The weights add up to the number of counts.
 */
export function outbreakWeights(residuals: Float64Array, threshold: number): Float64Array {
  const raw = residuals.map((residual) => (residual > threshold ? residual ** -2 : 1))
  const scale = raw.length / raw.reduce((sum, weight) => sum + weight, 0)
  return raw.map((weight) => weight * scale)
}
