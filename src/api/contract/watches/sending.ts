import Type from 'typebox'
import { WATCH_EVENTS } from '../../../domain/watch.ts'
import { endpoint } from '../endpoint.ts'
import { Nullable, OneOf } from '../schema.ts'
import { watchId } from './watch.ts'

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
  pathParameters: watchId,
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
  pathParameters: watchId,
  body: Type.Object(
    { revoke: Type.Optional(Type.Boolean({ description: 'Whether the old secrets end now. Default: false.' })) },
    { additionalProperties: false, example: { revoke: true } },
  ),
  bodyCheck: 'where given',
  response: { status: 200, description: 'The watch, with its new secret.', schema: Type.Ref('WatchWithSecret') },
  problems: ['not_found', 'not_a_webhook', 'too_many_secrets'],
})

export const retryWatch = endpoint({
  id: 'retryWatch',
  method: 'POST',
  path: '/v1/watches/{id}/retry',
  tag: 'Watches',
  summary: 'Send pending messages now',
  description: 'Makes every pending delivery of the watch due at once, instead of at its next attempt.',
  scope: 'watch',
  pathParameters: watchId,
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
    'Covers everything since that time: failed deliveries become due again, and events that the watch missed while paused or disabled are sent now, corrections and retractions included of which any earlier version matched. A message about an incident that was retracted since is cancelled instead of sent.',
  scope: 'watch',
  pathParameters: watchId,
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
