import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Asker } from '../archive/sliced-queries.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../domain/errors.ts'
import { isIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import type { AreaShape, Filter } from '../filter/filter.ts'
import { FORMAT_NAMES, FORMATS, type FormatName } from '../filter/listing.ts'
import {
  FILTER_PARAMETERS,
  type FilterParameter,
  parametersInQuery,
  parseChoice,
  parseLimit,
  type RawParameters,
} from '../filter/parameters.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import { areaShapeOf, type SavedName, savedInObject, savedInQuery } from '../filter/saved-areas.ts'
import { SiteIndex } from '../filter/site-index.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { clientAddressOf, clientNetwork, type TrustedProxies } from '../lib/network.ts'
import type { SiteLists, Store } from '../store/store.ts'
import type { Endpoint } from './contract/endpoint.ts'

interface RequestParameters<Name extends string> {
  /** As the client wrote it; null if missing. */
  text(name: Name): string | null
  /** Parsed from the parameters that are filters. */
  readonly filter: Filter
}

/** Reads the declared parameters; throws a `Problem` for unknown, repeated or invalid ones. */
export function parametersOf<Declared extends Endpoint>(
  request: FastifyRequest,
  { query = {} }: Declared,
  places: Places,
  area: AreaShape | null = null,
): RequestParameters<keyof Declared['query'] & string> {
  const parameters = new URLSearchParams(queryOf(request))
  const given = parametersInQuery(parameters, Object.keys(query) as FilterParameter[])
  const parsed = parseFilter(query.q === FILTER_PARAMETERS.q ? given : withoutWords(given), places, area)
  if ('errors' in parsed) throw invalidParameters(parsed.errors)
  return { text: (name) => parameters.get(name), filter: parsed.value }
}

/** The declared parameters as the client wrote them; null if missing. */
export function textsOf<Declared extends Endpoint>(request: FastifyRequest, { query = {} }: Declared) {
  const parameters = new URLSearchParams(queryOf(request))
  const { errors } = parametersInQuery(parameters, Object.keys(query))
  if (errors.length > 0) throw invalidParameters(errors)
  return (name: keyof Declared['query'] & string): string | null => parameters.get(name)
}

type ChoicesOf<Query> = {
  readonly [Name in keyof Query as Query[Name] extends { values: unknown } ? Name : never]: Query[Name] extends {
    values: readonly (infer Value)[]
  }
    ? Value | null
    : never
}

/** Parses `limit` and the declared choices of a list; throws a `Problem` with every error. */
export function listParametersOf<Declared extends Endpoint>(request: FastifyRequest, declared: Declared) {
  const text = textsOf(request, declared)
  const { query = {} } = declared
  const errors: FieldError[] = []
  const choices = Object.entries(query).flatMap(([name, { values }]) =>
    values === undefined ? [] : [[name, parseChoice(name, text(name as never), values, errors)]],
  )
  const limit = parseLimit(text('limit' as never), query.limit!.number!.maximum!, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return { text, limit, choices: Object.fromEntries(choices) as ChoicesOf<Declared['query']> }
}

/**
 * Elsewhere `q` means other words than those of the summary: names of places, or what the desk
 * knows.
 */
function withoutWords({
  values,
  errors,
  at,
  suggestions,
}: RawParameters<FilterParameter>): RawParameters<FilterParameter> {
  return { values: new Map([...values].filter(([name]) => name !== 'q')), errors, at, suggestions }
}

/** Without the question mark. */
export function queryOf(request: FastifyRequest): string {
  const start = request.raw.url!.indexOf('?')
  return start < 0 ? '' : request.raw.url!.slice(start + 1)
}

/** The cursor of a list by identifiers is the last one of the previous page. */
export function identifierCursor(noun: Parameters<typeof isIdentifier>[0], cursor: string | null): string | null {
  if (cursor !== null && !isIdentifier(noun, cursor)) throw invalidCursor()
  return cursor
}

/** Takes `limit + 1` fetched items; the extra one shows that another page follows. */
export function pageOf<Item, Response>(
  items: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
  toResponse: (item: Item) => Response,
) {
  const page = items.slice(0, limit)
  const more = items.length > limit
  return { data: page.map(toResponse), has_more: more, next_cursor: more ? cursorOf(page.at(-1)!) : null }
}

export function pageById<Item extends { readonly id: string }, Response>(
  items: readonly Item[],
  limit: number,
  toResponse: (item: Item) => Response,
) {
  return pageOf(items, limit, ({ id }) => id, toResponse)
}

export function invalidCursor(): Problem {
  return new Problem('invalid_cursor', 'The cursor was not issued by this service; send next_cursor unchanged.')
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address as the trusted proxies give it. Not `ip`: that repeats any text. */
    readonly clientAddress: string
  }
}

export function decorateClientAddress(server: FastifyInstance, isTrusted: TrustedProxies): void {
  server.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw, isTrusted)
    },
  })
}

