import Type from 'typebox'
import { ATTEMPT_OUTCOMES, DELIVERY_STATUSES } from '../../domain/delivery.ts'
import { WATCH_EVENTS } from '../../domain/watch.ts'
import type { Parameter } from '../../filter/parameters.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import {
  Closed,
  Count,
  Flag,
  NamedObject,
  Nullable,
  NullableText,
  OneOf,
  PageOf,
  pageParameters,
  TextsByName,
  Time,
} from '../contract/schema.ts'

const endpoint = endpointsOf({ tag: 'Watches', scope: 'watch' })

const id = { id: 'The id of the delivery, such as `msg_01jd8z0c5x…`: the `webhook-id` of its messages.' }

const attemptFields = {
  number: Type.Integer({ minimum: 1 }),
  at: Time('When the attempt began.'),
  duration_ms: Type.Integer({ minimum: 0 }),
  outcome: OneOf(ATTEMPT_OUTCOMES, '`refused`: a response other than 2xx; `blocked`: an address that is not allowed.'),
  status_code: Nullable(Type.Integer()),
}

const headers = TextsByName({
  description:
    'The request headers. `***` stands for the signature, which is not stored, and for the values of your own headers: those that the watch has now, also where an earlier attempt had others.',
})
const contentSeq = Nullable(
  Type.Integer({
    description:
      'The event whose version of the incident is in the body; null if that is not known, or if it is made up.',
  }),
)

const fields = {
  id: Type.String(),
  watch_id: Type.String(),
  event: OneOf(WATCH_EVENTS),
  incident_id: NullableText('The incident that the message tells of; null for tests that were logged without it.'),
  seq: Count("The event's position in the log; of a test message, the last one's."),
  sequence: Count('The number of the message within the watch; 0 if it is a test.'),
  test: Flag('Whether it is a message of the test endpoint.'),
  status: OneOf(
    DELIVERY_STATUSES,
    '`pending`: sent now, later, or once the watch is resumed; `cancelled`: the incident was retracted before it could be sent.',
  ),
  attempts: Type.Integer({ minimum: 0 }),
  last_attempt: Nullable(Type.Object(attemptFields, { description: 'Null before the first.' })),
  next_attempt_at: Nullable(Time('When the next attempt is due; null while the watch is paused or disabled.')),
  created_at: Time('When the delivery was created.'),
  finished_at: Nullable(Time('When it was delivered, given up or cancelled.')),
}

NamedObject('Delivery', fields)

NamedObject('Attempt', {
  ...attemptFields,
  answer: NullableText('The beginning of the response body: up to 1,024 characters.'),
  error: NullableText('A description of the error.'),
  content_seq: contentSeq,
  headers,
})

NamedObject('MessageBody', {
  content_seq: contentSeq,
  version: Type.Integer({ minimum: 1, description: 'The version of the incident in it.' }),
  redacted: Flag('True if content was taken out of the incident since: then this is not what was sent.'),
  body: NullableText(
    'The exact text, rebuilt from the log of events; null if the incident was retracted since: what was withdrawn is not repeated.',
  ),
})

NamedObject('DeliveryWithAttempts', {
  ...fields,
  log: Type.Array(Type.Ref('Attempt'), { description: 'The last 100 attempts, oldest first.' }),
  bodies: Type.Array(Type.Ref('MessageBody'), {
    description: 'The bodies of these attempts: one for each `content_seq`.',
  }),
  next: Nullable(
    Type.Object(
      { content_seq: contentSeq, version: Type.Integer({ minimum: 1 }), headers, body: Type.String() },
      { description: 'What an attempt would send now; null for a test, or if nothing would be sent any more.' },
    ),
  ),
})

