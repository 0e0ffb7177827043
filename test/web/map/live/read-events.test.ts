import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SseParser } from '../../../../web/map/live/read-events.ts'

const CASES: [string, string, { event: string; id: string | null; data: string }[]][] = [
  ['an event with its id', 'event: a\nid: 7\ndata: {"x":1}\n\n', [{ event: 'a', id: '7', data: '{"x":1}' }]],
  ['several lines of data', 'data: one\ndata: two\n\n', [{ event: 'message', id: null, data: 'one\ntwo' }]],
  ['a heartbeat', ': still here\n\n', []],
  ['an event without data', 'event: a\nid: 1\n\n', []],
  [
    'an id that goes on counting',
    'id: 4\ndata: a\n\ndata: b\n\n',
    [
      { event: 'message', id: '4', data: 'a' },
      { event: 'message', id: '4', data: 'b' },
    ],
  ],
  [
    'carriage returns',
    'data: a\r\n\r\ndata: b\r\rdata: c\n\n',
    [
      { event: 'message', id: null, data: 'a' },
      { event: 'message', id: null, data: 'b' },
      { event: 'message', id: null, data: 'c' },
    ],
  ],
  ['a field without a value', 'data\n\n', [{ event: 'message', id: null, data: '' }]],
  ['a byte order mark', '\uFEFFdata: a\n\n', [{ event: 'message', id: null, data: 'a' }]],
  ['only one space taken off', 'data:  a\n\n', [{ event: 'message', id: null, data: ' a' }]],
  ['an event that is cut off', 'data: a\n', []],
]

for (const [what, text, events] of CASES) {
  test(`the parser reads ${what}`, () => assert.deepEqual(new SseParser().push(text).events, events))
}

test('how long to wait is read, and what is no number is not', () => {
  assert.equal(new SseParser().push('retry: 2500\n').retry, 2500)
  assert.equal(new SseParser().push('retry: soon\n').retry, null)
})

test('wherever the text is cut, the same events come out', () => {
  const line = fc.constantFrom('data: x', 'data:', 'event: a', 'id: 3', ': hush', '', '', 'data: ä\u2028b')
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const text = fc.array(fc.tuple(line, end), { maxLength: 30 }).map((lines) => lines.flat().join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (whole, cuts) => {
      const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((one, other) => one - other)]
      const parser = new SseParser()
      const pieces = places.map((place, index) => whole.slice(place, places[index + 1]))
      // Whether a last carriage return ends a line is known only once something follows it.
      const events = [...pieces, 'x'].flatMap((piece) => parser.push(piece).events)
      assert.deepEqual(events, new SseParser().push(`${whole}x`).events)
    }),
  )
})
