import type { FastifyRequest } from 'fastify'
import { invalidParameters } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { canonicalQuery } from '../../../filter/filter/canonical.ts'
import type { AreaShape, StreamFilter } from '../../../filter/filter/filter.ts'
import { parseStreamFilter } from '../../../filter/filter/stream-filter.ts'
import type { EventLog } from '../../../store/store.ts'
import { queryOf } from '../../requests/parameters.ts'

const POSITION_PARAMETER = 'last_event_id'
const POSITION_HEADER = 'Last-Event-ID'

export interface StreamRequest {
  readonly filter: StreamFilter
  readonly filterText: string
  /** The client's last event, and the parameter or header that names it. */
  readonly position: { readonly seq: number; readonly parameter: string } | null
}

/** `area` is the shape of the saved area that the query names. */
export function parseStreamRequest(request: FastifyRequest, places: Places, area: AreaShape | null): StreamRequest {
  const query = new URLSearchParams(queryOf(request))
  const parsed = parseStreamFilter(query, [POSITION_PARAMETER], places, area)
  if ('errors' in parsed) throw invalidParameters(parsed.errors)
  const header = request.headers['last-event-id']?.toString().trim()
  // A client that reconnects repeats its first URL; the header has its latest position.
  const position = header
    ? parsePosition(header, POSITION_HEADER)
    : parsePosition(query.get(POSITION_PARAMETER), POSITION_PARAMETER)
  return { filter: parsed.value, filterText: canonicalQuery(parsed.value), position }
}

function parsePosition(text: string | null, parameter: string): StreamRequest['position'] {
  if (text === null) return null
  if (!/^\d{1,15}$/.test(text))
    throw invalidParameters([{ parameter, message: 'must be the seq of a change, a whole number from 0' }])
  return { seq: Number(text), parameter }
}

/** Refuses a position beyond the log, read here: the client may come from a node that is ahead. */
export async function checkPosition(
  position: NonNullable<StreamRequest['position']>,
  head: number,
  log: () => Pick<EventLog, 'head'>,
): Promise<void> {
  const { seq, parameter } = position
  if (seq <= head || seq <= (await log().head()).seq) return
  const message = `is beyond the newest change, which is ${head}; this service has not issued this position`
  throw invalidParameters([{ parameter, message }])
}
