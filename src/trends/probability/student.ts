import { incompleteBeta } from './beta.ts'

/** The probability that Student's t is at least as far from 0 as this. */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)
}
