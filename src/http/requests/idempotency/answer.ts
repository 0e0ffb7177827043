import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { decrypt, encrypt } from './encryption.ts'

/** A response as it is stored for repetitions of the request. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Headers that belong to the answer; the others belong to the request or its moment. */
const STORED_HEADERS = ['etag', 'location']
/** Compressing less saves nothing. */
const MIN_COMPRESSED_BYTES = 1024
/** First byte of gzip; JSON begins with another one. */
const GZIP_BYTE = 0x1f

/** Returns the body for Fastify to send. */
export function sendAnswer(reply: FastifyReply, { status, headers = {}, body }: Answer): unknown {
  reply.status(status).headers(headers)
  return body
}

/** The answer that a handler has given through `reply`. */
export function answerOf(reply: FastifyReply, body: unknown): Answer {
  const headers = STORED_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body }
}

export function encodeAnswer(answer: Answer, secret: string): Uint8Array {
  const json = Buffer.from(JSON.stringify(answer))
  return encrypt(json.length < MIN_COMPRESSED_BYTES ? json : gzipSync(json, { level: 1 }), secret)
}

export function decodeAnswer(stored: Uint8Array, secret: string): Answer {
  const bytes = decrypt(stored, secret)
  return JSON.parse((bytes[0] === GZIP_BYTE ? gunzipSync(bytes) : bytes).toString()) as Answer
}
