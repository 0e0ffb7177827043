import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { StoredAnswer } from '../../../store/store.ts'
import { decrypt, encrypt } from './encryption.ts'

/** A response as it is stored for repetitions of the request. */
export interface Answer<Body = unknown> {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Body
}

/** Headers that belong to the answer; the others belong to the request or its moment. */
const STORED_HEADERS = ['etag', 'location']
/** Compressing less saves nothing. */
const MIN_COMPRESSED_BYTES = 1024
/** First byte of gzip; JSON begins with another one. */
const GZIP_BYTE = 0x1f

/** Returns the body for Fastify to send. */
export function sendAnswer<Body>(reply: FastifyReply, { status, headers = {}, body }: Answer<Body>): Body {
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

const INCIDENT_ID = /inc_[0-9a-z]{26}/g

/** `mentions`: the incidents whose redaction removes the answer; by default all that it names. */
export function encodeAnswer(answer: Answer, secret: string, mentions?: string): Required<StoredAnswer> {
  const text = JSON.stringify(answer)
  const json = Buffer.from(text)
  const plain = json.length < MIN_COMPRESSED_BYTES ? json : gzipSync(json, { level: 1 })
  return {
    answer: encrypt(plain, secret),
    mentions: mentions ?? [...new Set(text.match(INCIDENT_ID))].join(' '),
  }
}

export function decodeAnswer(stored: Uint8Array, secret: string): Answer {
  const bytes = decrypt(stored, secret)
  return JSON.parse((bytes[0] === GZIP_BYTE ? gunzipSync(bytes) : bytes).toString()) as Answer
}
