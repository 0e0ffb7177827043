import type { ErrorDescription } from './error-description.ts'

/** Requests that cannot be read or answered as they were sent. */
export const REQUEST_ERRORS = {
  invalid_parameter: {
    status: 400,
    title: 'A query parameter is wrong',
    meaning: '`errors` lists each wrong parameter and the values that it accepts.',
  },
  too_many_values: {
    status: 400,
    title: 'A list has too many values',
    meaning: '`errors` names the list and its maximum. Ask in several requests, or for a larger area.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    meaning: 'Cursors are opaque: send `next_cursor` unchanged, or start again without a cursor.',
  },
  cursor_of_another_query: {
    status: 400,
    title: 'The cursor belongs to another query',
    meaning: 'Send the same filters and the same order as for the first page.',
  },
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    meaning: 'It is not valid HTTP, its path is not valid UTF-8, or a header is malformed.',
  },
  malformed_json: { status: 400, title: 'The body is not JSON', meaning: 'Send one JSON value in UTF-8.' },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The path does not exist, or your account has no such resource.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The `Allow` header lists the methods of this path.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not in a format that you accept',
    meaning: 'The detail lists the available formats: name one in `Accept` or in the parameter `format`.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long',
    meaning: 'Send the headers within 20 seconds and the whole request within 25.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is still running',
    meaning: 'Wait for the response to the first request, or repeat the request after a short time.',
  },
  answer_redacted: {
    status: 410,
    title: 'The answer was removed',
    meaning:
      'The request was carried out before; an incident in its answer has been redacted since. Read the incident again.',
  },
  body_too_large: { status: 413, title: 'The body is too large', meaning: 'A body may have at most 256 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of the wrong type',
    meaning: 'Send `Content-Type: application/json`.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies beyond the file',
    meaning: '`Content-Range` gives the length of the file.',
  },
  invalid_body: {
    status: 422,
    title: 'The body has wrong content',
    meaning: '`errors` lists each wrong field and the values that it accepts.',
  },
  too_much_work: {
    status: 422,
    title: 'The question needs too much work',
    meaning:
      'It would compare too many incidents with too large a shape. The detail says by how much: shorten the window of time, restrict states or types, or simplify the shape.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request',
    meaning: 'Use a new `Idempotency-Key` for each new request.',
  },
  headers_too_large: { status: 431, title: 'The headers are too large', meaning: 'Shorten the URL or the headers.' },
} as const satisfies Record<string, ErrorDescription>
