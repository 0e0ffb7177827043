import { crc32 } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ArchiveView } from '../../archive/archive.ts'
import type { Position } from '../../archive/columns/columns.ts'
import { readCursor, writeCursor } from '../../archive/query/cursor.ts'
import type { PageQuery } from '../../archive/query/matches.ts'
import { loadIncident } from '../../desk/decision.ts'
import { type FieldError, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier, PREFIXES } from '../../domain/identifier.ts'
import { STATUSES, type Status } from '../../domain/incident.ts'
import {
  DESK_ORDERS,
  type DeskOrder,
  DUPLICATE_CHOICES,
  EMPTY_MODERATION_RECORD,
  HISTORY_STEPS,
  liveClaim,
  ORIGINS,
  type Origin,
  originOf,
  searchText,
} from '../../domain/moderation.ts'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import { canonicalQuery, type Filter } from '../../filter/filter.ts'
import { boundingBoxOf, matchesArea, publishedFrom } from '../../filter/matches.ts'
import { DESK_FILTER_PARAMETERS, limitParameter, parseChoice, parseLimit } from '../../filter/parameters.ts'
import { foundAs, parseTerms } from '../../lib/search-terms.ts'
import type { Steps } from '../../lib/steps.ts'
import type { DeskCount, DeskPosition, DeskQuery, IncidentRecord, Store } from '../../store/store.ts'
import { endpointsOf, ok, SEARCH_PROBLEMS } from '../contract/endpoint.ts'
import { Count, Named, NamedObject, Nullable, NullableText, OneOf, PageOf, Text, Time } from '../contract/schema.ts'
import { invalidCursor, parametersOf, QueryClient, textsOf } from '../request.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import { startStream } from '../stream.ts'
import { DeskDecisions, deskResponse, deskResponses, historyEntryResponse, incidentId } from './incident.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

NamedObject('FieldChange', {
  field: Text('A field of the incident; `desk.…` for one that only the desk sees.'),
  old: Type.Unknown({ description: 'The value before; null if there was none.' }),
  new: Type.Unknown({ description: 'The value after; null if there is none.' }),
})

NamedObject('Step', {
  id: NullableText('Null for steps made before they had ids.'),
  step: OneOf(HISTORY_STEPS),
  version: Type.Integer({ minimum: 1, description: 'The version that the step produced.' }),
  at: Time('When it happened.'),
  by: Type.Object({
    key_id: Type.String(),
    account_id: NullableText('Null if the key is no longer known.'),
    name: Type.String(),
  }),
  note: Nullable(Type.String()),
  fields: Type.Array(Type.String(), { description: 'The fields that an update changed.' }),
  changes: Type.Array(Type.Ref('FieldChange'), { description: 'Every changed field with its old and new value.' }),
  other: NullableText(
    'The other incident of a merge or its undoing, or of a pair that was dismissed or offered again.',
  ),
})

/** A way to undo the last decision. */
NamedObject('Undo', {
  step: Text('The step that would be undone: `POST …/{id}/undo {"step": "…"}`.'),
  undoes: OneOf(HISTORY_STEPS, 'The kind of that step.'),
  move: OneOf(['retract', 'reopen', 'restore', 'unmerge', 'put_back'], 'What undoing it does.'),
  path: Text('The path to POST `{"step": …}` to.'),
})

export const readHistory = endpoint('readHistory', 'GET /v1/desk/incidents/{id}/history', {
  summary: "Read an incident's history",
  description:
    'Every step with its author, time, reason, and old and new values, oldest first. An import that changed the incident, and its undoing, are steps; the import that created it is not.',
  pathParameters: incidentId,
  response: ok('All steps.', Type.Object({ data: Type.Array(Type.Ref('Step')) })),
})

