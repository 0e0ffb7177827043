import { between, pick, type Random, seededRandom } from '../../../src/lib/random.ts'
import type { Document, Operation, Parameter } from '../openapi-document.ts'
import { bodyFor } from './bodies.ts'
import { aHeader, anyHeaders, type Header } from './headers.ts'
import type { KeyRing } from './keys.ts'
import type { Known } from './learned-values.ts'
import { anyText, nearly } from './texts.ts'
import { Values } from './values.ts'

export interface FuzzRequest {
  readonly number: number
  /** What the document says is at that path by that method; null where it says nothing. */
  readonly operation: Operation | null
  readonly method: string
  /** Path and query as they go over the wire, one byte a character. */
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer | null
  /** Whether to leave before the answer has come to its end. */
  readonly leaves: boolean
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
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

/** Over Nigeria, but for the last. */
const TILES: readonly Readonly<Record<string, string>>[] = [
  { z: '0', x: '0', y: '0' },
  { z: '5', x: '16', y: '15' },
  { z: '8', x: '133', y: '120' },
  { z: '11', x: '1065', y: '964' },
  { z: '16', x: '34123', y: '30852' },
  { z: '17', x: '0', y: '0' },
]

/** How often. */
const ELSEWHERE = 0.04
const OTHER_METHOD = 0.04
const AS_HEAD = 0.03
const WRONG_PATH_PARAMETER = 0.12
/** A parameter; of those that only go together with others, or with few, more. */
const GIVEN = 0.1
const REQUIRED = 0.98
const GIVEN_OF_FEW = 0.8
const CURSOR = 0.15
const REPEATED = 0.02
const UNKNOWN_PARAMETER = 0.02
const RAW_QUERY = 0.02
const LEAVES = 0.04
const AGAIN = 0.1
/** For an answer that can be given in part, and a stream that can be gone on with. */
const RANGE = 0.5

/** Draws requests from the document; each number has its own, whatever came before, but for what was learned from answers. */
export class Requests {
  readonly #seed: number
  readonly #document: Document
  readonly #known: Known
  readonly #keys: KeyRing
  readonly #values: Values
  readonly #urls: readonly string[]

  constructor(seed: number, document: Document, known: Known, keys: KeyRing, urls: readonly string[]) {
    this.#seed = seed
    this.#document = document
    this.#known = known
    this.#keys = keys
    this.#values = new Values(document, known)
    this.#urls = urls
  }

