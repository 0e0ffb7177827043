import type { ErrorDescription } from './error-description.ts'

/** Limits of the service, and its own faults. */
export const SERVICE_ERRORS = {
  rate_limited: { status: 429, title: 'Too many requests', meaning: 'Wait for the time in `Retry-After`.' },
  too_many_streams: {
    status: 429,
    title: 'Too many open streams',
    meaning:
      'Close a stream, or use one stream with several values in its filters. A lost connection counts until the service notices the loss.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong here',
    meaning: 'This is a fault of the service: report it with the `request_id`.',
  },
  starting: {
    status: 503,
    title: 'The service is starting',
    meaning: 'The archive is being loaded. Try again after `Retry-After`.',
  },
  busy: {
    status: 503,
    title: 'Too many large questions at once',
    meaning:
      'Questions that read much of the archive take turns, and too many are waiting. Try again after `Retry-After`.',
  },
  streams_full: {
    status: 503,
    title: 'No more streams can be opened here',
    meaning: 'This node has reached its limit of open streams. Try again after `Retry-After`.',
  },
  mail_unavailable: {
    status: 503,
    title: 'The mail cannot be sent',
    meaning: 'The mail server cannot be reached. No key was issued. Try again after `Retry-After`.',
  },
  store_full: {
    status: 503,
    title: 'The disk is full',
    meaning: 'Nothing was written. The operator must free disk space. Try again after `Retry-After`.',
  },
  store_unavailable: {
    status: 503,
    title: 'The database is away',
    meaning: 'Nothing was written. Try again after `Retry-After`.',
  },
} as const satisfies Record<string, ErrorDescription>