export function deskRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const desk = new DeskDecisions(router)

  router.add(listDesk, async ({ request, reply, services }) => {
    const parameters = parametersOf(request, listDesk, geography.places)
    const listing = parseDeskListing(parameters, request.caller!.account.id)
    const asker = new QueryClient(request, reply)
    const findConfirmed: FindConfirmed = async (query) =>
      queries.run(services.archive, asker, (view) => confirmedPositions(view, query))
    const { records, nextCursor } = await readDeskPage(listing, services.store, findConfirmed, clock())
    return {
      data: listing.withDuplicates
        ? await deskResponses(records, services.store, desk.published(services, reply), clock())
        : records.map((record) => deskResponse(record, [], clock())),
      has_more: nextCursor !== null,
      next_cursor: nextCursor,
    }
  })

  router.add(countDesk, ({ request, services }) => countsResponse(services, request.caller!.account.id, clock()))

  router.add(readDesk, ({ reply, parameters, services }) => desk.show(reply, parameters.id, services))

  router.add(readHistory, async ({ parameters, services: { store } }) => {
    await loadIncident(parameters.id, store)
    return { data: (await store.incidents.history(parameters.id)).map(historyEntryResponse) }
  })

  router.beforeClose(({ deskStreams }) => deskStreams[Symbol.asyncDispose]())

  router.add(readDeskStream, async ({ request, reply, services: { store, deskStreams } }) => {
    const text = textsOf(request, readDeskStream)
    const head = await store.desk.head()
    const after = positionOf(request, text('last_event_id'), head)
    return startStream(request, reply, router.authenticator, (response, key) =>
      deskStreams.addConnection(response, { after, ...key }),
    )
  })
}

Named('DeskList', PageOf('DeskIncident'))

const amount = Type.Integer({ minimum: 0 })

const amounts = (names: readonly string[], description: string) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, amount])), { description })

NamedObject('DeskCounts', {
  status: amounts(STATUSES, 'All incidents, by status.'),
  origin: amounts(ORIGINS, 'Open reports, by origin.'),
  severity: amounts(SEVERITIES, 'Open reports, by severity.'),
  claimed: Type.Object(
    { me: amount, others: amount, none: amount },
    { description: 'Open reports, by who has claimed them.' },
  ),
  revision: Count(
    'Grows with every arrival, decision, correction, note and claim. A position in `GET /v1/desk/stream`.',
  ),
})

const listDesk = endpoint('listDesk', 'GET /v1/desk/incidents', {
  summary: 'List reports that need a decision',
  description:
    'Lists incidents with one status that match all filters. Each includes its possible duplicates. For incidents that are not confirmed, `since`, `from` and `to` apply to `reported_at`; for confirmed ones to `published_at`. ' +
    'One request looks at a limited number of incidents: a rare filter may return fewer than `limit` with `has_more`; follow `next_cursor`.',
  query: {
    ...DESK_FILTER_PARAMETERS,
    status: { description: 'Default: `reported`.', example: 'reported', values: STATUSES },
    q: {
      description:
        'Words of the summary, the place or the sources, up to 200 characters. A word, or `word*`, must begin one of them; `"a phrase"` must be in them as whole words, side by side. Case and accents do not count.',
      example: 'gonin gora',
    },
    origin: { description: 'How the report arrived.', example: 'tip', values: ORIGINS },
    claimed_by: {
      description: 'The id of an account, `me`, or `none`: who has a claim that has not lapsed.',
      example: 'me',
    },
    order: {
      description:
        'Default: `newest`. `severity` and `confidence` put the highest first and the newest of equals; confirmed incidents are ordered by time only.',
      example: 'severity',
      values: DESK_ORDERS,
    },
    duplicates: {
      description:
        'Default: `all`. `none` leaves `possible_duplicates` empty: finding those of a page takes longer than all the rest, and reading one incident finds its own.',
      example: 'none',
      values: DUPLICATE_CHOICES,
    },
    limit: limitParameter('Incidents', 200),
    cursor: {
      description: 'The `next_cursor` of the previous page: opaque, and bound to its filters and order.',
      example: 'next_cursor',
    },
  },
  response: ok('A page of the queue.', Type.Ref('DeskList')),
  problems: [...SEARCH_PROBLEMS, 'invalid_cursor', 'cursor_of_another_query'],
})

const countDesk = endpoint('countDesk', 'GET /v1/desk/counts', {
  summary: 'Count the queue',
  response: ok('The counts.', Type.Ref('DeskCounts')),
})

const readDesk = endpoint('readDesk', 'GET /v1/desk/incidents/{id}', {
  summary: 'Read one incident, in any status',
  pathParameters: incidentId,
  response: {
    status: 200,
    description: 'The incident.',
    schema: Type.Ref('DeskIncident'),
    headers: { ETag: 'The version; send it back as `If-Match`.' },
  },
})

