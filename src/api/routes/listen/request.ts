import type { FastifyRequest } from 'fastify'
import { type FieldError, invalidParameters } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { WATCH_EVENTS, type WatchEvent } from '../../../domain/watch.ts'
import type { AreaShape, LiveFilter } from '../../../filter/filter/filter.ts'
import { parseListenFilter } from '../../../filter/filter/stream-filter.ts'
import { parseChoice } from '../../../filter/parameter-values.ts'
import type { ListeningPosition } from '../../../store/store.ts'
import { parsePositionText } from '../../../streams/listening-streams.ts'
import { queryOf } from '../../requests/parameters.ts'

const POSITION_PARAMETER = 'last_event_id'
const OTHERS = [POSITION_PARAMETER, 'watch', 'events']

/** Either `watchId` is given, or the filter and its events count. */
export interface ListenRequest {
  readonly watchId: string | null
  readonly filter: LiveFilter
  readonly events: readonly WatchEvent[]
  readonly after: ListeningPosition | null
}

/** `area` is the shape of the saved area that the query names. */
export function parseListenRequest(request: FastifyRequest, places: Places, area: AreaShape | null): ListenRequest {
  const query = new URLSearchParams(queryOf(request))
  const parsed = parseListenFilter(query, OTHERS, places, area)
  if ('errors' in parsed) throw invalidParameters(parsed.errors)
  const watchId = query.get('watch')
  const errors: FieldError[] = []
  if (watchId !== null)
    for (const parameter of new Set(query.keys()))
      if (parameter !== 'watch' && parameter !== POSITION_PARAMETER)
        errors.push({ parameter, message: 'cannot be combined with watch, which has its own filter and events' })
  const events = query.getAll('events').flatMap((text) => text.split(','))
  const kinds = events.map((text) => parseChoice('events', text, WATCH_EVENTS, errors))
  const after = positionOf(request, query.get(POSITION_PARAMETER), errors)
  if (errors.length > 0) throw invalidParameters(errors)
  const listed = WATCH_EVENTS.filter((each) => kinds.includes(each))
  // As for a watch: what is followed was published before.
  const usual = parsed.value.incidents === null ? (['incident.created'] as const) : WATCH_EVENTS
  return { watchId, filter: parsed.value, events: listed.length === 0 ? usual : listed, after }
}

/** A client that reconnects repeats its first URL; the header has its latest position. */
function positionOf(request: FastifyRequest, parameter: string | null, errors: FieldError[]): ListeningPosition | null {
  const header = request.headers['last-event-id']?.toString().trim()
  const text = header || parameter
  if (text === null || text === undefined) return null
  const position = parsePositionText(text)
  if (position === null)
    errors.push({
      parameter: header ? 'Last-Event-ID' : POSITION_PARAMETER,
      message: 'must be the id of an event of this stream, such as 8123-17',
    })
  return position
}
