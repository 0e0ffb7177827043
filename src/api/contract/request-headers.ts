/** Every request header that an endpoint may declare, as the document describes it. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Any text that you use for this request only, such as a UUID: a repetition with the same body gets the same answer for 24 hours, and is not carried out again.',
    example: '0b7c3e0e-6b1f-4a57-9f4e-2d1c7f3a9b60',
    pattern: '^[\\x21-\\x7e]{1,255}$',
  },
  'If-Match': {
    description: 'The version that you have read, in quotes, or `*` for any. A stale one is refused with 412.',
    example: '"3"',
  },
  'If-None-Match': {
    description: 'The `ETag` of the answer that you have: 304 without a body while nothing has changed.',
    example: 'W/"8123"',
  },
  'If-Range': {
    description: 'The `ETag` of the part that you have: the range is sent only if the file is still the same.',
    example: '"8123"',
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event that you have; SSE clients send it by themselves.',
    example: '8123',
  },
  Range: { description: 'A single range of bytes of the uncompressed file.', example: 'bytes=0-99' },
} as const satisfies Record<string, { description: string; example: string; pattern?: string }>

export type RequestHeader = keyof typeof REQUEST_HEADERS
