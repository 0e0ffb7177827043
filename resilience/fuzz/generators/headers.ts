import { between, pick, type Random } from '../../../src/lib/random.ts'
import type { Known } from './learned-values.ts'
import { anyText, nearly } from './texts.ts'

export type Header = readonly [name: string, value: string]

const MOST = 3

/** Headers that mean something to the service, each with values that are right, nearly right or absurd. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '*/*',
    'application/json',
    'application/geo+json',
    'text/csv',
    'application/x-ndjson',
    'text/html',
    'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
    'application/*;q=0.5, text/csv;q=0',
    'text/event-stream',
    'image/png',
    ';q=',
    `${'a/b,'.repeat(500)}`,
  ],
  'accept-encoding': [
    'gzip',
    'br',
    'gzip, br',
    'deflate',
    'zstd',
    'identity',
    '*',
    '*;q=0',
    'gzip;q=0, *',
    'br;q=nonsense',
  ],
  'if-none-match': ['*', 'W/"1"', '"', '""', '"a", "b"'],
  'if-match': ['"1"', '"2"', '"3"', '*', 'W/"1"', '1', '"-1"', '"99999999999999999999"', '"1", "2"', '""'],
  'if-range': ['"1"', 'W/"1"', 'Thu, 01 Jan 1970 00:00:00 GMT', 'nonsense'],
  'if-modified-since': ['Thu, 01 Jan 2026 00:00:00 GMT', 'nonsense'],
  range: [
    'bytes=0-0',
    'bytes=0-99',
    'bytes=10-',
    'bytes=-10',
    'bytes=-0',
    'bytes=5-1',
    'bytes=0-0,2-3',
    'bytes=999999999999999999999-',
    'bytes=-999999999999999999999',
    'items=0-1',
    'bytes=',
    'bytes=a-b',
  ],
  'last-event-id': ['0', '1', '5', '-1', '1.5', '99999999', '99999999999999999999', 'abc', ''],
  'idempotency-key': ['one', 'two', 'three', '', 'x'.repeat(255), 'x'.repeat(256), 'with space', 'ü'],
  'content-type': [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'nonsense',
    '',
  ],
  origin: ['https://example.org', 'http://localhost', 'null', 'nonsense', ''],
  'sec-fetch-site': ['same-origin', 'cross-site'],
  'x-forwarded-for': ['203.0.113.7', '203.0.113.7, 10.0.0.1', '::1', 'nonsense', '', 'a'.repeat(500)],
  'x-forwarded-host': ['example.org', '"><script>', ''],
  'x-forwarded-proto': ['https', 'nonsense', 'https,http'],
  'x-request-id': ['mine', 'x'.repeat(300)],
  'x-http-method-override': ['DELETE'],
  host: ['example.org', 'example.org:99999', '[::1]', 'a b', '"><script>'],
  cookie: ['a=b; c=d', ';;;'],
  expect: ['100-continue', '200-maybe'],
  upgrade: ['websocket', 'h2c'],
  te: ['trailers'],
  'access-control-request-method': ['GET', 'DELETE'],
  'content-encoding': ['gzip', 'identity'],
}
const NAMES = Object.keys(HEADERS)

export function anyHeaders(random: Random, known: Known): Header[] {
  const count = Math.max(0, between(random, -2, MOST))
  return Array.from({ length: count }, () => anyHeader(random, known))
}

export function aHeader(name: keyof typeof HEADERS, random: Random): Header {
  return [name, sendable(pick(random, HEADERS[name]!))]
}

function anyHeader(random: Random, known: Known): Header {
  const name = pick(random, NAMES)
  const right = pick(random, HEADERS[name]!)
  const chance = random()
  if (name === 'idempotency-key' && chance < 0.6) return [name, `key-${between(random, 0, 1_000_000)}`]
  const etag = /^if-(none-match|match|range)$/.test(name) && chance < 0.5 ? known.one('etag', random) : undefined
  if (etag !== undefined) return [name, etag]
  if (chance < 0.8 || name === 'expect' || name === 'upgrade') return [name, sendable(right)]
  return [name, sendable(chance < 0.9 ? nearly(random, right) : anyText(random))]
}

/** What can stand in a header at all; the rest is for `raw.ts`. */
function sendable(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
