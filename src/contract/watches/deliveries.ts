import Type from 'typebox'
import { ATTEMPT_OUTCOMES, DELIVERY_STATUSES } from '../../domain/delivery/delivery.ts'
import { WATCH_EVENTS } from '../../domain/watch.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const id = { id: 'The id of the delivery, such as `msg_01jd8z0c5x…`: the `webhook-id` of its messages.' }

const fields = {
  id: Type.String(),
  watch_id: Type.String(),
  event: OneOf(WATCH_EVENTS),
  seq: Type.Integer({
    minimum: 0,
    description: "The event's position in the log; of a test message, the last one's.",
  }),
  sequence: Type.Integer({ minimum: 0, description: 'The number of the message within the watch; 0 if it is a test.' }),
  test: Type.Boolean({ description: 'Whether it is a message of the test endpoint.' }),
  status: OneOf(
    DELIVERY_STATUSES,
    '`pending`: sent now, later, or once the watch is resumed; `cancelled`: the incident was retracted before it could be sent.',
  ),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Time('When the next attempt is due; null while the watch is paused or disabled.')),
  created_at: Time('When the delivery was created.'),
  finished_at: Nullable(Time('When it was delivered, given up or cancelled.')),
}

export const Delivery = Named('Delivery', Type.Object(fields))

export const Attempt = Named(
  'Attempt',
  Type.Object({
    number: Type.Integer({ minimum: 1 }),
    at: Time('When the attempt began.'),
    duration_ms: Type.Integer({ minimum: 0 }),
    outcome: OneOf(
      ATTEMPT_OUTCOMES,
      '`refused`: a response other than 2xx; `blocked`: an address that is not allowed.',
    ),
    status_code: Nullable(Type.Integer()),
    answer: Nullable(Type.String({ description: 'The beginning of the response body.' })),
    error: Nullable(Type.String({ description: 'A description of the error.' })),
  }),
)

export const DeliveryWithAttempts = Named(
  'DeliveryWithAttempts',
  Type.Object({
    ...fields,
    log: Type.Array(Type.Ref('Attempt'), { description: 'Every attempt, oldest first.' }),
  }),
)

export const listDeliveries = endpoint({
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/watches/{id}/deliveries',
  tag: 'Watches',
  summary: 'List the deliveries of a watch',
  scope: 'watch',
  pathParameters: { id: 'The id of the watch, such as `wat_01jd8z0c5x…`.' },
  query: {
    status: { description: 'Only deliveries with this status.', example: 'failed', values: DELIVERY_STATUSES },
    limit: { description: 'Deliveries per page, from 1 to 100. Default: 50.', example: '50' },
    cursor: { description: 'The `next_cursor` of the previous page.', example: 'next_cursor' },
  },
  response: {
    status: 200,
    description: 'A page of deliveries, in the order of events, newest first.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('Delivery')),
      has_more: Type.Boolean(),
      next_cursor: Nullable(Type.String({ description: 'Send it as `cursor` to get the next page.' })),
    }),
  },
  problems: ['invalid_parameter', 'invalid_cursor', 'not_found'],
})

export const readDelivery = endpoint({
  id: 'readDelivery',
  method: 'GET',
  path: '/v1/deliveries/{id}',
  tag: 'Watches',
  summary: 'Read a delivery with every attempt',
  scope: 'watch',
  pathParameters: id,
  query: {},
  response: { status: 200, description: 'The delivery.', schema: Type.Ref('DeliveryWithAttempts') },
  problems: ['invalid_parameter', 'not_found'],
})

export const redeliver = endpoint({
  id: 'redeliver',
  method: 'POST',
  path: '/v1/deliveries/{id}/redeliver',
  tag: 'Watches',
  summary: 'Send a delivery again',
  description:
    'Sends it at once, whatever its status, with the same `webhook-id` and the newest version of the incident. Retries start again. A message about an incident that was retracted since is not sent.',
  scope: 'watch',
  pathParameters: id,
  response: { status: 200, description: 'The delivery, due again.', schema: Type.Ref('Delivery') },
  problems: ['not_found', 'watch_not_active', 'not_redeliverable'],
})
