import fc from 'fast-check'
import type { OpenApiDocument, Schema } from '../openapi-document.ts'
import { anyValue, objectOf } from './any-value.ts'
import { listOf, mostly, sometimes } from './chance.ts'
import type { LearnedValues } from './learned-values.ts'
import { anyText, mutated } from './texts.ts'

/** The probability of a value at or just beyond a bound of its schema. */
const AT_BOUND = 0.06
/** The probability of a value that ignores the schema. */
const ANY_VALUE = 0.02
const OPTIONAL_FIELD = 0.4
const EXAMPLE = 0.35

const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [7, 10],
      [8, 10],
      [8, 11],
      [7, 11],
      [7, 10],
    ],
  ],
}
const ROUTE = {
  line: [
    [7.44, 10.52],
    [7.49, 9.06],
  ],
  buffer_km: 5,
}

/** Builds generators of values that mostly satisfy the schemas of the OpenAPI document. */
export class ValueGenerators {
  readonly #document: OpenApiDocument
  readonly #learned: LearnedValues
  readonly #examples: ReadonlyMap<string, string | readonly string[]>
  readonly #filter: fc.Arbitrary<unknown>

  constructor(document: OpenApiDocument, learned: LearnedValues) {
    this.#document = document
    this.#learned = learned
    const parameters = document.operations.flatMap((operation) => operation.parameters)
    this.#examples = new Map(parameters.flatMap(({ name, example }) => (example ? [[name, example] as const] : [])))
    this.#filter = filterFrom(this.#examples)
  }

  forSchema(reference: Schema, name = ''): fc.Arbitrary<unknown> {
    const schema = this.#document.resolve(reference)
    const usual = this.#usual(schema, name)
    if (schema.example === undefined) return mostly<unknown>(usual, [ANY_VALUE, anyValue])
    return mostly<unknown>(usual, [ANY_VALUE, anyValue], [EXAMPLE, fc.constant(schema.example)])
  }

  #usual(schema: Schema, name: string): fc.Arbitrary<unknown> {
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => this.forSchema(one, name)))
    if (schema.enum)
      return mostly<unknown>(fc.constantFrom(...schema.enum), [AT_BOUND, mutated(fc.constant(String(schema.enum[0])))])
    switch (schema.type) {
      case 'string':
        return this.#string(schema, name)
      case 'integer':
      case 'number':
        return numberFor(schema)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return this.#array(schema, name)
      case 'object':
        return this.#object(schema)
      default:
        return name === 'filter' ? this.#filter : anyValue
    }
  }

  #string({ format, minLength = 0, maxLength = 200, pattern }: Schema, name: string): fc.Arbitrary<string> {
    const lengths = [minLength, minLength - 1, maxLength, maxLength + 1].filter((length) => length >= 0)
    const atBound = fc
      .tuple(fc.constantFrom('x', 'é', '💥'), fc.constantFrom(...lengths))
      .map(([character, length]) => character.repeat(length))
    const valid = this.#validString(format, pattern, name)
    return mostly(valid, [AT_BOUND, atBound], [AT_BOUND, anyText], [AT_BOUND, mutated(valid)])
  }

  #validString(format: string | undefined, pattern: string | undefined, name: string): fc.Arbitrary<string> {
    const number = (max: number) => fc.integer({ min: 1, max })
    if (format === 'email') return number(1000).map((each) => `somebody-${each}@example.org`)
    if (format === 'date-time' || name.endsWith('_at'))
      return fc.integer({ min: -(10 ** 11), max: 10 ** 9 }).map((offset) => new Date(Date.now() + offset).toISOString())
    if (pattern !== undefined) return fc.constant('https://example.org')
    if (name === 'into') return this.#learned.oneOf('inc', fc.constant('inc_00000000000000000000000001'))
    if (name === 'since')
      return fc.tuple(number(60), fc.constantFrom('m', 'h', 'd', 'w')).map(([count, unit]) => `${count}${unit}`)
    const example = this.#examples.get(name)
    if (example === undefined) return number(1_000_000).map((each) => `Text ${each}`)
    return fc.constantFrom(...[example].flat())
  }

  #array({ items = {}, minItems = 0, maxItems = 5 }: Schema, name: string): fc.Arbitrary<unknown[]> {
    const item = this.forSchema(items, name)
    const lengths = [minItems - 1, maxItems, maxItems + 1].filter((length) => length >= 0)
    const atBound = fc.oneof(...lengths.map((length) => listOf(item, length, length)))
    return mostly(listOf(item, minItems, Math.max(minItems, Math.min(maxItems, 3))), [AT_BOUND / 3, atBound])
  }

  #object({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
    const names = Object.keys(properties)
    const fields = names.map((name) => {
      const field = this.forSchema(properties[name]!, name).map((value) => ({ name, value }))
      if (!required.includes(name)) return sometimes(OPTIONAL_FIELD, field)
      return mostly<typeof field extends fc.Arbitrary<infer Field> ? Field | undefined : never>(field, [
        AT_BOUND / 3,
        fc.constant(undefined),
      ])
    })
    const unknown = sometimes(AT_BOUND, fc.record({ name: anyText, value: anyValue }))
    return fc.tuple(...fields, unknown).map((given) => objectOf(given.filter((field) => field !== undefined)))
  }
}

/**
 * Generates watch filters, which the document only describes in words: list parameters and shapes.
 */
function filterFrom(examples: ReadonlyMap<string, string | readonly string[]>): fc.Arbitrary<unknown> {
  const field = fc.oneof(
    ...[...examples].map(([name, example]) => {
      const [first] = [example].flat()
      const asNumber = Number.isNaN(Number(first)) ? first : Number(first)
      const usual = fc.constantFrom<unknown>(example, asNumber)
      return mostly(usual, [AT_BOUND, anyValue], [0.15, fc.constant(first)]).map((value) => ({ name, value }))
    }),
  )
  const shape = fc.oneof(
    disturbed(POLYGON).map((value) => ({ name: 'polygon', value })),
    disturbed(ROUTE).map((value) => ({ name: 'route', value })),
  )
  return fc
    .tuple(listOf(field, 0, 3), sometimes(0.2, shape))
    .map(([fields, drawn]) => objectOf(drawn === undefined ? fields : [...fields, drawn]))
}

/** Generates the same structure in which any part may be wrong and any number may be shifted. */
function disturbed(value: unknown): fc.Arbitrary<unknown> {
  return mostly<unknown>(disturbedParts(value), [AT_BOUND, anyValue])
}

function disturbedParts(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map(disturbed))
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value)
    const fields = Object.values(value).map(disturbed)
    return fc.tuple(...fields).map((values) => objectOf(names.map((name, at) => ({ name, value: values[at] }))))
  }
  if (typeof value !== 'number') return fc.constant(value)
  const shifted = fc.double({ min: -500, max: 500, noNaN: true }).map((shift) => value + shift)
  return mostly(fc.constant(value), [0.1, shifted])
}

function numberFor({ type, minimum = -1000, maximum = 1000 }: Schema): fc.Arbitrary<number> {
  const atBound = fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, -0, 0.5, 2 ** 53, 1e308, 5e-324)
  const within =
    type === 'integer'
      ? fc.integer({ min: minimum, max: maximum })
      : fc.nat(1_000_000).map((share) => minimum + (share / 1_000_000) * (maximum - minimum))
  return mostly(within, [AT_BOUND, atBound])
}
