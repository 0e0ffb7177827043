import fc from 'fast-check'
import type { Operation } from '../openapi-document.ts'
import { mostly, sometimes } from './chance.ts'
import type { ValueGenerators } from './values.ts'

const MALFORMED = 0.05
const MISSING = 0.06
/** The probability of a body on an operation that takes none. */
const UNEXPECTED = 0.15
const BYTES_OVER_LIMIT = 256 * 1024 + 1
const MAX_DEPTH = 120_000

/** Generates a request body, usually valid JSON for the operation; undefined for no body. */
export function bodyFor(
  operation: Operation,
  values: ValueGenerators,
  urls: readonly string[],
): fc.Arbitrary<Buffer | undefined> {
  if (operation.body === null) {
    const body = fc.constantFrom(...['{}', '""', '[]', 'null'].map((text) => Buffer.from(text)))
    return sometimes(UNEXPECTED, body)
  }
  const text = fc
    .tuple(values.forSchema(operation.body), fc.constantFrom(...urls), sometimes(0.2, fc.constant(true)))
    .map(([value, url, mayKeepUrl]) => JSON.stringify(withLocalUrl(value, url, mayKeepUrl === true)))
  const body = mostly<Buffer>(
    text.map((valid) => Buffer.from(valid)),
    [MALFORMED, fc.tuple(text, malformation).map(([valid, spoil]) => spoil(valid))],
  )
  return mostly<Buffer | undefined>(body, [MISSING, fc.constant(undefined)])
}

/** Replaces any URL that could be posted to, so that nothing leaves this machine. */
function withLocalUrl(value: unknown, url: string, mayKeepUrl: boolean): unknown {
  if (typeof value !== 'object' || value === null || !('url' in value)) return value
  const isHarmless = typeof value.url !== 'string' || !/^\s*https?:/i.test(value.url)
  return isHarmless && mayKeepUrl ? value : { ...value, url }
}

type Malformation = (text: string) => Buffer

const position = fc.nat(9999)
const malformation: fc.Arbitrary<Malformation> = fc.oneof(
  position.map(
    (at): Malformation =>
      (text) =>
        Buffer.from(text.slice(0, at % (text.length + 1))),
  ),
  position.map(
    (at): Malformation =>
      (text) => {
        const split = at % (text.length + 1)
        const invalidUtf8 = Buffer.from([0xff, 0xc0, 0x80])
        return Buffer.concat([Buffer.from(text.slice(0, split)), invalidUtf8, Buffer.from(text.slice(split))])
      },
  ),
  fc.constant<Malformation>((text) => Buffer.from(`\ufeff${text}`)),
  fc.constant<Malformation>((text) => Buffer.from(`${text}${text}`)),
  fc.constant<Malformation>(() => Buffer.from(`{"padding":"${'x'.repeat(BYTES_OVER_LIMIT)}"}`)),
  fc.integer({ min: 1, max: MAX_DEPTH }).map(
    (depth): Malformation =>
      (text) =>
        withNesting(text, depth),
  ),
  fc.constant<Malformation>((text) => Buffer.from(text.replace(/\d+/, '1e999'))),
  fc.constant<Malformation>((text) => Buffer.from(text.replace('{', '{"a":1,"a":2,"__proto__":{"polluted":true},'))),
)

/** Puts nested arrays into the text: JSON.stringify would overflow the stack at this depth. */
function withNesting(text: string, depth: number): Buffer {
  const nested = '['.repeat(depth) + ']'.repeat(depth)
  return Buffer.from(text.includes(':') ? text.replace(/:("[^"]*"|[\d.]+|null)/, `:${nested}`) : nested)
}
