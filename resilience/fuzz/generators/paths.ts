import fc from 'fast-check'
import type { Operation, Parameter } from '../openapi-document.ts'
import { mostly } from './chance.ts'
import type { LearnedValues } from './learned-values.ts'
import { anyText, mutated, mutation } from './texts.ts'

const OTHER_PATHS = [
  '/',
  '/docs',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/signup/x',
  '/map',
  '/v1',
  '/v1/',
  '/favicon.ico',
]

/** Tiles over Nigeria, except for the last. */
const TILES: readonly Readonly<Record<string, string>>[] = [
  { z: '0', x: '0', y: '0' },
  { z: '5', x: '16', y: '15' },
  { z: '8', x: '133', y: '120' },
  { z: '11', x: '1065', y: '964' },
  { z: '16', x: '34123', y: '30852' },
  { z: '17', x: '0', y: '0' },
]

const OTHER_PATH = 0.04

/** Generates the operation's path with its parameters filled in, or sometimes another path. */
export function pathFor(operation: Operation, learned: LearnedValues): fc.Arbitrary<string> {
  return mostly(operationPath(operation, learned, encoding), [OTHER_PATH, otherPath(operation)])
}

/** The path with its parameters filled in, each written by a function of `encodings`. */
export function operationPath(
  { path, parameters }: Operation,
  learned: LearnedValues,
  encodings: fc.Arbitrary<(valid: string) => string>,
): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const drawn = names.map((name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)!
    return fc.tuple(pathParameter(parameter, learned), encodings)
  })
  return fc.tuple(fc.constantFrom(...TILES), fc.tuple(...drawn)).map(([tile, values]) =>
    names.reduce((filled, name, at) => {
      const [value, encodeValue] = values[at]!
      return filled.replace(`{${name}}`, () => encodeValue(tile[name] ?? value))
    }, path),
  )
}

/** Encodes a valid parameter, or replaces it by a wrong one. */
const encoding: fc.Arbitrary<(valid: string) => string> = mostly<(valid: string) => string>(
  fc.constant(encode),
  [0.06, mutation.map((mutate) => (valid) => encode(mutate(valid)))],
  [0.03, anyText.map((text) => () => encode(text))],
  [0.03, anyText.map((text) => () => unencoded(text))],
)

/** Reads the kind of identifier from the example in the parameter's description. */
function pathParameter({ description }: Parameter, learned: LearnedValues): fc.Arbitrary<string> {
  const kind = /`([a-z]+)_[0-9a-z]+…`/.exec(description)?.[1]
  if (kind) {
    const unknown = fc.nat(99).map((number) => `${kind}_${String(number).padStart(26, '0')}`)
    return learned.oneOf(kind, unknown)
  }
  const examples = [...description.matchAll(/`([^`]+)`/g)].map(([, example]) => example!)
  if (examples.length === 0) return fc.constantFrom('Example Daily', 'Zamfara Herald')
  return fc
    .tuple(fc.constantFrom(...examples), monthText)
    .map(([example, month]) => example.replace(/\d{4}-\d{2}/, month))
}

/** Months around the present, 00 and 13 included. */
const monthText = fc
  .tuple(fc.integer({ min: 2024, max: 2027 }), fc.integer({ min: 0, max: 13 }))
  .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`)

function otherPath({ path }: Operation): fc.Arbitrary<string> {
  const similar = mutated(fc.constant(path.replaceAll(/[{}]/g, ''))).map((text) => unencoded(text).replace(/^\/?/, '/'))
  return mostly<string>(
    fc.constantFrom(...OTHER_PATHS),
    [0.3, similar],
    [0.3, anyText.map((text) => `/${unencoded(text)}`)],
  )
}

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Returns the bytes of the text without those that end the line or start the query or fragment. */
export function unencoded(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\x21-\xff]|[?#\x7f]/g, '')
}
