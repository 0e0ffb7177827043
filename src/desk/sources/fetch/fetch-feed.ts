import { Agent, type Dispatcher, request } from 'undici'
import { type Guard, guardedConnector, urlFault } from '../../../deliveries/guard/guard.ts'
import { retryAfterMilliseconds } from '../../../domain/retry.ts'
import { type PollState, problemOfStatus } from '../../../domain/sources.ts'
import { decodeText } from './decode-text.ts'
import { FetchProblem, problemOfError, problemWith } from './fetch-problem.ts'
import { readBody, tooLarge } from './read-body.ts'

export interface FeedFetcherOptions {
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
}

export type FetchResult = { readonly movedTo: string | null } & (
  | { readonly kind: 'feed'; readonly text: string; readonly etag: string | null; readonly lastModified: string | null }
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
  async fetch(
    url: string,
    validators: Pick<PollState, 'etag' | 'lastModified'>,
    signal: AbortSignal,
  ): Promise<FetchResult> {
    const timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS
    const timeout = AbortSignal.timeout(timeoutMs)
    const ending = AbortSignal.any([signal, timeout])
    try {
      return await this.#follow(url, validators, ending)
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) throw problemWith('timeout', `The limit is ${timeoutMs / 1000} seconds.`)
      throw problemOfError(error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#trusted.destroy()])
  }

  async #follow(
    first: string,
    { etag, lastModified }: Pick<PollState, 'etag' | 'lastModified'>,
    signal: AbortSignal,
  ): Promise<FetchResult> {
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
    if (statusCode === 304) {
      body.destroy()
      return { kind: 'unchanged' } as const
    }
    if (statusCode !== 200) {
      body.destroy()
      const retryAfter = headers['retry-after']
      const retryAfterMs = typeof retryAfter === 'string' ? retryAfterMilliseconds(retryAfter, clock()) : null
      throw new FetchProblem(problemOfStatus(statusCode), retryAfterMs)
    }
    if (Number(headers['content-length']) > maxBytes) {
      body.destroy()
      throw tooLarge(maxBytes)
    }
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