/** Subject of every limit by address: the IPv4 address, or the /64 of an IPv6 address. */
export function addressSubject(request: Pick<FastifyRequest, 'clientAddress'>): string {
  return clientNetwork(request.clientAddress)
}

/** For requests that Fastify refuses before it decorates them. */
export function rawAddressSubject(request: IncomingMessage, isTrusted: TrustedProxies): string {
  return clientNetwork(addressOf(request, isTrusted))
}

function addressOf({ socket, headers }: IncomingMessage, isTrusted: TrustedProxies): string {
  return clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString(), isTrusted)
}

/** The client of a request. Works nothing out for a small question, which asks for nothing. */
export class QueryClient implements Asker {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #signal: AbortSignal | null = null

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
  }

  /** The account; the clients of a publishable key differ by address. */
  get subject(): string {
    const { caller } = this.#request
    if (caller === null || caller.key.kind === 'publishable') return `address ${addressSubject(this.#request)}`
    return `account ${caller.account.id}`
  }

  /** Aborted when the client closes the connection before it has the response. */
  signal(): AbortSignal {
    this.#signal ??= this.#listen()
    return this.#signal
  }

  #listen(): AbortSignal {
    const controller = new AbortController()
    const abort = () =>
      controller.abort(new Problem('malformed_request', 'The connection was closed before the response was ready.'))
    if (this.#reply.raw.destroyed) abort()
    else this.#reply.raw.once('close', abort)
    return controller.signal
  }
}

const formatByHeader = new BoundedCache<string, FormatName | null>(1000)
/**
 * Longer headers are parsed each time: a cache of them would hold megabytes that a client chose.
 */
const MAX_CACHED_HEADER_LENGTH = 300

/** Returns the format that `Accept` prefers, JSON by default; null if it accepts none. */
export function formatFor(header: string | undefined): FormatName | null {
  if (header === undefined || header === '*/*') return 'json'
  let format = formatByHeader.get(header)
  if (format === undefined) {
    format = chooseFormat(header)
    if (header.length <= MAX_CACHED_HEADER_LENGTH) formatByHeader.set(header, format)
  }
  return format
}

function chooseFormat(header: string): FormatName | null {
  const weights = parseWeights(header)
  let best: FormatName | null = null
  let bestWeight = 0
  for (const name of FORMAT_NAMES) {
    const type = FORMATS[name]
    const any = `${type.slice(0, type.indexOf('/'))}/*`
    const weight = weights.get(type) ?? weights.get(any) ?? weights.get('*/*') ?? 0
    if (weight > bestWeight) {
      best = name
      bestWeight = weight
    }
  }
  return best
}

/** Parses `Accept`, `Accept-Encoding` and the like into weights from 0 to 1 (RFC 9110). */
export function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return weights
}

