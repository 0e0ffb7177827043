import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_COMPARISONS, positionsIn, WorkLimit } from '../../../src/archive/query/matches.ts'
import { Problem } from '../../../src/domain/errors.ts'
import { EVERYTHING } from '../../../src/filter/filter.ts'
import { MAX_POINTS, MAX_POSITIONS } from '../../../src/filter/parse-shapes.ts'
import { regionOf, routeOf } from '../../../src/filter/shapes.ts'

const region = regionOf([[Float64Array.of(7, 9, 8, 9, 8, 10, 7, 9)]])
const route = routeOf(Float64Array.of(7, 9, 8, 10), 5)
const filter = { ...EVERYTHING, region, route }

test('a question may compare so many incidents with so many positions, and no more', () => {
  assert.equal(positionsIn(filter), 6)
  const work = new WorkLimit(filter, 6000)
  work.countCompared(1000)
  assert.throws(
    () => work.countCompared(1),
    (error) => error instanceof Problem && error.code === 'too_much_work' && /6 for each incident/.test(error.message),
  )
})

test('the largest shapes may be compared with a million incidents', () => {
  assert.ok(1_000_000 * (MAX_POSITIONS + MAX_POINTS) <= MAX_COMPARISONS)
})

test('a question without a shape has no limit', () => {
  new WorkLimit(EVERYTHING, 10).countCompared(1_000_000_000)
})
