import fc from 'fast-check'
import { listOf, mostly } from './chance.ts'
import { anyText } from './texts.ts'

/** A value this deep can still be serialised; `bodies.ts` writes deeper ones as text. */
const MAX_DEPTH = 1000

/** Builds an object with own fields of any name, `__proto__` included. */
export function objectOf(fields: Iterable<{ name: string; value: unknown }>): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const { name, value } of fields)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  return object
}

const simple = fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, 2 ** 64, 0.1, {}, [], [[]], [null])
const nested = fc
  .tuple(fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: MAX_DEPTH })), fc.boolean())
  .map(([depth, asObject]) => {
    let value: unknown = 1
    for (let level = 0; level < depth; level++) value = asObject ? { a: value } : [value]
    return value
  })
const longArray = fc.integer({ min: 100, max: 20_000 }).map((length) => Array.from({ length }, (_, index) => index))
const object = listOf(fc.record({ name: anyText, value: anyText }), 0, 3).map(objectOf)

/** Any JSON value, sometimes very deep or very large. */
export const anyValue: fc.Arbitrary<unknown> = mostly<unknown>(
  simple,
  [0.4, anyText],
  [0.1, nested],
  [0.05, longArray],
  [0.25, object],
)
