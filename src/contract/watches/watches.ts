import Type from 'typebox'
import { SHOWN_WATCH_STATUSES, WATCH_EVENTS } from '../../domain/watch.ts'
import { MAX_HEADER_VALUE_LENGTH, MAX_HEADERS } from '../../domain/watch-headers.ts'
import { limitParameter } from '../../query/parameter-values.ts'
import { endpoint } from '../endpoint.ts'
import { CheckedByHandler, Named, Nullable, OneOf, TextsByName, Time } from '../schema.ts'
import { AREA_PROBLEMS, SEARCH_PROBLEMS } from '../search-problems.ts'
import { EXAMPLE_FILTER } from './watch-filter.ts'

const id = { id: 'The id of the watch, such as `wat_01jd8z0c5x…`.' }
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Unique in your account; sent as `watch` in messages.',
})
const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The https address that receives the POST requests.',
})
const description = Nullable(Type.String({ maxLength: 1000 }))
const filter = CheckedByHandler(Type.Ref('WatchFilter'))
const events = Type.Array(OneOf(WATCH_EVENTS), {
  minItems: 1,
  uniqueItems: true,
  description: 'The events to send. Default: `["incident.created"]`.',
})

const headers = CheckedByHandler(
  Nullable(
    TextsByName(
      {
        maxProperties: MAX_HEADERS,
        description:
          'Your own request headers, sent with every message: all that the watch is to have; null or `{}` removes them. Values are printable ASCII; `***` keeps the value that a name has. Names that the service or HTTP itself uses are refused: `host`, `content-*`, `webhook-*`, `user-agent`, `connection` and the like.',
        example: { 'X-Team': 'roads' },
      },
      { minLength: 1, maxLength: MAX_HEADER_VALUE_LENGTH },
    ),
  ),
)

const fields = {
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  description,
  filter: Type.Ref('WatchFilter', { description: 'The filter as you sent it.' }),
  events,
  headers: TextsByName({
    description: 'The names of your own request headers; each value is shown as `***`.',
  }),
  status: OneOf(
    SHOWN_WATCH_STATUSES,
    '`failing`: active, but every attempt since `failing_since` failed; it is disabled after five days of that.',
  ),
  disabled_reason: Nullable(Type.String({ description: 'The reason why the service disabled the watch.' })),
  failing_since: Nullable(Time('The first failed attempt since the last successful one.')),
  sequence: Type.Integer({ minimum: 0, description: 'The `sequence` of its last message.' }),
  created_at: Time('When the watch was created.'),
  updated_at: Time('When the watch was last changed.'),
}

export const Watch = Named('Watch', Type.Object(fields))
export const WatchWithSecret = Named(
  'WatchWithSecret',
  Type.Object({
    ...fields,
    secret: Type.String({ description: 'The secret that signs the messages. It is shown only once: store it.' }),
  }),
)

const example = {
  name: 'North-west roads',
  url: 'https://example.org/hooks/incidents',
  filter: EXAMPLE_FILTER,
}
const wrong = ['invalid_body', 'too_many_values', 'name_taken'] as const
const list = {
  limit: limitParameter('Watches', 100),
  cursor: { description: 'The `next_cursor` of the previous page.', example: 'next_cursor' },
}
const paging = {
  has_more: Type.Boolean(),
  next_cursor: Nullable(Type.String({ description: 'Send it as `cursor` to get the next page.' })),
}

export const createWatch = endpoint({
  id: 'createWatch',
  method: 'POST',
  path: '/v1/watches',
  tag: 'Watches',
  summary: 'Watch for incidents',
  description:
    'From now on, every incident that matches the filter is sent to your endpoint as a signed POST as soon as it is confirmed, and retried until the endpoint answers 2xx; see the guide `/docs/webhooks`.',
  scope: 'watch',
  body: Type.Object(
    {
      name,
      url,
      filter: Type.Optional(filter),
      events: Type.Optional(events),
      headers: Type.Optional(headers),
      description: Type.Optional(description),
    },
    { additionalProperties: false, example },
  ),
  response: { status: 201, description: 'The watch, with its secret.', schema: Type.Ref('WatchWithSecret') },
  problems: [...wrong, ...AREA_PROBLEMS, 'too_many_watches'],
})

export const listWatches = endpoint({
  id: 'listWatches',
  method: 'GET',
  path: '/v1/watches',
  tag: 'Watches',
  summary: 'List your watches',
  scope: 'watch',
  query: list,
  response: {
    status: 200,
    description: 'Newest first.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Watch')), ...paging }),
  },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const readWatch = endpoint({
  id: 'readWatch',
  method: 'GET',
  path: '/v1/watches/{id}',
  tag: 'Watches',
  summary: 'Read a watch',
  scope: 'watch',
  pathParameters: id,
  query: {},
  response: { status: 200, description: 'The watch.', schema: Type.Ref('Watch') },
  problems: ['invalid_parameter', 'not_found'],
})

export const changeWatch = endpoint({
  id: 'changeWatch',
  method: 'PATCH',
  path: '/v1/watches/{id}',
  tag: 'Watches',
  summary: 'Change, pause or resume a watch',
  description:
    'Only the fields sent change. `"status": "paused"` stops the watch: no deliveries are created while it is paused, and pending ones wait. `"active"` resumes it, also after it was disabled, and sends the pending ones; `recover` then sends the missed events. Failures of another `url` than the current one do not count.',
  scope: 'watch',
  pathParameters: id,
  body: Type.Object(
    {
      name: Type.Optional(name),
      url: Type.Optional(url),
      filter: Type.Optional(filter),
      events: Type.Optional(events),
      headers: Type.Optional(headers),
      description: Type.Optional(description),
      status: Type.Optional(OneOf(['active', 'paused'])),
    },
    { additionalProperties: false, example: { status: 'paused' } },
  ),
  response: { status: 200, description: 'The watch after the change.', schema: Type.Ref('Watch') },
  problems: [...wrong, 'not_found'],
})

