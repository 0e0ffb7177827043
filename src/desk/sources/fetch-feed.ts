import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import { type Guard, guardedConnector, RefusedAddress, urlFault } from '../../deliveries/guard/guard.ts'
import { failureOf } from '../../deliveries/send/failure.ts'
import type { Failure } from '../../domain/delivery.ts'
import { retryAfterMilliseconds } from '../../domain/retry.ts'
import {
  POLL_PROBLEMS,
  type PollProblem,
  type PollProblemCode,
  type PollState,
  problemOfStatus,
} from '../../domain/sources.ts'
import { deadlineIn, type Runtime } from '../../lib/runtime.ts'
import { storableText } from '../../lib/text.ts'

interface FeedFetcherOptions {
  readonly guard: Guard
  /** Sent as `User-Agent`. */
  readonly userAgent: string
  /** Origins that are fetched without the guard: the demo's own feed. Redirects are guarded. */
  readonly trustedOrigins?: readonly string[]
  /** Of the body, as sent and decompressed. */
  readonly maxBytes?: number
  /** For everything: names, redirects, headers and body. */
  readonly timeoutMs?: number
  readonly clock: () => number
  readonly runtime: Runtime
}

type Validators = Pick<PollState, 'etag' | 'lastModified'>
type FetchResult = { readonly movedTo: string | null } & (
  | ({ readonly kind: 'feed'; readonly text: string } & Validators)
  | { readonly kind: 'unchanged' }
)

const MAX_BYTES = 5_000_000
const TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 16 * 1024
/** A longer validator is not stored. */
const MAX_VALIDATOR = 512
const REDIRECTS = [301, 302, 303, 307, 308]
const PERMANENT = [301, 308]
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, application/json;q=0.8, text/xml;q=0.8, */*;q=0.1'

/** Fetches feeds, never from an address that the guard refuses. */
export class FeedFetcher implements AsyncDisposable {
  readonly #options: FeedFetcherOptions
  readonly #guarded: Agent
  readonly #trusted: Agent

  constructor(options: FeedFetcherOptions) {
    this.#options = options
    const limits = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 4_000, pipelining: 1 }
    const timeout = options.timeoutMs ?? TIMEOUT_MS
    this.#guarded = new Agent({ ...limits, connect: guardedConnector(options.guard, { timeout }) })
    this.#trusted = new Agent(limits)
  }

  /** Throws a `FetchProblem`; an abort of `signal` is thrown as it is. */
  async fetch(url: string, validators: Validators, signal: AbortSignal): Promise<FetchResult> {
    const timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS
    using deadline = deadlineIn(this.#options.runtime, timeoutMs)
    const ending = AbortSignal.any([signal, deadline.signal])
    try {
      return await this.#follow(url, validators, ending)
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.signal.aborted) throw problemWith('timeout', `The limit is ${timeoutMs / 1000} seconds.`)
      throw problemOfError(error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#trusted.destroy()])
  }

  async #follow(first: string, { etag, lastModified }: Validators, signal: AbortSignal): Promise<FetchResult> {
    const headers = {
      'user-agent': this.#options.userAgent,
      accept: ACCEPT,
      'accept-encoding': 'gzip, deflate, br',
      ...(etag === null ? {} : { 'if-none-match': etag }),
      ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
    }
    const seen = new Set<string>()
    let movedTo: string | null = null
    let isPermanent = true
    for (let url = first; ; ) {
      if (seen.has(url)) throw problemWith('too_many_redirects', `It leads back to ${url.slice(0, 200)}.`)
      if (seen.size > MAX_REDIRECTS) throw problemWith('too_many_redirects', `The limit is ${MAX_REDIRECTS}.`)
      seen.add(url)
      const response = await request(url, { dispatcher: this.#dispatcherFor(url), headers, signal })
      // A body that is not read to its end reports an error, which would end the process.
      response.body.on('error', () => {})
      const location = response.headers.location
      if (!REDIRECTS.includes(response.statusCode) || typeof location !== 'string')
        return { movedTo, ...(await this.#read(response, signal)) }
      response.body.destroy()
      url = nextUrl(location, url)
      isPermanent &&= PERMANENT.includes(response.statusCode)
      if (isPermanent) movedTo = url
    }
  }

  #dispatcherFor(url: string): Agent {
    const { guard, trustedOrigins = [] } = this.#options
    if (URL.canParse(url) && trustedOrigins.includes(new URL(url).origin)) return this.#trusted
    const fault = urlFault(url, guard.allowPrivate)
    if (fault !== null) throw problemWith('refused_address', `The address ${fault}.`)
    return this.#guarded
  }

  async #read({ statusCode, headers, body }: Dispatcher.ResponseData, signal: AbortSignal) {
    const { maxBytes = MAX_BYTES, clock } = this.#options
    const isTooLarge = Number(headers['content-length']) > maxBytes
    if (statusCode !== 200 || isTooLarge) body.destroy()
    if (statusCode === 304) return { kind: 'unchanged' } as const
    if (statusCode !== 200) {
      const retryAfter = headers['retry-after']
      const retryAfterMs = typeof retryAfter === 'string' ? retryAfterMilliseconds(retryAfter, clock()) : null
      throw new FetchProblem(problemOfStatus(statusCode), retryAfterMs)
    }
    if (isTooLarge) throw tooLarge(maxBytes)
    const bytes = await readBody(body, String(headers['content-encoding'] ?? ''), maxBytes, signal)
    return {
      kind: 'feed',
      text: decodeText(bytes, String(headers['content-type'] ?? '')),
      etag: validatorOf(headers.etag),
      lastModified: validatorOf(headers['last-modified']),
    } as const
  }
}

function nextUrl(location: string, base: string): string {
  if (!URL.canParse(location, base))
    throw problemWith('too_many_redirects', 'It redirects to an address that is not valid.')
  const url = new URL(location, base)
  url.hash = ''
  return url.href
}

function validatorOf(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header.length > MAX_VALIDATOR || /[^\x20-\x7e]/.test(header)) return null
  return header
}

const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads a body of at most `maxBytes`, both as sent and decompressed: it is counted chunk by chunk,
 * so that a bomb of a few kilobytes never unfolds.
 */
async function readBody(body: Readable, encoding: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return pipeline(body, counted(maxBytes), collected, { signal })
  const decompressor = Object.hasOwn(DECOMPRESSORS, name) ? DECOMPRESSORS[name] : undefined
  if (decompressor === undefined) {
    body.destroy()
    throw problemWith('bad_encoding', `The content encoding is "${name.slice(0, 40)}".`)
  }
  return pipeline(body, counted(maxBytes), decompressor(), counted(maxBytes), collected, { signal })
}

function counted(maxBytes: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield chunk
    }
  }
}

