import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recencyWindowOf } from '../../../../../web/map/canvas/marks/recency-window.ts'

const window = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
const seconds = (text: string) => Date.parse(text) / 1000

test('ages are relative to the window, which ends now at the latest; without one all are alike', () => {
  const now = Date.parse('2026-01-20T12:00:00Z')
  assert.deepEqual(recencyWindowOf({ window }, now), { from: seconds(window.from), to: now / 1000 })
  assert.deepEqual(recencyWindowOf({ window }, now * 2), { from: seconds(window.from), to: seconds(window.to) })
  assert.equal(recencyWindowOf({ window: null }, now), null)
  assert.equal(recencyWindowOf({ window }, 0), null)
})
