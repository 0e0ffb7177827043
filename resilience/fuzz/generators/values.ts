import { between, pick, type Random } from '../../../src/lib/random.ts'
import type { Document, Schema } from '../openapi-document.ts'
import type { Known } from './learned-values.ts'
import { anyText, nearly } from './texts.ts'

/** How often a value lies on an edge of its schema or just beyond, or has nothing to do with it. */
const AT_EDGE = 0.06
const ANYTHING = 0.02
const OPTIONAL = 0.4
const EXAMPLE = 0.35
const DEEPEST = 1000

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

/** Values as the document's schemas have them, mostly. */
export class Values {
  readonly #document: Document
  readonly #known: Known
  readonly #examples: ReadonlyMap<string, string | readonly string[]>

  constructor(document: Document, known: Known) {
    this.#document = document
    this.#known = known
    const parameters = document.operations.flatMap((operation) => operation.parameters)
    this.#examples = new Map(parameters.flatMap(({ name, example }) => (example ? [[name, example] as const] : [])))
  }

  of(given: Schema, random: Random, name = ''): unknown {
    const schema = this.#document.resolve(given)
    if (random() < ANYTHING) return anyValue(random)
    if (schema.example !== undefined && random() < EXAMPLE) return schema.example
    if (schema.anyOf) return this.of(pick(random, schema.anyOf), random, name)
    if (schema.enum) return random() < AT_EDGE ? nearly(random, String(schema.enum[0])) : pick(random, schema.enum)
    switch (schema.type) {
      case 'string':
        return this.#string(schema, random, name)
      case 'integer':
      case 'number':
        return number(schema, random)
      case 'boolean':
        return random() < 0.5
      case 'null':
        return null
      case 'array':
        return this.#array(schema, random, name)
      case 'object':
        return this.#object(schema, random)
      default:
        return name === 'filter' ? this.#filter(random) : anyValue(random)
    }
  }

  #string({ format, minLength = 0, maxLength = 200, pattern }: Schema, random: Random, name: string): string {
    const chance = random()
    if (chance < AT_EDGE)
      return pick(random, ['x', 'é', '💥']).repeat(
        Math.max(0, pick(random, [minLength - 1, minLength, maxLength, maxLength + 1])),
      )
    if (chance < 2 * AT_EDGE) return anyText(random)
    const right = this.#rightString(format, pattern, random, name)
    return chance < 3 * AT_EDGE ? nearly(random, right) : right
  }

  #rightString(format: string | undefined, pattern: string | undefined, random: Random, name: string): string {
    if (format === 'email') return `somebody-${between(random, 1, 1000)}@example.org`
    if (format === 'date-time' || name.endsWith('_at'))
      return new Date(Date.now() + between(random, -(10 ** 11), 10 ** 9)).toISOString()
    if (pattern !== undefined) return 'https://example.org'
    if (name === 'into') return this.#known.one('inc', random) ?? 'inc_00000000000000000000000001'
    if (name === 'since') return `${between(random, 1, 60)}${pick(random, ['m', 'h', 'd', 'w'])}`
    const example = this.#examples.get(name)
    return example === undefined ? `Text ${between(random, 1, 1_000_000)}` : pick(random, [example].flat())
  }

  #array({ items = {}, minItems = 0, maxItems = 5 }: Schema, random: Random, name: string): unknown[] {
    const atEdge = random() < AT_EDGE / 3
    const length = atEdge
      ? Math.max(0, pick(random, [minItems - 1, maxItems, maxItems + 1]))
      : between(random, minItems, Math.min(maxItems, 3))
    return Array.from({ length }, () => this.of(items, random, name))
  }

  #object({ properties = {}, required = [] }: Schema, random: Random): Record<string, unknown> {
    const value: Record<string, unknown> = {}
    for (const [name, schema] of Object.entries(properties)) {
      if (random() < (required.includes(name) ? 1 - AT_EDGE / 3 : OPTIONAL)) value[name] = this.of(schema, random, name)
    }
    if (random() < AT_EDGE) setOwn(value, anyText(random), anyValue(random))
    return value
  }

  /** What the document describes in words alone: the parameters of the list, and shapes. */
  #filter(random: Random): unknown {
    const filter: Record<string, unknown> = {}
    for (let fields = between(random, 0, 3); fields > 0; fields--) {
      const name = pick(random, [...this.#examples.keys()])
      const example = this.#examples.get(name)!
      const [first] = [example].flat()
      filter[name] = random() < AT_EDGE ? anyValue(random) : random() < 0.5 ? example : nearlyNumber(random, first!)
    }
    const chance = random()
    if (chance < 0.1) filter.polygon = disturbed(POLYGON, random)
    else if (chance < 0.2) filter.route = disturbed(ROUTE, random)
    return filter
  }
}

/** A field of that name, whatever the name: `__proto__` too. */
function setOwn(value: Record<string, unknown>, name: string, field: unknown): void {
  Object.defineProperty(value, name, { value: field, enumerable: true, configurable: true, writable: true })
}

function number({ type, minimum = -1000, maximum = 1000 }: Schema, random: Random): number {
  if (random() < AT_EDGE)
    return pick(random, [minimum, maximum, minimum - 1, maximum + 1, -0, 0.5, 2 ** 53, 1e308, 5e-324])
  return type === 'integer' ? between(random, minimum, maximum) : minimum + random() * (maximum - minimum)
}

function nearlyNumber(random: Random, text: string): unknown {
  const value = Number(text)
  return Number.isNaN(value) || random() < 0.3 ? text : value
}

/** The same shape with one of its leaves put wrong, now and then. */
function disturbed(value: unknown, random: Random): unknown {
  if (random() < AT_EDGE) return anyValue(random)
  if (Array.isArray(value)) return value.map((item) => disturbed(item, random))
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && random() < 0.1 ? value + (random() - 0.5) * 1000 : value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, disturbed(field, random)]))
}

/** Any JSON at all, sometimes very deep or very large. */
function anyValue(random: Random): unknown {
  const chance = random()
  if (chance < 0.4) return anyText(random)
  if (chance < 0.6) return pick(random, [null, true, false, 0, -1, 1e308, 2 ** 64, 0.1, {}, [], [[]], [null]])
  if (chance < 0.7) return nested(between(random, 1, pick(random, [10, DEEPEST])), random() < 0.5)
  if (chance < 0.75) return Array.from({ length: between(random, 100, 20_000) }, (_, index) => index)
  const value: Record<string, unknown> = {}
  for (let fields = between(random, 0, 3); fields > 0; fields--) setOwn(value, anyText(random), anyText(random))
  return value
}

function nested(depth: number, asObject: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = asObject ? { a: value } : [value]
  return value
}
