import Type from 'typebox'
import { STATUSES } from '../../../domain/incident.ts'
import { DESK_ORDERS, DUPLICATE_CHOICES, ORIGINS } from '../../../domain/moderation.ts'
import { SEVERITIES } from '../../../domain/taxonomy.ts'
import { DESK_FILTER_PARAMETERS } from '../../../filter/filter/parameters.ts'
import { limitParameter } from '../../../filter/parameter-values.ts'
import { endpoint, SEARCH_PROBLEMS } from '../endpoint.ts'
import { Named, PAGING } from '../schema.ts'
import { incidentId } from './parameters.ts'

export const DeskList = Named(
  'DeskList',
  Type.Object({
    data: Type.Array(Type.Ref('DeskIncident')),
    ...PAGING,
  }),
)

const amount = Type.Integer({ minimum: 0 })
const amounts = (names: readonly string[], description: string) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, amount])), { description })

export const DeskCounts = Named(
  'DeskCounts',
  Type.Object({
    status: amounts(STATUSES, 'All incidents, by status.'),
    origin: amounts(ORIGINS, 'Open reports, by origin.'),
    severity: amounts(SEVERITIES, 'Open reports, by severity.'),
    claimed: Type.Object(
      { me: amount, others: amount, none: amount },
      { description: 'Open reports, by who has claimed them.' },
    ),
    revision: Type.Integer({
      minimum: 0,
      description:
        'Grows with every arrival, decision, correction, note and claim. A position in `GET /v1/desk/stream`.',
    }),
  }),
)

export const listDesk = endpoint({
  id: 'listDesk',
  method: 'GET',
  path: '/v1/desk/incidents',
  tag: 'Desk',
  summary: 'List reports that need a decision',
  description:
    'Lists incidents with one status that match all filters. Each includes its possible duplicates. For incidents that are not confirmed, `since`, `from` and `to` apply to `reported_at`; for confirmed ones to `published_at`. ' +
    'One request looks at a limited number of incidents: a rare filter may return fewer than `limit` with `has_more`; follow `next_cursor`.',
  scope: 'review',
  query: {
    ...DESK_FILTER_PARAMETERS,
    status: { description: 'Default: `reported`.', example: 'reported', values: STATUSES },
    q: {
      description:
        'Words, up to 200 characters, each of which must begin a word of the summary, the place or the sources. Case and accents do not count.',
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
  response: { status: 200, description: 'A page of the queue.', schema: Type.Ref('DeskList') },
  problems: ['invalid_parameter', ...SEARCH_PROBLEMS, 'invalid_cursor', 'cursor_of_another_query'],
})

export const countDesk = endpoint({
  id: 'countDesk',
  method: 'GET',
  path: '/v1/desk/counts',
  tag: 'Desk',
  summary: 'Count the queue',
  scope: 'review',
  query: {},
  response: { status: 200, description: 'The counts.', schema: Type.Ref('DeskCounts') },
  problems: ['invalid_parameter'],
})

export const readDesk = endpoint({
  id: 'readDesk',
  method: 'GET',
  path: '/v1/desk/incidents/{id}',
  tag: 'Desk',
  summary: 'Read one incident, in any status',
  scope: 'review',
  pathParameters: incidentId,
  query: {},
  response: {
    status: 200,
    description: 'The incident.',
    schema: Type.Ref('DeskIncident'),
    headers: { ETag: 'The version; send it back as `If-Match`.' },
  },
  problems: ['invalid_parameter', 'not_found'],
})

export const readDeskStream = endpoint({
  id: 'readDeskStream',
  method: 'GET',
  path: '/v1/desk/stream',
  tag: 'Desk',
  summary: 'Follow the queue as it changes',
  description:
    'Server-Sent Events: one event `desk.changed` for each incident that arrived, was decided, corrected, noted or claimed, on any node; `id` is its `revision` and `data` is `{"revision", "id", "status", "version", "claim"}`, the claim as in `desk.claim`. ' +
    'Several changes of one incident may come as one event with its current state. Reconnect with `Last-Event-ID` (SSE clients do so automatically): everything that has changed since comes first. ' +
    'A claim that lapses by itself sends no event: `until` tells when. Every 15 seconds an event `heartbeat` carries the position. The connection is closed after at most 30 minutes.',
  scope: 'review',
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
    schema: Type.String({ description: 'An event stream; `data` is one line of JSON.' }),
    contentType: 'text/event-stream',
  },
  problems: ['invalid_parameter', 'too_many_streams', 'streams_full'],
})
