import { WebhookError } from './errors.ts'

/** Far more than the largest message of the service. */
const MAX_BYTES = 1_048_576

/** Headers as a `Headers` object or as Node has them, in any case. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The input of `unwrap`: a `Request`, a request of Node, Express or Fastify, or an object with the
 * headers and the raw body. A body that a framework has parsed already cannot be verified.
 */
export type WebhookRequest =
  | Request
  | { readonly headers: HeadersLike; readonly body: string | Uint8Array | ArrayBuffer }
  | {
      readonly headers: HeadersLike
      /** Left by a body parser: text or bytes. */
      readonly body?: unknown
      /** The bytes, which some frameworks keep beside the parsed body. */
      readonly rawBody?: unknown
      /** Reads a request of Node that nobody has read yet. */
      [Symbol.asyncIterator]?(): AsyncIterator<unknown>
    }

/** One header, or null. */
export function headerOf(headers: HeadersLike, name: string): string | null {
  if (headers instanceof Headers || typeof headers.get === 'function') return (headers as Headers).get(name)
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? undefined : (headers as Readonly<Record<string, string | readonly string[]>>)[key]
  return value === undefined ? null : String(value)
}

/** The bytes of the body as they were sent. */
export async function rawBodyOf(request: WebhookRequest): Promise<Uint8Array> {
  if (typeof Request !== 'undefined' && request instanceof Request) return readRequest(request)
  const { rawBody, body } = request as { rawBody?: unknown; body?: unknown }
  const kept = bytesOf(rawBody) ?? bytesOf(body)
  if (kept !== null) return withinLimit(kept)
  if (body instanceof ReadableStream) return readAll(chunksOf(body))
  const chunks = request as AsyncIterable<unknown> & { readableEnded?: boolean; readableDidRead?: boolean }
  if (typeof chunks[Symbol.asyncIterator] !== 'function' || chunks.readableDidRead || body !== undefined)
    throw alreadyParsed()
  return readAll(chunks)
}

async function readRequest(request: Request): Promise<Uint8Array> {
  if (request.bodyUsed) throw alreadyParsed()
  return request.body === null ? new Uint8Array() : readAll(chunksOf(request.body))
}

/** Browsers before 2025 cannot iterate a stream. */
async function* chunksOf(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

async function readAll(chunks: AsyncIterable<unknown>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = bytesOf(chunk)
    if (bytes === null) throw alreadyParsed()
    length += bytes.length
    // Anybody can send to the endpoint: stop reading before the memory is full.
    if (length > MAX_BYTES) throw tooLarge()
    read.push(bytes)
  }
  const whole = new Uint8Array(length)
  let offset = 0
  for (const bytes of read) {
    whole.set(bytes, offset)
    offset += bytes.length
  }
  return whole
}

function bytesOf(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  return body instanceof ArrayBuffer ? new Uint8Array(body) : null
}

function withinLimit(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_BYTES) throw tooLarge()
  return bytes
}

function tooLarge(): WebhookError {
  return new WebhookError(
    'body_too_large',
    `the body has more than ${MAX_BYTES} bytes: it is no message of the service`,
  )
}

function alreadyParsed(): WebhookError {
  return new WebhookError(
    'body_already_parsed',
    'the body was read or parsed before: verify the raw bytes, for instance by registering this handler before a JSON parser',
  )
}