  at(number: number): FuzzRequest {
    const random = seededRandom(this.#seed * 2 ** 20 + number)
    const operation = pick(random, this.#document.operations)
    const again = random() < AGAIN ? this.#known.one(`again ${operation.id}`, random) : undefined
    return again === undefined ? this.#new(number, operation, random) : this.#again(number, operation, again, random)
  }

  /** Something that was answered before, asked for as whoever kept the answer would. */
  #again(number: number, operation: Operation, etagAndTarget: string, random: Random): FuzzRequest {
    const [etag, target] = etagAndTarget.split(' ') as [string, string]
    const headers = this.#headers(operation, null, random).filter(([name]) => name !== 'if-none-match')
    const conditional = [...headers, ['if-none-match', etag] as const]
    return { number, operation, method: operation.method, target, headers: conditional, body: null, leaves: false }
  }

  #new(number: number, operation: Operation, random: Random): FuzzRequest {
    const method = this.#method(operation, random)
    const path = random() < ELSEWHERE ? elsewhere(operation, random) : this.#path(operation, random)
    const body = bodyFor(operation, this.#values, this.#urls, random)
    const query = this.#query(operation, random)
    const target = query === '' ? path : `${path}?${query}`
    return {
      number,
      operation: operationAt(this.#document, method, path),
      method,
      target,
      headers: this.#headers(operation, body, random),
      body: method === 'TRACE' ? null : body,
      leaves: random() < LEAVES,
    }
  }

  #method({ method }: Operation, random: Random): string {
    if (random() < OTHER_METHOD) return pick(random, METHODS)
    return method === 'GET' && random() < AS_HEAD ? 'HEAD' : method
  }

  #path({ path, parameters }: Operation, random: Random): string {
    const tile = pick(random, TILES)
    return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
      const parameter = parameters.find((one) => one.in === 'path' && one.name === name)!
      const right = tile[name] ?? this.#pathParameter(parameter, random)
      const chance = random()
      if (chance > WRONG_PATH_PARAMETER) return encode(right)
      if (chance > WRONG_PATH_PARAMETER / 2) return encode(nearly(random, right))
      return chance > WRONG_PATH_PARAMETER / 4 ? encode(anyText(random)) : unencoded(anyText(random))
    })
  }

  /** What the description gives as an example says which kind it is. */
  #pathParameter({ description }: Parameter, random: Random): string {
    const kind = /`([a-z]+)_[0-9a-z]+…`/.exec(description)?.[1]
    if (kind) return this.#known.one(kind, random) ?? `${kind}_${String(between(random, 0, 99)).padStart(26, '0')}`
    const examples = [...description.matchAll(/`([^`]+)`/g)].map(([, example]) => example!)
    if (examples.length > 0) return pick(random, examples).replace(/\d{4}-\d{2}/, () => aMonth(random))
    return pick(random, ['Example Daily', 'Zamfara Herald'])
  }

  #query({ parameters }: Operation, random: Random): string {
    if (random() < RAW_QUERY) return unencoded(anyText(random)) + unencoded(anyText(random))
    const inQuery = parameters.filter((one) => one.in === 'query')
    const share = inQuery.length < 5 ? GIVEN_OF_FEW : GIVEN
    const given = inQuery
      .filter(({ name, required }) => random() < (required ? REQUIRED : name === 'cursor' ? CURSOR : share))
      .map((one) => [one.name, this.#queryParameter(one, random)])
    if (given.length > 0 && random() < REPEATED) given.push(pick(random, given))
    if (random() < UNKNOWN_PARAMETER) given.push([anyText(random), anyText(random)])
    return given.map(([name, value]) => `${encode(name!)}=${encode(value!)}`).join('&')
  }

  #queryParameter({ name, schema, example }: Parameter, random: Random): string {
    const chance = random()
    if (name === 'cursor' && chance < 0.7) return this.#known.one('next_cursor', random) ?? 'x'
    if (name === 'key') return this.#keys.publishable
    if (name === 'limit' && chance < 0.7) return String(pick(random, [0, 1, 2, 50, 100, 101, 200, 201, 1000, 1001]))
    const { enum: values = schema.items?.enum } = schema
    if (values && chance < 0.8) return String(pick(random, values))
    const right = [example ?? ''].flat().join(',')
    if (chance < 0.85) return right
    return chance < 0.94 ? nearly(random, right) : anyText(random)
  }

  #headers(operation: Operation, body: Buffer | null, random: Random): Header[] {
    const key = this.#keys.one(operation, random)
    const headers: Header[] = [
      ...(key === null ? [] : [['authorization', key] as const]),
      ...(body === null || random() < 0.02 ? [] : [['content-type', 'application/json'] as const]),
      // Each from an address of its own, so that limits for addresses do not put an end to it.
      ['x-forwarded-for', `10.${between(random, 0, 255)}.${between(random, 0, 255)}.${between(random, 0, 255)}`],
      ...(operation.method === 'PATCH' && random() < 0.8 ? [['if-match', `"${between(random, 1, 3)}"`] as const] : []),
    ]
    const others = anyHeaders(random, this.#known)
    if (operation.responses[206] && random() < RANGE) others.push(aHeader('range', random))
    if (operation.responses[200]?.content?.['text/event-stream'] && random() < RANGE)
      others.push(aHeader('last-event-id', random))
    return [...headers.filter(([name]) => others.every(([other]) => other !== name)), ...others]
  }
}

function elsewhere({ path }: Operation, random: Random): string {
  const chance = random()
  if (chance < 0.4) return pick(random, OTHER_PATHS)
  if (chance < 0.7) return unencoded(`${nearly(random, path.replaceAll(/[{}]/g, ''))}`).replace(/^\/?/, '/')
  return `/${unencoded(anyText(random))}`
}

/** The first that fits, the more exact paths before those with parameters, as routers do. */
function operationAt({ operations }: Document, method: string, path: string): Operation | null {
  const asked = method === 'HEAD' ? 'GET' : method
  const fitting = operations.filter((one) => one.method === asked && one.shape.test(path))
  return fitting.toSorted((one, other) => placeholders(one) - placeholders(other))[0] ?? null
}

function placeholders({ path }: Operation): number {
  // `{id}.cap` says more than `{id}`.
  return path.split('{').length - (/\}[^/]/.test(path) ? 0.5 : 0)
}

function aMonth(random: Random): string {
  return `${between(random, 2024, 2027)}-${String(between(random, 0, 13)).padStart(2, '0')}`
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** As bytes, without what would end the line or begin the query or the fragment. */
function unencoded(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\x21-\xff]|[?#\x7f]/g, '')
}
