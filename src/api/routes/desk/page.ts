import type { ArchiveView } from '../../../archive/archive-view.ts'
import type { Position } from '../../../archive/columns/columns.ts'
import { readCursor, writeCursor } from '../../../archive/query/cursor.ts'
import type { PageQuery } from '../../../archive/query/matches.ts'
import { PREFIXES } from '../../../domain/identifier.ts'
import { EMPTY_MODERATION_RECORD, liveClaim, originOf, searchText } from '../../../domain/moderation.ts'
import { boundingBoxOf, matchesArea, publishedFrom } from '../../../filter/filter/matches.ts'
import type { Steps } from '../../../lib/steps.ts'
import type { DeskPosition, DeskQuery, IncidentRecord, Store } from '../../../store/store.ts'
import { readDeskCursor, writeDeskCursor } from './cursor.ts'
import type { DeskListing } from './request.ts'

/** Entries of the queue that one request looks at: a million would hold up the database. */
const MAX_LOOKED_AT = 20_000
/** Few enough to read at once; more than a small page, so that a rare circle needs few reads. */
const MIN_ASKED = 200
/** Confirmed incidents that one request compares with words: their documents are read. */
const MAX_CONFIRMED_READ = 2_000
const CONFIRMED_BATCH = 200

export interface DeskPage {
  readonly records: readonly IncidentRecord[]
  readonly nextCursor: string | null
}

/** Confirmed incidents are many, so their order comes from the archive in memory. */
export function readDeskPage(
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
export type FindConfirmed = (query: PageQuery) => Promise<ConfirmedPositions>

interface ConfirmedPositions {
  readonly positions: readonly Position[]
  readonly isEnd: boolean
}

export function* confirmedPositions(view: ArchiveView, query: PageQuery): Steps<ConfirmedPositions> {
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
    nextCursor: isEnd || after === null ? null : writeCursor({ position: after, requestedAt: 0 }, question),
  }
}

/** Null if every incident that matches the filter is wanted. */
function wantedBy(
  { words, origin, claimedBy }: DeskListing,
  now: number,
): ((record: IncidentRecord) => boolean) | null {
  if (words.length === 0 && origin === null && claimedBy === null) return null
  return ({ incident, moderation, claim }) => {
    const text = searchText(incident)
    return (
      words.every((word) => text.includes(` ${word}`)) &&
      (origin === null || originOf(moderation ?? EMPTY_MODERATION_RECORD) === origin) &&
      (claimedBy !== 'none' || liveClaim(claim, now) === null)
    )
  }
}

async function recordsOf(ids: readonly string[], store: Store): Promise<IncidentRecord[]> {
  const byId = new Map((await store.incidents.findRecords(ids)).map((record) => [record.incident.id, record]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