export const deleteWatch = endpoint({
  id: 'deleteWatch',
  method: 'DELETE',
  path: '/v1/watches/{id}',
  tag: 'Watches',
  summary: 'Delete a watch',
  description: 'Nothing more is sent; its deliveries are deleted.',
  scope: 'watch',
  pathParameters: id,
  response: { status: 204, description: 'The watch has been deleted.', schema: null },
  problems: ['not_found'],
})

export const previewWatch = endpoint({
  id: 'previewWatch',
  method: 'POST',
  path: '/v1/watches/preview',
  quota: 'previews_per_minute',
  tag: 'Watches',
  summary: 'Test a filter on past incidents',
  description: 'Counts how often a watch with this filter would have sent a message, and returns the newest matches.',
  scope: 'watch',
  body: Type.Object(
    {
      filter,
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Default: 30.' })),
    },
    { additionalProperties: false, example: { filter: example.filter, days: 30 } },
  ),
  response: {
    status: 200,
    description: 'The matches.',
    schema: Type.Object({
      days: Type.Integer(),
      matches: Type.Integer({ minimum: 0 }),
      a_day: Type.Number({ minimum: 0 }),
      newest: Type.Array(Type.Ref('Incident'), { description: 'At most five.' }),
    }),
  },
  problems: ['invalid_body', ...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})

export const testWatch = endpoint({
  id: 'testWatch',
  method: 'POST',
  path: '/v1/watches/{id}/test',
  quota: 'watch_tests_per_minute',
  tag: 'Watches',
  summary: 'Send a test message',
  description:
    'Sends one signed message with `"test": true` and a sample incident, and returns the endpoint\'s response. Its `sequence` is 0, it is not retried, and it is in the log of deliveries.',
  scope: 'watch',
  pathParameters: id,
  body: Type.Object(
    {
      event: Type.Optional(OneOf(WATCH_EVENTS, 'The event to send. Default: the first that the watch lists.')),
    },
    { additionalProperties: false, example: { event: 'incident.updated' } },
  ),
  bodyCheck: 'where given',
  response: {
    status: 200,
    description: 'The result.',
    schema: Type.Object({
      id: Type.String({ description: 'The id of the delivery in the log.' }),
      delivered: Type.Boolean(),
      message: Type.String({ description: 'The result in words.' }),
      status_code: Nullable(Type.Integer()),
      duration_ms: Type.Integer({ minimum: 0 }),
      answer: Nullable(Type.String({ description: 'The beginning of the response body.' })),
    }),
  },
  problems: ['not_found'],
})

export const rotateSecret = endpoint({
  id: 'rotateSecret',
  method: 'POST',
  path: '/v1/watches/{id}/rotate-secret',
  tag: 'Watches',
  summary: 'Replace the secret',
  description:
    'Messages are signed with the new secret, and with every replaced one for 24 hours after its replacement. `{"revoke": true}` ends the old ones at once. At most ten are valid at a time.',
  scope: 'watch',
  pathParameters: id,
  body: Type.Object(
    { revoke: Type.Optional(Type.Boolean({ description: 'Whether the old secrets end now. Default: false.' })) },
    { additionalProperties: false, example: { revoke: true } },
  ),
  bodyCheck: 'where given',
  response: { status: 200, description: 'The watch, with its new secret.', schema: Type.Ref('WatchWithSecret') },
  problems: ['not_found', 'too_many_secrets'],
})

export const retryWatch = endpoint({
  id: 'retryWatch',
  method: 'POST',
  path: '/v1/watches/{id}/retry',
  tag: 'Watches',
  summary: 'Send pending messages now',
  description: 'Makes every pending delivery of the watch due at once, instead of at its next attempt.',
  scope: 'watch',
  pathParameters: id,
  response: {
    status: 200,
    description: 'The number of messages.',
    schema: Type.Object({
      pending: Type.Integer({ minimum: 0, description: 'Deliveries that were waiting and are sent now.' }),
    }),
  },
  problems: ['not_found', 'watch_not_active'],
})

export const recoverWatch = endpoint({
  id: 'recoverWatch',
  method: 'POST',
  path: '/v1/watches/{id}/recover',
  tag: 'Watches',
  summary: 'Resend failed and missed messages',
  description:
    'Covers everything since that time: failed deliveries become due again, and events that the watch missed while paused or disabled are sent now, corrections included whose previous version matched. A message about an incident that was retracted since is cancelled instead of sent.',
  scope: 'watch',
  pathParameters: id,
  body: Type.Object(
    {
      since: Type.String({
        maxLength: 40,
        description: 'A span such as `24h`, or an RFC 3339 time; up to 30 days ago.',
      }),
    },
    { additionalProperties: false, example: { since: '24h' } },
  ),
  response: {
    status: 200,
    description: 'The numbers of messages to be sent.',
    schema: Type.Object({
      pending: Type.Integer({
        minimum: 0,
        description: 'Deliveries that are on their way already; `retry` sends them now.',
      }),
      failed: Type.Integer({ minimum: 0, description: 'Failed deliveries that are sent again.' }),
      missed: Type.Integer({ minimum: 0, description: 'Missed events that are sent for the first time.' }),
    }),
  },
  problems: ['invalid_body', 'not_found', 'watch_not_active'],
})
