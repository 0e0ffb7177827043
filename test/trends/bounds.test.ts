import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countBounds, powerBounds } from '../../src/trends/model/bounds.ts'
import { countQuantile, upperTail } from '../../src/trends/probability/count-distribution.ts'
import { normalQuantile, normalUpperTail } from '../../src/trends/probability/normal.ts'
import { studentTwoSided } from '../../src/trends/probability/student.ts'

function near(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} instead of ${expected}`)
}

describe('known answers', () => {
  test("Farrington's bound by the power of 2/3", () => {
    const { upper, probability } = powerBounds({ mean: 5, standardError: 0.2, dispersion: 1 }, 8, 0.05)
    near(upper, 9.1154825, 5e-8)
    near(probability, 0.1094727, 5e-8)
  })

  test("Noufaily's negative binomial bound", () => {
    const { upper, probability } = countBounds({ mean: 5, dispersion: 1.5 }, 11, 0.05)
    assert.equal(upper, 10)
    near(probability, 0.03763657, 5e-9)
  })

  test("R's qnorm, pnorm, pt and ppois", () => {
    near(normalQuantile(0.975), 1.959963984540054, 1e-14)
    near(normalQuantile(1e-10), -6.361340902404056, 1e-13)
    near(normalUpperTail(1.5), 0.06680720126885807, 1e-15)
    near(normalUpperTail(-3), 0.9986501019683699, 1e-15)
    near(studentTwoSided(2, 10), 0.07338803477074037, 1e-14)
    near(upperTail({ mean: 3.5, dispersion: 1 }, 7), 0.06528809702895369, 1e-14)
  })
})

describe('quantiles of counts', () => {
  test('are the smallest counts that are not exceeded with the probability', () => {
    for (const mean of [0.01, 0.4, 3, 77, 4000, 250_000])
      for (const dispersion of [1, 1.001, 2.5, 40])
        for (const probability of [0.005, 0.05, 0.5, 0.95, 0.995]) {
          const found = countQuantile({ mean, dispersion }, probability)
          const exceeded = upperTail({ mean, dispersion }, found + 1)
          assert.ok(exceeded <= 1 - probability + 1e-9, `${found} is too small for ${mean}, ${dispersion}`)
          if (found === 0) continue
          assert.ok(upperTail({ mean, dispersion }, found) > 1 - probability - 1e-9, `${found} is too large`)
        }
  })
})