/** A browser that opens a link accepts `text/html` and sends no key; an API client differs. */
export function asksForPage({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && /\btext\/html\b/.test(headers.accept ?? '')
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Compressing a smaller response saves no packet. */
const MIN_COMPRESSED_BYTES = 1200

const encodingByHeader = new BoundedCache<string, Encoding>(1000)

/** Chooses by `Accept-Encoding` (RFC 9110); br before gzip at equal weight. */
export function encodingFor(header: string | undefined, size: number): Encoding {
  if (header === undefined || size < MIN_COMPRESSED_BYTES) return 'identity'
  let encoding = encodingByHeader.get(header)
  if (encoding === undefined) {
    encoding = chooseEncoding(header)
    if (header.length <= MAX_CACHED_HEADER_LENGTH) encodingByHeader.set(header, encoding)
  }
  return encoding
}

/** For downloads: gzip, unlike br, keeps up with the network. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = parseWeights(header ?? '')
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

function chooseEncoding(header: string): Encoding {
  const weights = parseWeights(header)
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  if (weight('br') > 0 && weight('br') >= weight('gzip')) return 'br'
  return weight('gzip') > 0 ? 'gzip' : 'identity'
}

/** Finds the saved area, or list of sites, that the query string names; null if it names none. */
export function areaOfQuery(request: FastifyRequest, store: Store, places: Places): Promise<AreaShape | null> | null {
  const query = queryOf(request)
  // Most queries name none, and are not parsed for it. A name may be percent-encoded.
  if (!query.includes('area') && !query.includes('sites') && !query.includes('%')) return null
  const saved = savedInQuery(new URLSearchParams(query))
  return saved && findSaved(request, store, saved, { parameter: saved.parameter }, places)
}

/**
 * Finds the saved area, or list of sites, that a filter as JSON, at `pointer` in the body, names.
 */
export async function areaOfBody(
  request: FastifyRequest,
  store: Store,
  filter: unknown,
  pointer: string,
  places: Places,
): Promise<AreaShape | null> {
  const saved = savedInObject(filter)
  return saved && findSaved(request, store, saved, { pointer: `${pointer}/${saved.parameter}` }, places)
}

/**
 * Finds an area or a list of sites of the caller's account. Throws 404 for an unknown one and for
 * that of another account, and 403 for a publishable key: it is public, and the places may not be.
 */
async function findSaved(
  request: FastifyRequest,
  store: Store,
  { parameter, id }: SavedName,
  at: { parameter: string } | { pointer: string },
  places: Places,
): Promise<AreaShape> {
  const { account, key } = request.caller!
  if (key.kind === 'publishable')
    throw new Problem(
      'insufficient_scope',
      `A publishable key cannot use saved ${parameter === 'area' ? 'areas' : 'sites'}: send a secret key.`,
    )
  if (parameter === 'sites') {
    const sites = isIdentifier('siteList', id) ? await readSiteIndex(store.siteLists, account.id, id) : null
    if (sites === null) throw unknownSites(at)
    return sitesShape(sites)
  }
  const area = isIdentifier('area', id) ? await store.areas.find(account.id, id) : null
  if (area === null) throw unknownArea(at)
  return areaShapeOf(area.shape, places)
}

export function sitesShape(sites: SiteIndex): AreaShape {
  return { circle: null, region: null, route: null, sites }
}

export function unknownSites(at?: { parameter: string } | { pointer: string }): Problem {
  const message = 'names no saved list of sites of your account'
  return new Problem('not_found', 'Your account has no such list of sites. GET /v1/sites lists yours.', {
    errors: at === undefined ? [] : [{ ...at, message }],
  })
}

export function unknownArea(at?: { parameter: string } | { pointer: string }): Problem {
  const message = 'names no saved area of your account'
  return new Problem('not_found', 'Your account has no such area. GET /v1/areas lists yours.', {
    errors: at === undefined ? [] : [{ ...at, message }],
  })
}

/** Of up to 260 KB each. */
const MAX_LISTS = 32

type Lists = Pick<SiteLists, 'positions' | 'version'>

const keptOf = new WeakMap<Lists, BoundedCache<string, SiteIndex>>()

/**
 * Reads the sites of a list; null if the account has none with this id. Lists that were asked for
 * lately are kept: indexing 10,000 sites takes three milliseconds, and every question would.
 */
export async function readSiteIndex(lists: Lists, accountId: string, listId: string): Promise<SiteIndex | null> {
  const kept = keptOf.get(lists) ?? new BoundedCache<string, SiteIndex>(MAX_LISTS)
  keptOf.set(lists, kept)
  const known = kept.get(listId)
  // The version is that of the account's own list: nobody gets another's.
  if (known !== undefined && (await lists.version(accountId, listId)) === known.version) return known
  const found = await lists.positions(accountId, listId)
  if (found === null) return null
  const index = new SiteIndex(found.id, found.version, found.positions)
  kept.set(listId, index)
  return index
}

/**
 * Refuses ids of incidents that were never public: a watch would wait for ever. An unpublished
 * report is refused in the same words, so that nobody learns of it. Retracted and merged ones are
 * taken: they may come back, and a merged one is followed on.
 */
export async function requirePublished(
  ids: readonly string[] | null,
  { incidents }: Pick<Store, 'incidents'>,
  at: { readonly pointer: string } | { readonly parameter: string },
): Promise<void> {
  if (ids === null) return
  const found = await incidents.current(ids)
  const published = new Set(found.filter(({ document }) => wasPublished(document)).map(({ id }) => id))
  const unknown = ids.filter((id) => !published.has(id))
  if (unknown.length === 0) return
  const message = `names no public incident: ${unknown.join(', ')}; GET /v1/incidents has the ids`
  throw 'pointer' in at ? invalidBody([{ ...at, message }]) : invalidParameters([{ ...at, message }])
}

function wasPublished(document: string): boolean {
  return (JSON.parse(document) as Incident).published_at !== null
}

/** Adds an error for a name that does not show as one line of text. */
export function checkName(name: string | null | undefined, errors: FieldError[]): void {
  if (name && /\p{Cc}/u.test(name)) errors.push({ pointer: '/name', message: 'must not contain control characters' })
}

export function requireName(name: string | undefined): void {
  const errors: FieldError[] = []
  checkName(name, errors)
  if (errors.length > 0) throw invalidBody(errors)
}
