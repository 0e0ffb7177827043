import type { FastifyRequest } from 'fastify'
import { invalidParameters } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import type { LiveFilter } from '../../../query/filter/filter.ts'
import { parseStreamFilter } from '../../../query/filter/stream-filter.ts'
import type { EventLog } from '../../../store/store.ts'
import { queryOf } from '../../requests/parameters.ts'

const IN_QUERY = 'last_event_id'
const IN_HEADER = 'Last-Event-ID'

export interface StreamRequest {
  readonly filter: LiveFilter
  readonly filterText: string
  /** The last event that the client has, and where it said so. */
  readonly position: { readonly seq: number; readonly parameter: string } | null
}

export function streamRequestOf(request: FastifyRequest, places: Places): StreamRequest {
  const query = new URLSearchParams(queryOf(request))
  const parsed = parseStreamFilter(query, [IN_QUERY], places)
  if ('errors' in parsed) throw invalidParameters(parsed.errors)
  const header = request.headers['last-event-id']?.toString().trim()
  // A client that comes back asks the address it was first given: the header is what it knows since.
  const position = header ? positionOf(header, IN_HEADER) : positionOf(query.get(IN_QUERY), IN_QUERY)
  return { filter: parsed.value, filterText: canonicalQuery(parsed.value), position }
}

function positionOf(text: string | null, parameter: string): StreamRequest['position'] {
  if (text === null) return null
  if (!/^\d{1,15}$/.test(text))
    throw invalidParameters([{ parameter, message: 'must be the seq of a change, a whole number from 0' }])
  return { seq: Number(text), parameter }
}

/** Refuses a position that the log has not reached. Another node may be ahead of this one, and have told the client of it. */
export async function checkPosition(
  position: NonNullable<StreamRequest['position']>,
  head: number,
  log: () => Pick<EventLog, 'head'>,
): Promise<void> {
  const { seq, parameter } = position
  if (seq <= head || seq <= (await log().head()).seq) return
  const message = `is beyond the newest change, which is ${head}: this is not a position that this service gave out`
  throw invalidParameters([{ parameter, message }])
}
