import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expression } from '@maplibre/maplibre-gl-style-spec'
import type { ExpressionSpecification } from 'maplibre-gl'
import { shortCount } from '../../../../../src/pages/marks.ts'
import { heatWeight } from '../../../../../web/map/canvas/layers/heat.ts'
import { COUNT_TEXT, IS_BADGE, IS_CLUSTER, IS_DOT, recencyOf } from '../../../../../web/map/canvas/layers/marks.ts'

const evaluate = (given: ExpressionSpecification | string, properties: Record<string, unknown>) => {
  const created = expression.createExpression(given, 'layers[0].filter')
  assert.equal(created.result, 'success')
  return created.result === 'success' && created.value.evaluate({ zoom: 5 }, { type: 1, properties } as never)
}

test('each feature of a tile is drawn as a dot, a cluster or a badge, never as two', () => {
  const kindsOf = (properties: Record<string, unknown>) =>
    Object.entries({ dot: IS_DOT, cluster: IS_CLUSTER, badge: IS_BADGE })
      .filter(([, filter]) => evaluate(filter, properties))
      .map(([kind]) => kind)
  const area = { state_code: 'NG-BO' }
  assert.deepEqual(kindsOf({ id: 'inc_1', precision: 'settlement', ...area }), ['dot'])
  assert.deepEqual(kindsOf({ id: 'inc_1', precision: 'state', ...area }), ['badge'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 0, ...area }), ['cluster'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 2, ...area }), ['cluster'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 3, ...area }), ['badge'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 3 }), ['cluster'])
})

test('a count has at most four characters', () => {
  const texts = [1, 384, 999, 1000, 1249, 9949, 9950, 999_499, 999_500, 1_300_000, 12_000_000]
  assert.deepEqual(
    texts.map((count) => evaluate(COUNT_TEXT, { count })),
    ['1', '384', '999', '1k', '1.2k', '9.9k', '10k', '999k', '1M', '1.3M', '12M'],
  )
  assert.equal(evaluate(COUNT_TEXT, { id: 'inc_1' }), '1')
})

test('the server’s maps write a count as the tiles do', () => {
  for (const edge of [1, 384, 1000, 1250, 9950, 10_000, 99_500, 999_500, 1_000_000, 1_250_000, 9_950_000])
    for (const count of [edge - 1, edge, edge + 1])
      assert.equal(shortCount(count), evaluate(COUNT_TEXT, { count }), String(count))
})

test('heat is linear in the count: a hundred incidents weigh as much in one mark as in a hundred', () => {
  const weightOf = (properties: Record<string, unknown>) => Number(evaluate(heatWeight(500), properties))
  assert.ok(Math.abs(weightOf({ count: 100 }) - 100 * weightOf({ id: 'inc_1' })) < 1e-12)
})

test('a mark is the quieter the older its newest incident is, relative to the window', () => {
  const recency = recencyOf({ from: 1000, to: 2000 })
  const of = (properties: Record<string, unknown>) => evaluate(recency, properties)
  assert.deepEqual([of({ occurred_at: 500 }), of({ occurred_at: 1500 }), of({ occurred_at: 1900 })], ['0', '1', '2'])
  assert.equal(of({ newest_occurred_at: 1900 }), '2')
  assert.equal(recencyOf(null), '2')
})
