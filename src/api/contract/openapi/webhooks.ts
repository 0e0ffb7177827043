import { MESSAGES } from '../watches/messages.ts'
import { contentOf, type Json } from './schemas.ts'

/** After Standard Webhooks. */
const HEADERS = {
  'webhook-id': { description: 'The id of the message, the same at every attempt.', example: 'msg_01jd8z0c5x' },
  'webhook-timestamp': { description: 'When this attempt began, in seconds since 1970.', example: '1778567460' },
  'webhook-signature': {
    description:
      '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; several, separated by spaces, while a secret is being replaced.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const

/** The POST requests that the service sends to the endpoint of a watch. */
export function webhooks(): Json {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([event, { schema, summary }]) => [
      event,
      {
        post: {
          operationId: event.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
          tags: ['Watches'],
          summary,
          description: `Sent to the watches that list \`${event}\` in \`events\`. Verify the signature before you trust the body.`,
          security: [{}],
          parameters: Object.entries(HEADERS).map(([name, { description, example }]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
            example,
          })),
          requestBody: { required: true, content: contentOf(schema) },
          responses: {
            '2XX': { description: 'The message is delivered. Answer within 15 seconds.' },
            '410': { description: 'Disables the watch: nothing more is sent.' },
            default: { description: 'The message is sent again later; `Retry-After` is honoured, up to 24 hours.' },
          },
        },
      },
    ]),
  )
}
