import type { Json } from './schemas.ts'

/** The headers of the responses, by the names of their components. */
export const RESPONSE_HEADERS = {
  RateLimit: {
    description: 'The requests that are left in this minute (`r`), and the seconds until there are more (`t`).',
    schema: { type: 'string' },
    example: '"minute";r=119;t=41',
  },
  RateLimitPolicy: {
    description: 'The limit (`q`) and its period in seconds (`w`): `minute` of the key, or `address` without one.',
    schema: { type: 'string' },
    example: '"minute";q=120;w=60',
  },
  RequestId: {
    description: 'Quote it when you ask for help.',
    schema: { type: 'string' },
    example: 'req_01jd8z0c5x',
  },
  RetryAfter: {
    description: 'The seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  StaleSeconds: {
    description: 'Only if the node is behind: the seconds since it was last in step with the log.',
    schema: { type: 'integer', minimum: 0 },
    example: 4,
  },
  WwwAuthenticate: {
    description: 'How to authenticate: with a key.',
    schema: { type: 'string' },
    example: 'Bearer realm="incident-feed"',
  },
} as const satisfies Record<string, Json>

const header = (name: keyof typeof RESPONSE_HEADERS) => ({ $ref: `#/components/headers/${name}` })

/** Sent with every response. */
export const ALWAYS_SENT = {
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
  'X-Request-Id': header('RequestId'),
}

export const STALE_SECONDS = { 'Stale-Seconds': header('StaleSeconds') }

/** By the status of an error. */
export const SENT_WITH: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('WwwAuthenticate') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
}
