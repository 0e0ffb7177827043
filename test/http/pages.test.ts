import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../src/http/pages/html.ts'
import { ago } from '../../src/lib/time/ago.ts'

test('whatever is put into markup is escaped, markup itself is not', () => {
  assert.equal(
    html`<a title="${'"><b>'}">${html`<i>${"it's"}</i>`}${[1, '<']}${null}</a>`.text,
    '<a title="&quot;&gt;&lt;b&gt;"><i>it&#39;s</i>1&lt;</a>',
  )
})

test('ages are said as a reader would', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  const cases = {
    '2026-11-15T11:59:30Z': 'just now',
    '2026-11-15T11:55:00Z': '5 min ago',
    '2026-11-15T10:00:00Z': '2 h ago',
    '2026-11-12T12:00:00Z': '3 days ago',
    '2020-01-01T00:00:00Z': 'on 2020-01-01',
    '2026-11-15T12:05:00Z': 'just now',
  }
  for (const [time, expected] of Object.entries(cases)) assert.equal(ago(time, now), expected)
})
