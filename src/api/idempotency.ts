import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCOUNT_BOUNDS, ADDRESS_BOUNDS, type AnswerTrimmer } from '../accounts/idempotency-bounds.ts'
import { Problem } from '../domain/errors.ts'
import { randomBytes, randomName } from '../lib/runtime.ts'
import {
  type ClaimHolder,
  ClaimLost,
  type IdempotencyBounds,
  type ReceiptStore,
  type Store,
  type StoredAnswer,
  type WritableStore,
} from '../store/store.ts'
import { addressSubject } from './request.ts'

const RETENTION_MS = 24 * 3_600_000
/**
 * Another request may take over after this time. A holder that was only slow cannot write any more,
 * so the time can be short: it is what a client waits for after a crash.
 */
const CLAIM_TIMEOUT_MS = 5_000
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/

interface IdempotencyParts {
  /** Throws a `Problem` until the database is open. */
  readonly store: () => Store
  readonly clock: () => number
  /** Tells how old an answer is. */
  readonly agingClock: () => number
  readonly trimmer: AnswerTrimmer
}

/**
 * Runs `work` once per caller and `Idempotency-Key`; repeats get the first answer. Without the
 * header, `work` runs every time.
 */
export async function runIdempotent(
  { store: openStore, clock, agingClock, trimmer }: IdempotencyParts,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (writes: RequestWrites) => unknown,
): Promise<unknown> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return work(plainWrites(openStore))
  const store = openStore()
  const { subject, bounds, secret, rights } = callerOf(request, checkedKey(header))
  const fingerprint = hash('sha256', `${request.method} ${request.raw.url} ${JSON.stringify(request.body)}`, 'hex')
  const holder = { id: hash('sha256', secret, 'hex'), token: randomName() }
  const now = clock()
  const claim = await store.idempotency.claim(
    { ...holder, subject, fingerprint, rights },
    {
      now,
      expiredBefore: agingClock() - RETENTION_MS,
      lostBefore: now - CLAIM_TIMEOUT_MS,
      // Made by a clock that is ahead, or before ours was set back.
      lostAfter: now + CLAIM_TIMEOUT_MS,
    },
  )
  if (claim.state !== 'claimed' && (claim.fingerprint !== fingerprint || (claim.rights ?? rights) !== rights)) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for a request with another path or body, or with a key of other rights. Use a new one.',
    )
  }
  if (claim.state === 'running') throw stillRunning('The request with this Idempotency-Key is still running.')
  if (claim.state === 'redacted')
    throw new Problem(
      'answer_redacted',
      'The request was carried out. Its answer was removed, because an incident in it has been redacted since; read the incident again.',
    )
  if (claim.state === 'finished') {
    reply.header('idempotent-replayed', 'true')
    return sendAnswer(reply, decodeAnswer(claim.answer, secret))
  }
  const held = claimedWrites(holder, claim.counts, store, secret, clock)
  const body = await runClaimed(held)
  const bytes = held.storedBytes() ?? (await finish(body))
  await trimmer.countAnswer(store.idempotency, subject, bounds, bytes).catch((error: unknown) => {
    request.log.warn({ err: error }, 'old idempotent answers could not be deleted')
  })
  return body

  async function runClaimed(held: RequestWrites): Promise<unknown> {
    try {
      return await work(held)
    } catch (error) {
      if (error instanceof ClaimLost)
        throw stillRunning('The request took so long that a repetition of it has taken over. Repeat it for the answer.')
      // The refused request did nothing, so a corrected one may use the key. If the write did
      // happen and only its reply was lost, its answer is stored, and stays.
      await store.idempotency.abandon(holder).catch((failure: unknown) => {
        request.log.warn({ err: failure }, 'an idempotency key could not be released; it will be in seconds')
      })
      throw error
    }
  }

  /** For requests that write nothing, or send a mail: the answer is stored afterwards. */
  async function finish(body: unknown): Promise<number> {
    const { answer, mentions } = encodeAnswer(answerOf(reply, body), secret)
    await store.idempotency.finish(holder, answer, mentions).catch((error: unknown) => {
      // The client must get the response; only a repeat goes unrecognised.
      request.log.warn({ err: error }, 'an idempotent answer could not be stored')
    })
    return answer.byteLength
  }
}

