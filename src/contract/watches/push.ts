import Type from 'typebox'
import { endpoint } from '../endpoint.ts'

export const readPushKey = endpoint({
  id: 'readPushKey',
  method: 'GET',
  path: '/v1/push',
  tag: 'Watches',
  summary: 'Get the key for notifications in browsers',
  description:
    'A page gives it to `pushManager.subscribe` as `applicationServerKey`, and sends the subscription in `channel.subscription` of a watch. All nodes have the same, and it stays: with another, every browser would have to subscribe again.',
  scope: null,
  query: {},
  response: {
    status: 200,
    description: 'The public key.',
    schema: Type.Object({
      public_key: Type.String({ description: 'A point on the curve P-256, 65 bytes in base64url (RFC 8292).' }),
    }),
  },
  problems: ['invalid_parameter'],
})

export const recordSeenBrowser = endpoint({
  id: 'recordSeenBrowser',
  method: 'POST',
  path: '/v1/push/seen',
  sample: null,
  tag: 'Watches',
  summary: 'Say that a browser is still there',
  description:
    'Pages of this service send it when they are opened in a browser that shows notifications. Watches whose browser has not been seen for 60 days are switched off. No key is needed: nobody else knows the endpoint. The answer is the same whether it is known or not.',
  scope: null,
  neverReplayed: true,
  body: Type.Object(
    {
      endpoint: Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'The `endpoint` of the subscription of the browser.',
      }),
    },
    { additionalProperties: false, example: { endpoint: 'https://push.example.org/send/0123456789abcdef' } },
  ),
  response: { status: 204, description: 'Noted.', schema: null },
  problems: ['invalid_body'],
})