const readDeskStream = endpoint('readDeskStream', 'GET /v1/desk/stream', {
  summary: 'Follow the queue as it changes',
  description:
    'Server-Sent Events: one event `desk.changed` for each incident that arrived, was decided, corrected, noted or claimed, on any node; `id` is its `revision` and `data` is `{"revision", "id", "status", "version", "claim"}`, the claim as in `desk.claim`. ' +
    'Several changes of one incident may come as one event with its current state. Reconnect with `Last-Event-ID` (SSE clients do so automatically): everything that has changed since comes first. ' +
    'A claim that lapses by itself sends no event: `until` tells when. Every 15 seconds an event `heartbeat` carries the position. The connection is closed after at most 30 minutes.',
  query: {
    last_event_id: {
      description:
        'The last `revision` that you have, such as that of `GET /v1/desk/counts`; a `Last-Event-ID` header takes precedence. Without either, the stream starts with new changes.',
      example: '8123',
      number: { type: 'integer', minimum: 0 },
    },
  },
  requestHeaders: ['Last-Event-ID'],
  response: {
    status: 200,
    description: 'An endless stream of events.',
    schema: Text('An event stream; `data` is one line of JSON.'),
    contentType: 'text/event-stream',
  },
  problems: ['too_many_streams', 'streams_full'],
})

/** Entries of the queue that one request looks at: a million would hold up the database. */
const MAX_LOOKED_AT = 20_000

/** Few enough to read at once; more than a small page, so that a rare circle needs few reads. */
const MIN_ASKED = 200

/** Confirmed incidents that one request compares with words: their documents are read. */
const MAX_CONFIRMED_READ = 2_000

const CONFIRMED_BATCH = 200

interface DeskPage {
  readonly records: readonly IncidentRecord[]
  readonly nextCursor: string | null
}

/** Confirmed incidents are many, so their order comes from the archive in memory. */
function readDeskPage(
  listing: DeskListing,
  store: Store,
  findConfirmed: FindConfirmed,
  now: number,
): Promise<DeskPage> {
  const hasClaim = listing.claimedBy !== null && listing.claimedBy !== 'none'
  return listing.status === 'confirmed' && !hasClaim
    ? readConfirmed(listing, store, findConfirmed, now)
    : readQueue(listing, store, now)
}

/** Finds the positions of confirmed incidents, without holding up the event loop. */
type FindConfirmed = (query: PageQuery) => Promise<ConfirmedPositions>

interface ConfirmedPositions {
  readonly positions: readonly Position[]
  readonly isEnd: boolean
}

function* confirmedPositions(view: ArchiveView, query: PageQuery): Steps<ConfirmedPositions> {
  const { slots, next } = yield* view.findPage(query)
  return { positions: slots.map((slot) => view.positionOf(slot)), isEnd: next === null }
}

async function readQueue(listing: DeskListing, store: Store, now: number): Promise<DeskPage> {
  const { limit, cursor, filter } = listing
  const query = queryOf(listing, now)
  let after: DeskPosition | null = cursor === null ? null : readDeskCursor(cursor, listing)
  const ids: string[] = []
  let left = MAX_LOOKED_AT
  do {
    const asked = Math.max(limit, MIN_ASKED)
    const { hits, next } = await store.desk.find(query, after, asked, left, now)
    after = next
    left -= hits.length === asked ? asked : left
    for (const hit of hits) {
      // The database knows the box around a circle only.
      if (!matchesArea(filter, hit.lat, hit.lng)) continue
      ids.push(hit.id)
      if (ids.length < limit) continue
      if (hit !== hits.at(-1)) after = hit
      break
    }
  } while (ids.length < limit && after !== null && left > 0)
  return { records: await recordsOf(ids, store), nextCursor: after && writeDeskCursor(after, listing) }
}

function queryOf({ filter, status, order, origin, words, claimedBy }: DeskListing, now: number): DeskQuery {
  const { states, lgas, types, severities, minConfidence, maxConfidence, occurredFrom, occurredTo } = filter
  const from = publishedFrom(filter, now)
  return {
    ...{ status, order, origin, words, claimedBy },
    ...{ states, lgas, types, severities, minConfidence, maxConfidence, occurredFrom, occurredTo },
    reportedFrom: Number.isFinite(from) ? from : null,
    reportedTo: filter.publishedTo,
    box: boundingBoxOf(filter),
  }
}

