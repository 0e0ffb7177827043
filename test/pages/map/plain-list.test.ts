import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import { loadLanguage } from '../../../src/i18n/load.ts'
import { plainList } from '../../../src/pages/map/plain-list.ts'
import { anIncident } from '../../support/incident.ts'

const ENGLISH = { ...(await loadLanguage('en')), inAddress: false }
const NOW = Date.UTC(2026, 5, 10, 12)

test('a row says when the event happened, not when it was published', () => {
  const incident = {
    ...anIncident(1),
    occurred_at: '2026-06-07T00:00:00Z',
    time_precision: 'day' as const,
    published_at: '2026-06-10T11:00:00Z',
  }
  const { text } = plainList([incident], NOW, ENGLISH)
  assert.match(text, /<time datetime="2026-06-07T00:00:00Z">3 days ago<\/time>/)
  assert.doesNotMatch(text, /1 h ago/)
})

test('a row names the killed, injured and abducted that are known, without zeros', () => {
  const rowOf = (casualties: Incident['casualties']) =>
    /row-meta.*/.exec(plainList([{ ...anIncident(1), casualties }], NOW, ENGLISH).text)![0]
  assert.match(rowOf({ killed: 2, injured: 0, abducted: 14 }), / · 2 killed, 14 abducted<\/span>/)
  assert.doesNotMatch(rowOf({ killed: null, injured: 0, abducted: null }), /killed|injured|abducted/)
})