const filters = {
  status: { description: 'Only deliveries with this status.', example: 'failed', values: DELIVERY_STATUSES },
  event: { description: 'Only messages of this event.', example: 'incident.created', values: WATCH_EVENTS },
  incident: { description: 'Only messages about this incident; no tests.', example: 'inc_01jd8z0c5xq3v7m2k9h4t6w8ra' },
  since: {
    description: 'Only messages of events, and tests sent, since then: a span such as `24h`, or a time.',
    example: '24h',
  },
  from: {
    description: 'Only messages of events, and tests sent, at that time or later.',
    example: '2026-05-01T00:00:00Z',
  },
  to: { description: 'Only messages of events, and tests sent, before that time.', example: '2026-05-02T00:00:00Z' },
  ...pageParameters('Deliveries', 100),
} as const satisfies Record<string, Parameter>

const response = {
  status: 200,
  description: 'A page of deliveries, in the order of events, newest first.',
  schema: PageOf('Delivery'),
} as const

export const listDeliveries = endpoint('listDeliveries', 'GET /v1/watches/{id}/deliveries', {
  summary: 'List the deliveries of a watch',
  pathParameters: { id: 'The id of the watch, such as `wat_01jd8z0c5x…`.' },
  query: filters,
  response,
})

export const listAllDeliveries = endpoint('listAllDeliveries', 'GET /v1/deliveries', {
  summary: 'List the deliveries of all your watches',
  description: 'An account with more than 1,000 watches has to name them with `watch`.',
  query: {
    watch: {
      description: 'Only deliveries of these watches.',
      example: 'wat_01jd8z0c5xq3v7m2k9h4t6w8ra',
      several: true,
    },
    ...filters,
  },
  response,
  problems: ['too_many_values'],
})

export const readDelivery = endpoint('readDelivery', 'GET /v1/deliveries/{id}', {
  summary: 'Read a delivery with every attempt',
  description:
    'Stored are the time, the answer and the version of the incident of each attempt. Headers and bodies are rebuilt from these and from the log of events.',
  pathParameters: id,
  response: ok('The delivery.', Type.Ref('DeliveryWithAttempts')),
})

export const redeliverAll = endpoint('redeliverAll', 'POST /v1/deliveries/redeliver', {
  summary: 'Send all deliveries again that a filter matches',
  description:
    'Takes the filters of the log, at least one. Up to 1,000 are sent again per request, newest event first; send `next_cursor` as `cursor` for the rest. Tests, messages about incidents that were retracted since, and those of watches that are not active are left out and counted.',
  body: Closed(
    {
      status: Type.Optional(OneOf(DELIVERY_STATUSES)),
      event: Type.Optional(OneOf(WATCH_EVENTS)),
      incident: Type.Optional(Type.String({ maxLength: 100 })),
      watch: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100 })),
      since: Type.Optional(Type.String({ maxLength: 40 })),
      from: Type.Optional(Type.String({ maxLength: 40 })),
      to: Type.Optional(Type.String({ maxLength: 40 })),
      cursor: Type.Optional(Type.String({ maxLength: 100 })),
    },
    { example: { status: 'failed', since: '24h' } },
  ),
  response: ok(
    'How many are sent again.',
    Type.Object({
      redelivered: Type.Integer({ minimum: 0 }),
      skipped: Type.Object({
        tests: Type.Integer({ minimum: 0 }),
        retracted: Count('What the message says is no longer true.'),
        inactive: Count('Their watch is paused or disabled: resume it first.'),
      }),
      has_more: Type.Boolean(),
      next_cursor: NullableText('Send it as `cursor`, with the same filters.'),
    }),
  ),
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const redeliver = endpoint('redeliver', 'POST /v1/deliveries/{id}/redeliver', {
  summary: 'Send a delivery again',
  description:
    'Sends it at once, whatever its status, with the same `webhook-id` and the newest version of the incident. Retries start again. A message about an incident that was retracted since is not sent.',
  pathParameters: id,
  response: ok('The delivery, due again.', Type.Ref('Delivery')),
  problems: ['watch_not_active', 'not_redeliverable'],
})
