/** The API refused the request, or could not be reached (status 0). Its message can be shown. */
export class ApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Calls the public API as any other client does. */
export interface ApiClient {
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
      return readJson<Body>(await fetchOrThrow(`${path}${search && `?${search}`}`, { headers }, signal))
    },
    async postJson<Body>(path: string, question: object, signal?: AbortSignal) {
      const body = { method: 'POST', body: JSON.stringify(question) }
      const typed = { ...headers, 'content-type': 'application/json' }
      return readJson<Body>(await fetchOrThrow(path, { ...body, headers: typed }, signal))
    },
  }
}

async function readJson<Body>(response: Response): Promise<Body> {
  if (!response.ok) throw new ApiError(response.status, await messageFor(response))
  return (await response.json()) as Body
}

async function fetchOrThrow(url: string, request: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: signal ?? null })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'The service cannot be reached. Check your connection; the page tries again by itself.')
  }
}

async function messageFor(response: Response): Promise<string> {
  if (response.status === 401) return 'This page has been open for too long. Reload it to continue.'
  if (response.status === 429) {
    return `Too many requests. Wait ${response.headers.get('retry-after') ?? '60'} seconds, then try again.`
  }
  if (response.status >= 500) return 'The service has a problem at the moment. Try again in a minute.'
  const problem = (await response.json().catch(() => null)) as { detail?: string } | null
  return problem?.detail ?? 'The request was not understood. Clear the filters and try again.'
}