async function collected(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}

function tooLarge(maxBytes: number) {
  return problemWith('too_large', `The limit is ${Math.round(maxBytes / 1e6)} MB.`)
}

/** Decodes by byte order mark, `Content-Type`, or XML declaration, in this order; else UTF-8. */
function decodeText(bytes: Buffer, contentType: string): string {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
  const start = bytes.subarray(0, 200).toString('latin1')
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i.exec(start)?.[1]
  const label = labelOfMark(bytes) ?? charset ?? declared ?? 'utf-8'
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(label)
  } catch {
    throw problemWith('bad_encoding', `The character set is "${label.slice(0, 40)}".`)
  }
  return decoder.decode(bytes)
}

function labelOfMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : null
}

/** A fetch that failed for a reason that the operator can read. */
export class FetchProblem extends Error {
  override readonly name = 'FetchProblem'
  readonly problem: PollProblem
  readonly retryAfterMs: number | null

  constructor(problem: PollProblem, retryAfterMs: number | null = null) {
    super(problem.detail)
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}

const CODE_OF_FAILURE: Readonly<Record<Failure, PollProblemCode>> = {
  timeout: 'timeout',
  unknown_host: 'unknown_host',
  refused_address: 'refused_address',
  connection_refused: 'connection_failed',
  unreachable: 'connection_failed',
  connection_closed: 'connection_failed',
  bad_certificate: 'bad_certificate',
  no_tls: 'bad_certificate',
  malformed_answer: 'unexpected_answer',
  failed: 'connection_failed',
}

/** The errors of zlib and of Brotli. */
const ZLIB_CODE = /^(Z_|ERR__ERROR_|ERR_BROTLI)/

export function problemWith(code: PollProblemCode, seen: string): FetchProblem {
  // It may quote the document, and must be stored.
  return new FetchProblem({ code, detail: `${storableText(seen)} ${POLL_PROBLEMS[code]}` })
}

/** The problem of any error of a fetch. */
function problemOfError(error: unknown): FetchProblem {
  if (error instanceof FetchProblem) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (ZLIB_CODE.test(code)) return problemWith('bad_encoding', `Decompressing failed (${code}).`)
  const { cause, errors = [] } = error as { cause?: unknown; errors?: unknown[] }
  const refusal = [error, cause, ...errors].find((each) => each instanceof RefusedAddress)
  const reply = failureOf(refusal ?? error)
  const failure = reply.kind === 'failed' ? reply.failure : 'failed'
  return new FetchProblem({ code: CODE_OF_FAILURE[failure], detail: reply.message })
}
