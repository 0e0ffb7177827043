import fc from 'fast-check'
import { listOf, mostly } from './chance.ts'
import type { LearnedValues } from './learned-values.ts'
import { anyText, mutated } from './texts.ts'

export type Header = readonly [name: string, value: string]

const MAX_HEADERS = 3

/** Headers that the service reads, each with values that are valid, almost valid or absurd. */
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
/** Generates up to three random headers, and none in half of the cases. */
export function anyHeaders(learned: LearnedValues): fc.Arbitrary<Header[]> {
  const anyHeader = fc.oneof(...Object.keys(HEADERS).map((name) => anyHeaderNamed(name, learned)))
  return mostly<Header[]>(fc.constant([]), [0.5, listOf(anyHeader, 1, MAX_HEADERS)])
}

/** Generates the header with one of the values in the table. */
export function headerNamed(name: keyof typeof HEADERS): fc.Arbitrary<Header> {
  return fc.constantFrom(...HEADERS[name]!).map((value) => [name, sendable(value)])
}

function anyHeaderNamed(name: string, learned: LearnedValues): fc.Arbitrary<Header> {
  const listed = fc.constantFrom(...HEADERS[name]!)
  return valuesFor(name, listed, learned).map((value) => [name, sendable(value)])
}

function valuesFor(name: string, listed: fc.Arbitrary<string>, learned: LearnedValues): fc.Arbitrary<string> {
  // With other values of these two, Node waits for a 100 or hands the socket over.
  if (name === 'expect' || name === 'upgrade') return listed
  const wrong = [[0.1, mutated(listed)] as const, [0.1, anyText] as const]
  if (name === 'idempotency-key') {
    const fresh = fc.nat(1_000_000).map((number) => `key-${number}`)
    return mostly(listed, [0.6, fresh], ...wrong)
  }
  if (/^if-(none-match|match|range)$/.test(name)) return mostly(listed, [0.5, learned.oneOf('etag', listed)], ...wrong)
  return mostly(listed, ...wrong)
}

/** Removes what no header can carry; `raw-socket.ts` sends such bytes. */
function sendable(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
