import Type from 'typebox'
import { ATTEMPT_OUTCOMES, DELIVERY_STATUSES } from '../../domain/delivery/delivery.ts'
import { WATCH_EVENTS } from '../../domain/watch.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const id = { id: 'The id of the delivery, as `msg_01jd8z0c5x…`: the `webhook-id` of its messages.' }

const fields = {
  id: Type.String(),
  watch_id: Type.String(),
  event: OneOf(WATCH_EVENTS),
  seq: Type.Integer({ minimum: 1, description: "The event's place in the log." }),
  sequence: Type.Integer({ minimum: 1, description: "Counts the watch's messages." }),
  status: OneOf(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Time('When it is tried next.')),
  created_at: Time('When it was made.'),
  finished_at: Nullable(Time('When it was delivered, or given up.')),
}

export const Delivery = Named('Delivery', Type.Object(fields))

export const Attempt = Named(
  'Attempt',
  Type.Object({
    number: Type.Integer({ minimum: 1 }),
    at: Time('When it began.'),
    duration_ms: Type.Integer({ minimum: 0 }),
    outcome: OneOf(
      ATTEMPT_OUTCOMES,
      '`refused`: an answer other than 2xx; `blocked`: an address that nothing may be sent to.',
    ),
    status_code: Nullable(Type.Integer()),
    answer: Nullable(Type.String({ description: 'How the answer begins.' })),
    error: Nullable(Type.String({ description: 'What went wrong, in words.' })),
  }),
)

export const DeliveryWithAttempts = Named(
  'DeliveryWithAttempts',
  Type.Object({
    ...fields,
    log: Type.Array(Type.Ref('Attempt'), { description: 'Every attempt, the first one first.' }),
  }),
)

export const listDeliveries = endpoint({
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/watches/{id}/deliveries',
  tag: 'Watches',
  summary: 'List the deliveries of a watch',
  scope: 'watch',
  pathParameters: { id: 'The id of the watch, as `wat_01jd8z0c5x…`.' },
  query: {
    status: { description: 'Only those.', example: 'failed', values: DELIVERY_STATUSES },
    limit: { description: 'How many a page, from 1 to 100; 50 where not given.', example: '50' },
    cursor: { description: 'The `next_cursor` of the page before.', example: 'next_cursor' },
  },
  response: {
    status: 200,
    description: 'By the order of events, newest first.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('Delivery')),
      has_more: Type.Boolean(),
      next_cursor: Nullable(Type.String({ description: 'Pass it on as `cursor` for the next page.' })),
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
  description: 'At once, whatever became of it, with the same `webhook-id` and body. The retries begin anew.',
  scope: 'watch',
  pathParameters: id,
  response: { status: 200, description: 'The delivery, due again.', schema: Type.Ref('Delivery') },
  problems: ['not_found', 'watch_not_active'],
})
