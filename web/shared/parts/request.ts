/** The service refused a request, or could not be reached (status 0). Its message can be shown. */
export class RequestError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: readonly FieldMessage[]
  readonly retryAfterMs: number
  constructor(status: number, code: string, message: string, fields: readonly FieldMessage[] = [], retryAfterMs = 0) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
    this.retryAfterMs = retryAfterMs
  }

  /** The same request may succeed later: nothing is known to be wrong with it. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500 || this.code === 'idempotency_key_in_use'
  }
}

export interface FieldMessage {
  readonly pointer?: string
  readonly parameter?: string
  readonly message: string
  readonly did_you_mean?: readonly string[]
}

export interface RequestOptions {
  readonly body?: object
  /** A file as it is, in place of `body`. */
  readonly content?: { readonly type: string; readonly body: Blob }
  readonly version?: number | null
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls the API with the session's cookie. Throws a `RequestError`. */
export async function request<Body>(method: Method, path: string, options: RequestOptions = {}): Promise<Body> {
  const { body, content, version = null, idempotencyKey, signal } = options
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (content !== undefined) headers['content-type'] = content.type
  if (version !== null) headers['if-match'] = `"${version}"`
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const response = await fetchOrThrow(path, {
    method,
    headers,
    body: body === undefined ? (content?.body ?? null) : JSON.stringify(body),
    signal: signal ?? null,
    cache: 'no-store',
  })
  if (!response.ok) throw await errorOf(response)
  return (response.status === 204 ? null : await response.json()) as Body
}

async function fetchOrThrow(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new RequestError(0, 'unreachable', 'The service cannot be reached.')
  }
}

interface ProblemDocument {
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly FieldMessage[]
}

async function errorOf(response: Response): Promise<RequestError> {
  const problem = (await response.json().catch(() => ({}))) as ProblemDocument
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  const fields = problem.errors ?? []
  const detail = problem.detail ?? `The service answered with status ${response.status}.`
  return new RequestError(response.status, problem.code ?? 'unknown', detail, fields, seconds > 0 ? seconds * 1000 : 0)
}
