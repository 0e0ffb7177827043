import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidParameters, Problem } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { type Position, requirePosition } from '../event-log/positions.ts'
import { type AreaShape, canonicalQuery, type StreamFilter } from '../filter/filter.ts'
import { LIVE_PARAMETER_NAMES, parseStreamFilter } from '../filter/live-filters.ts'
import { FILTER_PARAMETERS, type Parameter } from '../filter/parameters.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { AREA_PROBLEMS, endpoint } from './contract/endpoint.ts'
import { Text } from './contract/schema.ts'
import { addressSubject, areaOfQuery, queryOf } from './request.ts'
import type { Router } from './router.ts'
import type { CountedResponse } from './server.ts'

export const STANDING_PARAMETERS = Object.fromEntries(
  LIVE_PARAMETER_NAMES.map((name) => [name, FILTER_PARAMETERS[name]]),
) as Record<(typeof LIVE_PARAMETER_NAMES)[number], Parameter>

export const readStream = endpoint('readStream', 'GET /v1/stream', {
  sample: { state: 'Kaduna,Zamfara' },
  tag: 'Incidents',
  summary: 'Stream incidents as they happen',
  description:
    'Server-Sent Events: sends every incident that matches all filters within moments of its confirmation, correction or retraction. ' +
    '`event` is `incident.created`, `incident.updated` or `incident.retracted`, `id` is the `position`, and `data` is the `Change` as in `GET /v1/changes`, on one line. ' +
    'A correction is also sent if only the previous version matched: check whether it still concerns you. If `incident` is `null`, it has been retracted: delete your copy. ' +
    'Reconnect with `Last-Event-ID` (SSE clients do so automatically): missed events come first, then new ones, each exactly once. ' +
    'A position more than 10,000 changes back gets one event `reset`, whose `seq` and `position` tell where the stream continues: list the incidents again. A position that is not in the log any more, after a restore or a loss, is answered with 410 and `resume_after`. ' +
    'Every 15 seconds an event `heartbeat` carries `{"event":"heartbeat","seq":…,"position":…,"in_step_at":…}`: your position, and when this node was last in step with the log. The connection is closed after at most 30 minutes; `retry` tells how soon to reconnect. A client that does not read is disconnected.',
  scope: 'read',
  query: {
    ...STANDING_PARAMETERS,
    last_event_id: {
      description:
        'The last `position` that you have, such as `meta.position` of a list; a `Last-Event-ID` header takes precedence. Without either, the stream starts with new events. A plain `seq` works as well, but a loss may go unnoticed with it.',
      example: '8123.Xk3yR0pWc9A',
    },
  },
  requestHeaders: ['Last-Event-ID'],
  response: {
    status: 200,
    description: 'An endless stream of events.',
    schema: Text('An event stream; `data` is a `Change` as JSON.'),
    contentType: 'text/event-stream',
  },
  problems: [...AREA_PROBLEMS, 'position_lost', 'too_many_values', 'too_many_streams', 'streams_full'],
})

export function streamRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { geography } = environment
  router.beforeClose(({ streams }) => streams[Symbol.asyncDispose]())

  router.add(readStream, async ({ request, reply, services: { store, streams, positions } }) => {
    const { filter, filterText, position } = parseStreamRequest(
      request,
      geography.places,
      await areaOfQuery(request, store, geography.places),
    )
    const after = position && {
      seq: await positions.require(position.position, position.parameter),
      text: position.position.text,
    }
    return startStream(request, reply, authenticator, (response, key) =>
      streams.addConnection(response, { filter, filterText, after, ...key }),
    )
  })
}

const POSITION_PARAMETER = 'last_event_id'
const POSITION_HEADER = 'Last-Event-ID'

interface StreamRequest {
  readonly filter: StreamFilter
  readonly filterText: string
  /** The client's last event, and the parameter or header that names it. */
  readonly position: { readonly position: Position; readonly parameter: string } | null
}

function parseStreamRequest(request: FastifyRequest, places: Places, area: AreaShape | null): StreamRequest {
  const query = new URLSearchParams(queryOf(request))
  const parsed = parseStreamFilter(query, [POSITION_PARAMETER], places, area)
  if ('errors' in parsed) throw invalidParameters(parsed.errors)
  const header = request.headers['last-event-id']?.toString().trim()
  // A client that reconnects repeats its first URL; the header has its latest position.
  const position = header
    ? namedPosition(header, POSITION_HEADER)
    : namedPosition(query.get(POSITION_PARAMETER), POSITION_PARAMETER)
  return { filter: parsed.value, filterText: canonicalQuery(parsed.value), position }
}

function namedPosition(text: string | null, parameter: string): StreamRequest['position'] {
  return text === null ? null : { position: requirePosition(text, parameter), parameter }
}

/** The first bound that a stream counts for, by the kind of its key. */
const BOUNDED = { live: 'account', session: 'account', publishable: 'address with this key' } as const

function acquireStream(request: FastifyRequest, { quotas }: Authenticator): () => void {
  const { connections } = quotas
  const bounds = quotas.streamBounds(request.caller!, addressSubject(request))
  const result = connections.acquire(bounds)
  if (result === 'all full') {
    throw new Problem('streams_full', 'This node has the maximum number of open streams.', {
      headers: { 'retry-after': '10' },
    })
  }
  if (result !== 'taken') {
    const { max } = bounds.find(({ subject }) => subject === result.full)!
    const whose = result.full === bounds[0]!.subject ? BOUNDED[request.caller!.key.kind] : 'publishable keys together'
    throw new Problem(
      'too_many_streams',
      `There are ${max} open streams of your ${whose} on this node, which is the maximum. Close one first.`,
    )
  }
  return () => connections.release(bounds)
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Tells nginx not to buffer: events must reach the client at once.
  'x-accel-buffering': 'no',
  // No request can follow on this connection; `close` lets a shutdown end it at once.
  connection: 'close',
}

/** The key of a connection, by which it is closed once the key is no longer valid. */
interface StreamKey {
  readonly keyHash: string
  readonly isKeyValid: () => boolean | Promise<boolean>
}

export function startStream(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticator: Authenticator,
  connect: (response: ServerResponse, key: StreamKey) => void,
): FastifyReply {
  reply.headers(STREAM_HEADERS)
  const response = reply.raw as CountedResponse
  if (request.method === 'HEAD') {
    response.isStream = true
    return reply.send()
  }
  // The client may have disconnected during an await; its `close` event has already fired.
  if (reply.raw.destroyed) return reply.hijack()
  const release = acquireStream(request, authenticator)
  reply.hijack()
  response.isStream = true
  response.on('close', release)
  response.writeHead(200, reply.getHeaders() as Record<string, string>)
  const { key } = request.caller!
  connect(response, { keyHash: key.hash, isKeyValid: () => authenticator.keyHolders.isStillValid(key) })
  return reply
}
