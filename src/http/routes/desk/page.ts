import type { Archive } from '../../../archive/archive.ts'
import { readCursor, writeCursor } from '../../../archive/query/cursor.ts'
import { type FieldError, invalidParameters } from '../../../domain/errors.ts'
import { isIdentifier, PREFIXES } from '../../../domain/identifier.ts'
import { STATUSES, type Status } from '../../../domain/incident.ts'
import { EVERYTHING } from '../../../query/filter/filter.ts'
import { parseChoice, parseLimit } from '../../../query/parameter-values.ts'
import type { IncidentRecord, Store } from '../../../store/store.ts'
import { invalidCursor } from '../../requests/paging.ts'

const MAX_LIMIT = 200

export interface DeskPage {
  readonly records: readonly IncidentRecord[]
  readonly nextCursor: string | null
}

/** Confirmed incidents are many, so their order comes from the archive in memory. */
export async function readDeskPage(
  statusText: string | null,
  limitText: string | null,
  cursor: string | null,
  store: Store,
  archive: Archive,
  now: number,
): Promise<DeskPage> {
  const errors: FieldError[] = []
  const status = parseChoice('status', statusText, STATUSES, errors) ?? 'reported'
  const limit = parseLimit(limitText, MAX_LIMIT, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return status === 'confirmed'
    ? readConfirmed(limit, cursor, store, archive, now)
    : readQueue(status, limit, cursor, store)
}

async function readQueue(
  status: Exclude<Status, 'confirmed'>,
  limit: number,
  cursor: string | null,
  store: Store,
): Promise<DeskPage> {
  if (cursor !== null && !isIdentifier('incident', cursor)) throw invalidCursor()
  const records = await store.incidents.listByStatus(status, limit + 1, cursor)
  const page = records.slice(0, limit)
  return { records: page, nextCursor: records.length > limit ? page.at(-1)!.incident.id : null }
}

async function readConfirmed(
  limit: number,
  cursor: string | null,
  store: Store,
  archive: Archive,
  now: number,
): Promise<DeskPage> {
  const listing = { filter: EVERYTHING, order: 'newest', limit, cursor } as const
  const after = cursor === null ? null : readCursor(cursor, listing).position
  const { slots, next } = archive.findPage({ ...listing, after, now })
  const ids = slots.map((slot) => PREFIXES.incident + archive.positionOf(slot).suffix)
  const byId = new Map((await store.incidents.findRecords(ids)).map((record) => [record.incident.id, record]))
  const nextCursor =
    next === null ? null : writeCursor({ position: archive.positionOf(slots.at(-1)!), requestedAt: 0 }, listing)
  return { records: ids.flatMap((id) => byId.get(id) ?? []), nextCursor }
}
