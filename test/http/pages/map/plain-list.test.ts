import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainList } from '../../../../src/http/pages/map/plain-list.ts'
import { anIncident } from '../../../support/incident.ts'

const NOW = Date.UTC(2026, 5, 10, 12)

test('a row says when the event happened, not when it was published', () => {
  const incident = {
    ...anIncident(1),
    occurred_at: '2026-06-07T00:00:00Z',
    time_precision: 'day' as const,
    published_at: '2026-06-10T11:00:00Z',
  }
  const { text } = plainList([incident], NOW)
  assert.match(text, /<time datetime="2026-06-07T00:00:00Z">3 days ago<\/time>/)
  assert.doesNotMatch(text, /1 h ago/)
})