async function readConfirmed(
  listing: DeskListing,
  store: Store,
  findConfirmed: FindConfirmed,
  now: number,
): Promise<DeskPage> {
  const { limit, cursor, filter, order } = listing
  const question = { filter, order: order === 'oldest' ? order : ('newest' as const) }
  let after = cursor === null ? null : readCursor(cursor, question).position
  const isWanted = wantedBy(listing, now)
  const batch = isWanted === null ? limit : CONFIRMED_BATCH
  const records: IncidentRecord[] = []
  let isEnd = false
  for (let read = 0; !isEnd && records.length < limit && read < MAX_CONFIRMED_READ; read += batch) {
    const { positions, isEnd: isLast } = await findConfirmed({ ...question, limit: batch, after, now })
    const found = await recordsOf(
      positions.map(({ suffix }) => PREFIXES.incident + suffix),
      store,
    )
    isEnd = isLast
    after = positions.at(-1) ?? after
    for (const record of found) {
      if (isWanted !== null && !isWanted(record)) continue
      records.push(record)
      if (records.length < limit) continue
      const last = positions.find(({ suffix }) => PREFIXES.incident + suffix === record.incident.id)!
      isEnd &&= last === positions.at(-1)
      after = last
      break
    }
  }
  return {
    records,
    nextCursor: isEnd || after === null ? null : writeCursor({ position: after, requestedAt: 0, log: '' }, question),
  }
}

/** Null if every incident that matches the filter is wanted. */
function wantedBy(
  { words, origin, claimedBy }: DeskListing,
  now: number,
): ((record: IncidentRecord) => boolean) | null {
  if (words.length === 0 && origin === null && claimedBy === null) return null
  return ({ incident, moderation, claim }) => {
    const text = `${searchText(incident)} `
    return (
      words.every((term) => text.includes(foundAs(term))) &&
      (origin === null || originOf(moderation ?? EMPTY_MODERATION_RECORD) === origin) &&
      (claimedBy !== 'none' || liveClaim(claim, now) === null)
    )
  }
}

