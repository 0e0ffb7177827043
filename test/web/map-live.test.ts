import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConnectionState, type Freshness, freshnessOf, reconnectDelay } from '../../web/map/live/freshness.ts'
import { readEvents, type ServerEvent } from '../../web/map/live/read-events.ts'
import fc from '../support/fast-check.ts'

const FRESHNESS: [ConnectionState, number, boolean, Freshness][] = [
  ['streaming', 0, true, 'live'],
  ['streaming', 39_999, true, 'live'],
  ['streaming', 40_000, true, 'behind'],
  ['polling', 15_000, true, 'live'],
  ['connecting', 0, true, 'behind'],
  ['lost', 1000, true, 'behind'],
  ['lost', 90_000, true, 'offline'],
  ['streaming', 90_000, true, 'offline'],
  ['streaming', 0, false, 'offline'],
]
for (const [connection, silence, online, expected] of FRESHNESS) {
  test(`${connection}, ${silence} ms of silence, ${online ? 'online' : 'offline'}: ${expected}`, () =>
    assert.equal(freshnessOf(connection, 1000, 1000 + silence, 1000 + silence, online), expected))
}

test('a server that was cut off from its log is behind, though it sends heartbeats', () => {
  assert.equal(freshnessOf('streaming', 100_000, 60_001, 100_000, true), 'live')
  assert.equal(freshnessOf('streaming', 100_000, 60_000, 100_000, true), 'behind')
})

test('each reconnect delay is twice the one before, up to 30 seconds, less up to 30 % jitter', () => {
  const delays = [0, 1, 2, 3, 20].map((attempt) => reconnectDelay(attempt, 1000, () => 1))
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 30_000])
  assert.equal(
    reconnectDelay(0, 1000, () => 0),
    700,
  )
})

interface Result {
  readonly events: ServerEvent[]
  readonly retries: number[]
  chunks: number
}

async function read(chunks: readonly Uint8Array[]): Promise<Result> {
  const result: Result = { events: [], retries: [], chunks: 0 }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  await readEvents(body, {
    onChunk: () => {
      result.chunks++
    },
    onEvent: (event) => result.events.push(event),
    onRetry: (delayMs) => result.retries.push(delayMs),
  })
  return result
}

const readText = (text: string) => read([new TextEncoder().encode(text)])

const STREAMS: [string, string, ServerEvent[]][] = [
  ['an event with its id', 'event: a\nid: 7\ndata: {"x":1}\n\n', [{ event: 'a', id: '7', data: '{"x":1}' }]],
  ['several lines of data', 'data: one\ndata: two\n\n', [{ event: 'message', id: null, data: 'one\ntwo' }]],
  ['a heartbeat', ': still here\n\n', []],
  ['an event without data', 'event: a\nid: 1\n\n', []],
  [
    'an event that inherits the last id',
    'id: 4\ndata: a\n\ndata: b\n\n',
    [
      { event: 'message', id: '4', data: 'a' },
      { event: 'message', id: '4', data: 'b' },
    ],
  ],
  ['an id sent before its event', 'id: 5\n\ndata: a\n\n', [{ event: 'message', id: '5', data: 'a' }]],
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
  ['a value that begins with a space', 'data:  a\n\n', [{ event: 'message', id: null, data: ' a' }]],
  ['an event that is cut off', 'data: a\n', []],
]

for (const [what, text, events] of STREAMS) {
  test(`the reader handles ${what}`, async () => assert.deepEqual((await readText(text)).events, events))
}

test('a retry delay is reported only when it is a number', async () => {
  assert.deepEqual((await readText('retry: 2500\n')).retries, [2500])
  assert.deepEqual((await readText('retry: soon\n')).retries, [])
})

test('every chunk counts as a sign of life, a heartbeat too', async () => {
  const chunks = [': still here\n\n', 'data: a\n', '\n'].map((text) => new TextEncoder().encode(text))
  assert.equal((await read(chunks)).chunks, 3)
})

test('chunks cut at any byte give the same events', async () => {
  const line = fc.constantFrom('data: x', 'data:', 'event: a', 'id: 3', ': hush', '', '', 'data: ä\u2028b')
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const text = fc.array(fc.tuple(line, end), { maxLength: 30 }).map((lines) => lines.flat().join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(200), { maxLength: 8 }), async (whole, cuts) => {
      const bytes = new TextEncoder().encode(whole)
      const offsets = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((one, other) => one - other)]
      const chunks = offsets.map((offset, index) => bytes.slice(offset, offsets[index + 1]))
      assert.deepEqual((await read(chunks)).events, (await readText(whole)).events)
    }),
  )
})
