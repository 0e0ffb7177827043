import type { FastifyRequest } from 'fastify'
import { type Listener, SessionKey } from '../deliveries/listening.ts'
import { type FieldError, invalidParameters, Problem } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { shownStatus, WATCH_EVENTS, type WatchEvent } from '../domain/watch.ts'
import type { AreaShape, LiveFilter } from '../filter/filter.ts'
import { parseListenFilter } from '../filter/live-filters.ts'
import { INCIDENT_PARAMETER, parseChoice } from '../filter/parameters.ts'
import type { Store } from '../store/store.ts'
import { parsePositionText } from '../streams/listening-streams.ts'
import { type Authenticator, readKey } from './auth/authenticator.ts'
import { endpointsOf } from './contract/endpoint.ts'
import { Text } from './contract/schema.ts'
import { areaOfQuery, queryOf, requirePublished } from './request.ts'
import type { Router } from './router.ts'
import { STANDING_PARAMETERS, startStream } from './stream.ts'
import { findWatch, requireWebhook } from './watches/routes.ts'

const endpoint = endpointsOf({ tag: 'Watches', scope: 'watch' })

export const listen = endpoint('listen', 'GET /v1/listen', {
  summary: 'Receive signed messages without an endpoint',
  description:
    'Server-Sent Events with the messages of one of your watches, or of a filter, as an endpoint would get them: for development, where no public address is. ' +
    'The first event is `listening`: `{"event":"listening","watch":{"id","name","status","events"},"events":[…],"secret":null}`. ' +
    'Each `message` is `{"event":"message","id","kind","seq","test","resent","headers":{…},"body":"…"}`: post exactly these bytes with these headers. The own headers of a watch are not among them. ' +
    "A watch's messages are signed with its own secrets; its tests, redeliveries and recovered messages are heard too. Its endpoint gets everything as before. " +
    'Messages of a filter are signed with the `secret` in `listening`, which stays the same for the same key; their `watch` is `listening`, their `sequence` 0. ' +
    'Reconnect with `Last-Event-ID`, whose form is not specified: what was missed follows. `reset` says that the position lies too far back (10,000 events), `ended` that the watch was deleted, and `heartbeat` comes every 15 seconds. ' +
    "Counts as one of the account's streams.",
  query: {
    watch: {
      description: 'The watch to listen to; without it, the filters below apply.',
      example: 'wat_01jd8z0c5xq3v7m2k9h4t6w8ra',
    },
    events: {
      description: 'With a filter, the events to hear of. Default: `incident.created`, or all three with `incident`.',
      example: 'incident.created',
      values: WATCH_EVENTS,
      several: true,
    },
    ...STANDING_PARAMETERS,
    incident: INCIDENT_PARAMETER,
    last_event_id: {
      description: 'The `id` of the last event that you have; a `Last-Event-ID` header takes precedence.',
      example: '8123-17',
    },
  },
  response: {
    status: 200,
    description: 'An endless stream of events.',
    schema: Text('An event stream; `data` is JSON.'),
    contentType: 'text/event-stream',
  },
  problems: ['too_many_values', 'not_found', 'not_a_webhook', 'too_many_streams', 'streams_full'],
})

export function listenRoutes(router: Router): void {
  const { authenticator, environment } = router
  router.beforeClose(({ listeningStreams }) => listeningStreams[Symbol.asyncDispose]())

  router.add(listen, async ({ request, reply, services: { store, listeningStreams, positions } }) => {
    const { places } = environment.geography
    const asked = parseListenRequest(request, places, await areaOfQuery(request, store, places))
    await requirePublished(asked.filter.incidents, store, { parameter: 'incident' })
    const { listener, greeting } =
      asked.watchId === null
        ? filterListener(asked, new SessionKey(credentialOf(request, authenticator)))
        : await watchListener(store, request.caller!.account.id, asked.watchId)
    if (listeningStreams.isFull)
      throw new Problem('streams_full', 'This node has the maximum number of listeners.', {
        headers: { 'retry-after': '10' },
      })
    const isLost = asked.after !== null && (await positions.isBehindFork(asked.after))
    return startStream(request, reply, authenticator, (response, key) =>
      listeningStreams.addConnection(response, { listener, greeting, after: asked.after, isLost, ...key }),
    )
  })
}

interface Listening {
  readonly listener: Listener
  /** The members of the first event. */
  readonly greeting: object
}

function filterListener({ filter, events }: ListenRequest, key: SessionKey): Listening {
  return { listener: { kind: 'filter', filter, events, key }, greeting: { watch: null, events, secret: key.secret } }
}

async function watchListener(store: Store, accountId: string, watchId: string): Promise<Listening> {
  const watch = await findWatch(store, accountId, watchId)
  requireWebhook(watch)
  const { id, name, events } = watch
  return {
    listener: { kind: 'watch', accountId, watchId: id },
    greeting: { watch: { id, name, status: shownStatus(watch), events }, events, secret: null },
  }
}

/** The text that only the caller and this service know. */
function credentialOf(request: FastifyRequest, { sessions }: Authenticator): string {
  const key = readKey(request, false)
  const credential = typeof key === 'string' ? key : sessions.cookie.read(request)
  if (credential === null) throw new TypeError('a caller was admitted without a key or a session')
  return credential
}

const POSITION_PARAMETER = 'last_event_id'
const OTHERS = [POSITION_PARAMETER, 'watch', 'events']

type ListenedPosition = NonNullable<ReturnType<typeof parsePositionText>>

/** Either `watchId` is given, or the filter and its events count. */
interface ListenRequest {
  readonly watchId: string | null
  readonly filter: LiveFilter
  readonly events: readonly WatchEvent[]
  readonly after: ListenedPosition | null
}

function parseListenRequest(request: FastifyRequest, places: Places, area: AreaShape | null): ListenRequest {
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
function positionOf(request: FastifyRequest, parameter: string | null, errors: FieldError[]): ListenedPosition | null {
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