async function recordsOf(ids: readonly string[], store: Store): Promise<IncidentRecord[]> {
  const byId = new Map((await store.incidents.findRecords(ids)).map((record) => [record.incident.id, record]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Public incidents are counted in the archive: the desk has no entry of imported ones. */
async function countsResponse({ store, archive }: Services, accountId: string, now: number) {
  // Read first: a change after it shows in the stream again, none is missed.
  const revision = await store.desk.head()
  const [counts, claims] = await Promise.all([store.desk.counts(), store.desk.claimCounts(now)])
  const open = counts.filter(({ status }) => status === 'reported')
  const reported = sumOf(open, () => true)
  const mine = claims.find((claim) => claim.accountId === accountId)?.reports ?? 0
  const claimed = claims.reduce((sum, { reports }) => sum + reports, 0)
  const byStatus = sums(STATUSES, (status) => sumOf(counts, (count) => count.status === status))
  return {
    status: { ...byStatus, confirmed: archive.size },
    origin: sums(ORIGINS, (origin) => sumOf(open, (count) => count.origin === origin)),
    severity: sums(SEVERITIES, (severity) => sumOf(open, (count) => count.severity === severity)),
    claimed: { me: mine, others: claimed - mine, none: Math.max(0, reported - claimed) },
    revision,
  }
}

function sums<Name extends string>(names: readonly Name[], sum: (name: Name) => number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number>
}

function sumOf(counts: readonly DeskCount[], counted: (count: DeskCount) => boolean): number {
  return counts.filter(counted).reduce((sum, { entries }) => sum + entries, 0)
}

const VERSION = 'd1'

/** A position in the queue, bound to its filters and order. */
function writeDeskCursor({ rank, reportedAt, id }: DeskPosition, listing: DeskListing): string {
  const parts = [VERSION, questionOf(listing), rank, reportedAt, id].join(' ')
  return Buffer.from(`${parts} ${crc32(parts).toString(36)}`).toString('base64url')
}

/** Throws a `Problem` if the text is not a cursor, or belongs to another list. */
function readDeskCursor(text: string, listing: DeskListing): DeskPosition {
  const plain = Buffer.from(text, 'base64url').toString('latin1')
  const end = plain.lastIndexOf(' ')
  const [version, question, rank, reportedAt, id = ''] = plain.slice(0, Math.max(end, 0)).split(' ')
  const position = { rank: Number(rank), reportedAt: Number(reportedAt), id }
  const isIntact =
    version === VERSION &&
    plain.slice(end + 1) === crc32(plain.slice(0, end)).toString(36) &&
    Number.isFinite(position.rank) &&
    Number.isSafeInteger(position.reportedAt) &&
    isIdentifier('incident', id)
  if (!isIntact) throw invalidCursor()
  if (question !== questionOf(listing)) {
    const message = 'belongs to other filters or another order; repeat those, or start without a cursor'
    throw new Problem('cursor_of_another_query', `The cursor ${message}.`, {
      errors: [{ parameter: 'cursor', message }],
    })
  }
  return position
}

function questionOf({ filter, status, order, words, origin, claimedBy }: DeskListing): string {
  return crc32([canonicalQuery(filter), status, order, words.join(' '), origin, claimedBy].join('|')).toString(36)
}

interface DeskListing {
  readonly filter: Filter
  readonly status: Status
  readonly words: readonly string[]
  readonly origin: Origin | null
  /** The id of an account, or `none`. */
  readonly claimedBy: string | null
  readonly order: DeskOrder
  readonly limit: number
  readonly withDuplicates: boolean
  readonly cursor: string | null
}

interface DeskParameters {
  readonly filter: Filter
  text(name: 'status' | 'q' | 'origin' | 'claimed_by' | 'order' | 'duplicates' | 'limit' | 'cursor'): string | null
}

const MAX_LIMIT = 200

const MAX_SEARCH_CHARACTERS = 200

/** Throws a `Problem` that names every error. */
function parseDeskListing({ filter, text }: DeskParameters, accountId: string): DeskListing {
  const errors: FieldError[] = []
  const status = parseChoice('status', text('status'), STATUSES, errors) ?? 'reported'
  const order = parseChoice('order', text('order'), DESK_ORDERS, errors) ?? 'newest'
  if (status === 'confirmed' && (order === 'severity' || order === 'confidence'))
    errors.push({ parameter: 'order', message: 'must be newest or oldest for confirmed incidents' })
  const listing = {
    filter,
    status,
    order,
    words: parseWords(text('q'), errors),
    origin: parseChoice('origin', text('origin'), ORIGINS, errors),
    claimedBy: parseClaimedBy(text('claimed_by'), accountId, errors),
    withDuplicates: parseChoice('duplicates', text('duplicates'), DUPLICATE_CHOICES, errors) !== 'none',
    limit: parseLimit(text('limit'), MAX_LIMIT, errors),
    cursor: text('cursor'),
  }
  if (errors.length > 0) throw invalidParameters(errors)
  return listing
}

function parseWords(text: string | null, errors: FieldError[]): readonly string[] {
  if (text === null) return []
  const parsed =
    text.length > MAX_SEARCH_CHARACTERS
      ? { fault: `is longer than ${MAX_SEARCH_CHARACTERS} characters` }
      : parseTerms(text)
  if ('terms' in parsed) return parsed.terms
  errors.push({ parameter: 'q', message: parsed.fault })
  return []
}

function parseClaimedBy(text: string | null, accountId: string, errors: FieldError[]): string | null {
  if (text === null || text === 'none' || isIdentifier('account', text)) return text
  if (text === 'me') return accountId
  errors.push({ parameter: 'claimed_by', message: 'must be me, none or the id of an account' })
  return null
}

/** A client that reconnects repeats its first URL; the header has its latest position. */
function positionOf(request: FastifyRequest, parameter: string | null, head: number): number {
  const header = request.headers['last-event-id']?.toString().trim()
  const text = header || parameter
  if (text === null || text === undefined) return head
  const name = header ? 'Last-Event-ID' : 'last_event_id'
  if (!/^\d{1,15}$/.test(text))
    throw invalidParameters([{ parameter: name, message: 'must be a revision of the desk, a whole number from 0' }])
  // After a restore the head may lie behind: everything that has changed since is unknown.
  return Number(text) > head ? 0 : Number(text)
}
