import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Archive, ArchiveView } from '../../archive/archive.ts'
import { logOfCursor, readCursor, writeCursor } from '../../archive/query/cursor.ts'
import type { Asker, SlicedQueries } from '../../archive/sliced-queries.ts'
import { incidentTag } from '../../domain/cache-tags.ts'
import { invalidParameters, Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import type { HistoryEntry, HistoryStep } from '../../domain/moderation.ts'
import type { Places } from '../../domain/places.ts'
import { type Positions, parsePosition, positionText } from '../../event-log/positions.ts'
import { type AreaShape, canonicalQuery } from '../../filter/filter.ts'
import {
  FORMATS,
  type FormatName,
  type IncidentField,
  type Listing,
  parseFields,
  parseListing,
  parseListingBody,
  pickFields,
} from '../../filter/listing.ts'
import { parametersInQuery } from '../../filter/parameters.ts'
import { LAYOUTS, type Layout, layoutOf } from '../../formats/layouts.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { BufferPool, type PooledBuffer } from '../../lib/buffer-pool.ts'
import { SharedRuns } from '../../lib/concurrency.ts'
import type { Steps } from '../../lib/steps.ts'
import { durationMs, isCurrent, timeText } from '../../lib/time.ts'
import { VERSION } from '../../version.ts'
import { answerBody } from '../body.ts'
import { ANSWER, ANSWER_BY_FORMAT } from '../caching.ts'
import { areaOfBody, areaOfQuery, formatFor, QueryClient, queryOf } from '../request.ts'
import { CachedBody, etagOf, hashOf, IN_STEP_PLACEHOLDER, metaJson, sendBytes } from '../response.ts'
import type { BrowserPage, Router } from '../router.ts'
import { listCorrections, listIncidents, queryIncidents, readIncident } from './contract.ts'

const JSON_TYPE = LAYOUTS.json.contentType

export function incidentRoutes(router: Router, page: BrowserPage): void {
  const { environment } = router
  const { places } = environment.geography
  const lists = new ListCache(incidentListSource(places), environment.queries)

  router.add(listIncidents, ({ request, reply, services }) => {
    const accepted = formatFor(request.headers.accept)
    const { archive, store, freshness, positions } = services
    const query = queryOf(request)
    const asker = new QueryClient(request, reply)
    const listIn = (area: AreaShape | null) => lists.getList(archive, query, accepted, environment.clock(), asker, area)
    const area = areaOfQuery(request, store, places)
    const cursor = query.includes('cursor=') ? new URLSearchParams(query).get('cursor') : null
    const checked = cursor === null ? null : requireNoFork(cursor, positions)
    const list = (area ?? checked) ? Promise.all([area, checked]).then(([shape]) => listIn(shape)) : listIn(null)
    if (list instanceof Promise) return list.then((rendered) => sendList(request, reply, rendered, freshness.stamp))
    return sendList(request, reply, list, freshness.stamp)
  })

  router.add(queryIncidents, ({ request, reply, body, services: { archive, store, freshness, positions } }) =>
    answerBody(async () => {
      const listing = parseListingBody(body, places, await areaOfBody(request, store, body, '', places))
      await requireNoFork(listing.cursor, positions)
      const accepted = formatFor(request.headers.accept)
      const asker = new QueryClient(request, reply)
      const list = await lists.getListing(archive, listing, accepted, environment.clock(), asker)
      list.stamp(freshness.stamp)
      return sendBytes(request, reply, list, list.contentType, ANSWER_BY_FORMAT)
    }),
  )

  router.add(
    readIncident,
    ({ request, reply, parameters, services: { archive } }) => {
      const fields = parseFieldsOf(request)
      return sendIncident(request, reply, archive, parameters.id, fields)
    },
    page,
  )

  router.add(listCorrections, async ({ parameters, services: { archive, store } }) => {
    findPublicSlot(archive, parameters.id)
    return { data: publicCorrections(await store.incidents.history(parameters.id)) }
  })
}

/** Throws a `Problem` if the pages before may have what the log has lost. */
async function requireNoFork(cursor: string | null, positions: Positions): Promise<void> {
  const begun = cursor === null ? null : parsePosition(logOfCursor(cursor))
  if (begun !== null) await positions.requireNoFork(begun)
}

function sendList(request: FastifyRequest, reply: FastifyReply, list: CachedList, stamp: string) {
  list.stamp(stamp)
  if (list.nextCursor !== null) reply.header('link', nextLink(request, list.nextCursor))
  return sendBytes(request, reply, list, list.contentType, ANSWER_BY_FORMAT)
}

/** Throws a `Problem` for anything but members of an incident. */
function parseFieldsOf(request: FastifyRequest): readonly IncidentField[] | null {
  const query = queryOf(request)
  if (query === '') return null
  const parameters = parametersInQuery(new URLSearchParams(query), ['fields'])
  const errors = [...parameters.errors]
  const fields = parseFields(parameters.values.get('fields') ?? null, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return fields
}

function sendIncident(
  request: FastifyRequest,
  reply: FastifyReply,
  archive: Archive,
  id: string,
  fields: readonly IncidentField[] | null,
) {
  const slot = findPublicSlot(archive, id)
  const body =
    fields === null
      ? // Copied, because the archive may move its bytes while the response is being sent.
        Buffer.from(archive.documentOf(slot))
      : Buffer.from(JSON.stringify(pickFields(archive.incidentOf(slot), fields)))
  return sendBytes(request, reply, new CachedBody(body), JSON_TYPE, { ...ANSWER, tags: [incidentTag(id)] })
}

/** Adds the cursor to the URL. Rebuilds the query, which costs more, only if it has a cursor. */
function nextLink(request: FastifyRequest, cursor: string): string {
  const url = request.raw.url!
  if (!url.includes('cursor=')) return `<${url}${url.includes('?') ? '&' : '?'}cursor=${cursor}>; rel="next"`
  const query = new URLSearchParams(queryOf(request))
  query.set('cursor', cursor)
  return `<${url.split('?', 1)[0]}?${query}>; rel="next"`
}

type PublicChange = 'published' | 'corrected' | 'restored'

/** The public part of a history: when and which fields changed, without names and notes. */
function publicCorrections(history: readonly HistoryEntry[]) {
  const confirmed = history.findIndex(({ step }) => step === 'confirm')
  // Imported incidents are public from the start and have no `confirm` entry.
  const published = confirmed < 0 ? history : history.slice(confirmed)
  return published.flatMap(({ step, version, at, fields }) => {
    const change = PUBLIC_STEPS[step]
    return change === undefined ? [] : [{ change, version, at: timeText(at), fields }]
  })
}

/** A merge that brought something, and its undoing, are corrections. */
const PUBLIC_STEPS: Partial<Record<HistoryStep, PublicChange>> = {
  confirm: 'published',
  update: 'corrected',
  absorb: 'corrected',
  unmerge: 'corrected',
  restore: 'restored',
  import: 'corrected',
  undo_import: 'corrected',
}

/** Returns the slot of a public incident; throws `merged`, `retracted` or `not_found`. */
export function findPublicSlot(archive: Archive, id: string): number {
  const slot = archive.slotOf(id)
  if (slot !== null) return slot
  const into = archive.mergedInto(id)
  if (into !== null)
    throw new Problem('merged', `${id} was merged into ${into}.`, { headers: { location: `/v1/incidents/${into}` } })
  if (archive.isRetracted(id))
    throw new Problem('retracted', `${id} was published and then retracted. Delete your copy.`)
  throw new Problem('not_found', 'There is no incident with this id.')
}

/**
 * Longer chains of merges are not followed; they cannot be circles, but a fault must not hang a
 * request.
 */
const MAX_MERGES = 20

/** The id of the incident that an incident has become, if it was merged; its own otherwise. */
export function survivingId(archive: Pick<Archive, 'mergedInto'>, id: string): string {
  let surviving = id
  for (let count = 0; count < MAX_MERGES; count++) {
    const into = archive.mergedInto(surviving)
    if (into === null) break
    surviving = into
  }
  return surviving
}

const MAX_BYTES = 64 << 20
const LISTS_SHARE = 5 / 8
/**
 * Half of what lists count, since they count their compressed forms too: all their bodies become
 * free together.
 */
const FREE_SHARE = LISTS_SHARE / 2
const QUERY_STRINGS_SHARE = 1 - LISTS_SHARE - FREE_SHARE
/** Estimated memory of an entry besides its texts and bytes. */
const ENTRY_BYTES = 300

class CachedList extends CachedBody {
  /** The canonical query and the format. */
  readonly key: string
  readonly contentType: string
  readonly nextCursor: string | null
  readonly madeAt: number
  readonly validUntil: number

  constructor(
    { body, pooled, inStepPosition, nextCursor, validUntil, identity }: RenderedList,
    key: string,
    contentType: string,
    madeAt: number,
  ) {
    // Without `meta`: an event that does not touch the list must not change its ETag.
    super(pooled ?? body, etagOf(`${VERSION} ${key} ${identity}`), inStepPosition)
    this.key = key
    this.contentType = contentType
    this.nextCursor = nextCursor
    this.madeAt = madeAt
    this.validUntil = validUntil
  }
}

/** Parses the queries of one endpoint and chooses their layout. */
export interface ListSource {
  /** Throws a `Problem` if the query is invalid. `area` is the shape of the area that it names. */
  parse(query: URLSearchParams, area: AreaShape | null): Listing
  /** `accepted` is the format that `Accept` chose; null if it accepts none. */
  layoutFor(listing: Listing, view: ArchiveView, accepted: FormatName | null): Layout
}

export function incidentListSource(places: Places): ListSource {
  return {
    parse: (query, area) => parseListing(query, places, undefined, area),
    layoutFor: ({ format, fields }, _view, accepted) => layoutOf(format ?? accepted ?? refuse(), fields),
  }
}

/** Keeps lists until the next event: between two events, each is rendered once. */
export class ListCache {
  readonly #source: ListSource
  readonly #queries: SlicedQueries
  readonly #maxBytes: number
  readonly #pool: BufferPool
  /**
   * By canonical query. Not a `BoundedCache`: both maps hold the same lists and are emptied
   * together, because a list evicted from one would stay in memory with the other.
   */
  readonly #byCanonicalQuery = new Map<string, CachedList>()
  /** By query string as received, so that a repeated query is not parsed again. */
  readonly #byQueryString: BoundedCache<string, CachedList>
  readonly #rendering = new SharedRuns<CachedList>()
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(source: ListSource, queries: SlicedQueries, maxBytes = MAX_BYTES) {
    this.#source = source
    this.#queries = queries
    this.#maxBytes = maxBytes
    this.#pool = new BufferPool(maxBytes * FREE_SHARE)
    this.#byQueryString = new BoundedCache(maxBytes * QUERY_STRINGS_SHARE, (_list, key) => ENTRY_BYTES + key.length)
  }

  /** Memory in bytes: bodies and those that are free to be reused, keys and query strings. */
  get size(): number {
    return this.#bytes + this.#pool.size + this.#byQueryString.size
  }

  /**
   * `query` has no question mark, `area` is the shape of the area that it names. Throws a `Problem`
   * if the query is invalid.
   */
  getList(
    archive: Archive,
    query: string,
    accepted: FormatName | null,
    now: number,
    asker: Asker,
    area: AreaShape | null = null,
  ): CachedList | Promise<CachedList> {
    this.#clearIfOutdated(archive)
    const key = accepted === 'json' ? query : `${accepted} ${query}`
    // With an area the same query string means something else for each account, and after a change.
    const cached = area === null ? this.#byQueryString.get(key) : undefined
    if (cached !== undefined && isCurrent(cached, now)) return cached
    const listing = this.#source.parse(new URLSearchParams(query), area)
    const list = this.getListing(archive, listing, accepted, now, asker)
    if (list instanceof Promise || area !== null) return list
    if (this.#byCanonicalQuery.get(list.key) === list) this.#byQueryString.set(key, list)
    return list
  }

  /** For a listing that is already parsed, such as that of a question which is no query string. */
  getListing(
    archive: Archive,
    listing: Listing,
    accepted: FormatName | null,
    now: number,
    asker: Asker,
  ): CachedList | Promise<CachedList> {
    this.#clearIfOutdated(archive)
    const layoutFor = (view: ArchiveView) => this.#source.layoutFor(listing, view, accepted)
    const { name, contentType } = layoutFor(archive.view)
    const key = `${canonicalQuery(listing.filter)} ${listing.order} ${listing.limit} ${listing.cursor} ${name}`
    const cached = this.#byCanonicalQuery.get(key)
    if (cached !== undefined && isCurrent(cached, now)) return cached
    const toCached = (rendered: RenderedList): CachedList => {
      const list = new CachedList(rendered, key, contentType, now)
      if (rendered.seq === this.#seq && archive === this.#archive) this.#addList(key, list)
      return list
    }
    return this.#rendering.join(
      `${this.#seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const { subject } = asker
        const rendered = this.#queries.run(archive, { subject, signal }, (view) =>
          renderIncidentList(view, listing, now, layoutFor(view), this.#pool),
        )
        return rendered instanceof Promise ? rendered.then(toCached) : toCached(rendered)
      },
    )
  }

  #addList(key: string, list: CachedList): void {
    const bytes = ENTRY_BYTES + key.length + list.size
    if (this.#bytes + bytes > this.#maxBytes * LISTS_SHARE) this.#clear(this.#archive!)
    if (bytes > this.#maxBytes / 2) return
    const replaced = this.#byCanonicalQuery.get(key)
    // Not released: a query string may still lead to it. Its bytes are collected.
    if (replaced !== undefined) this.#bytes -= ENTRY_BYTES + key.length + replaced.size
    this.#byCanonicalQuery.set(key, list)
    this.#bytes += bytes
  }

  #clearIfOutdated(archive: Archive): void {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
  }

  #clear(archive: Archive): void {
    for (const list of this.#byCanonicalQuery.values()) list.release()
    this.#byCanonicalQuery.clear()
    this.#byQueryString.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
    this.#bytes = 0
  }
}

function refuse(): never {
  const allowed = Object.values(FORMATS)
  throw new Problem('not_acceptable', `Accept must allow one of ${allowed.join(', ')}; or leave it out.`, {
    errors: [{ message: 'the Accept header allows none of the available formats', allowed }],
  })
}

interface RenderedList {
  readonly body: Buffer
  /** The room of the body, if it is from a pool. */
  readonly pooled: PooledBuffer | null
  /** The position of `meta.in_step_at`; null in a format without `meta`. */
  readonly inStepPosition: number | null
  readonly nextCursor: string | null
  /** Without new events the list is the same until then: incidents leave a `since` window. */
  readonly validUntil: number
  /**
   * With the query and the format, determines the content: the incidents, and whether more follow.
   */
  readonly identity: string
  /** The last event that the list includes. */
  readonly seq: number
}

/** Formats that parse each incident write this many in one step. */
const INCIDENTS_PER_STEP = 25
/** A digest that is not known yet takes two microseconds. */
const DIGESTS_PER_STEP = 250

export function* renderIncidentList(
  view: ArchiveView,
  listing: Listing,
  now: number,
  layout = LAYOUTS.json,
  pool: BufferPool | null = null,
): Steps<RenderedList> {
  const cursor = listing.cursor === null ? null : readCursor(listing.cursor, listing)
  // Only a `since` window depends on the time. Without one, the time is left out, so that every
  // node gives the same cursor for the same page.
  const requestedAt = cursor?.requestedAt ?? (listing.filter.since === null ? 0 : now)
  const log = cursor?.log ?? positionText(view.head)
  const { slots, next } = yield* view.findPage({ ...listing, after: cursor?.position ?? null, now: requestedAt })
  const last = slots.at(-1)
  const nextCursor = next === null ? null : writeCursor({ position: view.positionOf(last!), requestedAt, log }, listing)
  const tail = Buffer.from(layout.tail(envelope(view, nextCursor)))
  const length = layout.write === null ? copiedLength(view, slots, layout, tail) : 0
  const pooled = layout.write === null && pool !== null ? pool.take(length) : null
  const body =
    layout.write === null
      ? copyDocuments(view, slots, layout, tail, pooled?.bytes ?? Buffer.allocUnsafeSlow(length))
      : yield* writeDocuments(view, slots, layout, layout.write, tail)
  const inTail = tail.lastIndexOf(IN_STEP_PLACEHOLDER)
  return {
    body,
    pooled,
    inStepPosition: inTail === -1 ? null : body.length - tail.length + inTail,
    nextCursor,
    validUntil: cursor ? Number.POSITIVE_INFINITY : validUntil(view, listing, slots, next),
    identity: `${next !== null} ${hashOf(yield* digestsOf(view, slots, layout.write === null ? { body, layout } : null))}`,
    seq: view.head.seq,
  }
}

function copiedLength(view: ArchiveView, slots: readonly number[], layout: Layout, tail: Buffer): number {
  const { head, separator, ending } = layout
  let length = head.length + tail.length + Math.max(0, slots.length - 1) * separator.length
  for (const slot of slots) length += view.documentLengthOf(slot) + ending.length
  return length
}

/** Copies the stored bytes without parsing them. */
function copyDocuments(
  view: ArchiveView,
  slots: readonly number[],
  { head, separator, ending }: Layout,
  tail: Buffer,
  body: Buffer,
): Buffer {
  body.set(head)
  let at = head.length
  let isFirst = true
  view.readDocuments(slots, (bytes, start, end) => {
    if (!isFirst) at = copyFew(body, separator, at)
    isFirst = false
    body.set(bytes.subarray(start, end), at)
    at = copyFew(body, ending, at + end - start)
  })
  body.set(tail, at)
  return body
}

/** Byte by byte: for one or two of them, `set` costs more than it copies. */
function copyFew(body: Buffer, bytes: Uint8Array, start: number): number {
  let at = start
  for (let index = 0; index < bytes.length; index++) body[at++] = bytes[index]!
  return at
}

function* writeDocuments(
  view: ArchiveView,
  slots: readonly number[],
  { head, separator, ending }: Layout,
  writeIncident: (incident: Incident) => string,
  tail: Buffer,
): Steps<Buffer> {
  const parts: Uint8Array[] = [head]
  for (const [index, slot] of slots.entries()) {
    if (index > 0) parts.push(separator)
    if (index % INCIDENTS_PER_STEP === INCIDENTS_PER_STEP - 1) yield
    parts.push(Buffer.from(writeIncident(view.incidentOf(slot))), ending)
  }
  return Buffer.concat([...parts, tail])
}

/**
 * Takes documents from the body they were copied into, if there is one: old ones would be read
 * twice from a file.
 */
function* digestsOf(
  view: ArchiveView,
  slots: readonly number[],
  copied: { body: Buffer; layout: Layout } | null,
): Steps<Uint8Array> {
  const digests = new Float64Array(slots.length)
  let at = copied?.layout.head.length ?? 0
  const between = copied === null ? 0 : copied.layout.separator.length + copied.layout.ending.length
  for (let index = 0; index < slots.length; index++) {
    if (index % DIGESTS_PER_STEP === DIGESTS_PER_STEP - 1) yield
    const slot = slots[index]!
    if (copied === null) {
      digests[index] = view.documentDigestOf(slot)
      continue
    }
    const end = at + view.documentLengthOf(slot)
    digests[index] = view.digestOfRead(slot, copied.body, at, end)
    at = end + between
  }
  return new Uint8Array(digests.buffer)
}

function envelope(view: ArchiveView, nextCursor: string | null): string {
  return `"has_more":${nextCursor !== null},"next_cursor":${JSON.stringify(nextCursor)},"meta":${metaJson(view)}`
}

function validUntil(
  view: ArchiveView,
  { filter, order }: Listing,
  slots: readonly number[],
  next: number | null,
): number {
  const oldest = order === 'oldest' ? slots[0] : (next ?? slots.at(-1))
  if (filter.since === null || oldest === undefined) return Number.POSITIVE_INFINITY
  return view.positionOf(oldest).publishedAt + durationMs(filter.since)
}