interface IdempotentCaller {
  /** Answers count for it. */
  readonly subject: string
  readonly bounds: IdempotencyBounds
  /** Nobody else can choose the same: it identifies and encrypts the answer. */
  readonly secret: string
  readonly rights: string
}

/**
 * Keys of one account share their idempotency keys if they have the same rights. Callers without a
 * key, or with a publishable one, which everybody can have, differ by address and count for it.
 */
function callerOf(request: FastifyRequest, idempotencyKey: string): IdempotentCaller {
  const { caller } = request
  const isPublic = caller === null || caller.key.kind === 'publishable'
  const owner = caller?.account.id ?? 'address'
  const subject = isPublic ? `${owner} ${addressSubject(request)}` : owner
  return {
    subject,
    bounds: isPublic ? ADDRESS_BOUNDS : ACCOUNT_BOUNDS,
    secret: `${subject} ${idempotencyKey}`,
    rights: caller === null ? '' : `${caller.key.kind} ${caller.key.scopes.toSorted().join(' ')}`,
  }
}

function checkedKey(header: string | string[]): string {
  if (typeof header === 'string' && KEY_PATTERN.test(header)) return header
  throw new Problem(
    'malformed_request',
    'Idempotency-Key takes 1 to 255 printable ASCII characters without spaces, as a UUID.',
  )
}

function stillRunning(detail: string): Problem {
  return new Problem('idempotency_key_in_use', detail, { headers: { 'retry-after': '1' } })
}

/** Lets a handler store its answer together with its writes. */
export interface RequestWrites {
  /**
   * For the write that the request is about: commits it with the answer, or not at all if another
   * request took over. Reads, and writes that may happen twice, use the plain store. `mentions`:
   * see `encodeAnswer`.
   */
  readonly storeWith: (answer: Answer, mentions?: string) => WritableStore
  /** For each transaction of a long request: adds the number that the write returns to a count. */
  readonly storeCounting: (name: string) => WritableStore
  /** The counts of a process that died, from which this one has taken the request over. */
  readonly counted: Readonly<Record<string, number>>
}

/** The writes of a request without an idempotency key. */
export function plainWrites(store: () => Store): RequestWrites {
  return { storeWith: store, storeCounting: store, counted: {} }
}

/** The writes of a request that holds the claim on its idempotency key. */
function claimedWrites(
  holder: ClaimHolder,
  counted: Readonly<Record<string, number>>,
  store: Store,
  secret: string,
  clock: () => number,
) {
  const written: { readonly store: ReceiptStore; readonly bytes: number }[] = []
  return {
    counted,
    storeWith(answer: Answer, mentions?: string): WritableStore {
      const encoded = encodeAnswer(answer, secret, mentions)
      const receiving = store.withReceipt({ ...holder, ...encoded })
      written.push({ store: receiving, bytes: encoded.answer.byteLength })
      return receiving
    },
    storeCounting: (name: string): WritableStore => store.withReceipt({ ...holder, count: name, now: clock() }),
    /** Bytes of the answer that was stored with a write; null if none was. */
    storedBytes: () => written.find(({ store }) => store.receiptStored)?.bytes ?? null,
  } satisfies RequestWrites & { storedBytes(): number | null }
}

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
function answerOf(reply: FastifyReply, body: unknown): Answer {
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

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a response, which may contain an API key, with a secret that only the client has: a
 * reader of the database must not find usable keys.
 */
function encrypt(plain: Uint8Array, secret: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyFrom(secret), nonce)
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

function decrypt(encrypted: Uint8Array, secret: string): Buffer {
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, keyFrom(secret), nonce)
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'incident-feed idempotency', 32))
}
