import { t } from '../shared/language.ts'
import { reconnectDelay } from './live/freshness.ts'

/** The API refused the request, or could not be reached (status 0). Its message can be shown. */
export class ApiError extends Error {
  readonly status: number
  /** The shortest wait that the service asks for before the next request. */
  readonly retryAfterMs: number
  constructor(status: number, message: string, retryAfterMs = 0) {
    super(message)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** Calls the public API as any other client does. */
interface ApiClient {
  /** The headers that authenticate a request made without `getJson`. */
  readonly headers: Readonly<Record<string, string>>
  /** Throws an `ApiError`, or the abort's own error once `signal` is aborted. */
  getJson<Body>(path: string, query: URLSearchParams | null, signal?: AbortSignal): Promise<Body>
  /** Asks with a JSON body; throws as `getJson` does. */
  postJson<Body>(path: string, question: object, signal?: AbortSignal): Promise<Body>
}

export function createApiClient(key: string | null): ApiClient {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  return {
    headers,
    async getJson<Body>(path: string, query: URLSearchParams | null, signal?: AbortSignal) {
      const search = query?.toString() ?? ''
      // Not from the browser's cache: "not modified" says that the data is the same, but `meta`, by
      // which lists and figures are brought to one moment, would be that of the older answer.
      const request = { headers, cache: 'no-store' } as const
      return readJson<Body>(await fetchOrThrow(`${path}${search && `?${search}`}`, request, signal))
    },
    async postJson<Body>(path: string, question: object, signal?: AbortSignal) {
      const body = { method: 'POST', body: JSON.stringify(question) }
      const typed = { ...headers, 'content-type': 'application/json' }
      return readJson<Body>(await fetchOrThrow(path, { ...body, headers: typed }, signal))
    },
  }
}

async function readJson<Body>(response: Response): Promise<Body> {
  if (!response.ok) throw new ApiError(response.status, await messageFor(response), retryAfterMsOf(response))
  return (await response.json()) as Body
}

async function fetchOrThrow(url: string, request: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: signal ?? null })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, t('common.unreachable'))
  }
}

async function messageFor(response: Response): Promise<string> {
  if (response.status === 401) return t('common.page_expired')
  if (response.status === 429) return t('common.too_many_requests')
  if (response.status >= 500) return t('common.service_problem')
  const problem = (await response.json().catch(() => null)) as { detail?: string } | null
  return problem?.detail ?? t('common.not_understood')
}

function retryAfterMsOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}

const FIRST_RETRY_DELAY_MS = 1000

/** Doubles with each attempt, but is never shorter than the service asked for (`Retry-After`). */
export function retryDelay(error: unknown, attempt: number, random: () => number): number {
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : 0
  return Math.max(retryAfterMs, reconnectDelay(attempt, FIRST_RETRY_DELAY_MS, random))
}
