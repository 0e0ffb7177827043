import type { Problem } from '../../../client/src/generated/types.ts'

export type FieldMessage = NonNullable<Problem['errors']>[number]

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

/** Sentences for failures that the service has not put into words. */
export interface FailureWords {
  readonly unreachable: string
  readonly failed: (status: number) => string
}

export interface RequestOptions {
  readonly body?: object | undefined
  /** A file as it is, in place of `body`. */
  readonly content?: { readonly type: string; readonly body: Blob }
  readonly version?: number | null
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly words?: FailureWords
}

const WORDS: FailureWords = {
  unreachable: 'The service cannot be reached.',
  failed: (status) => `The service answered with status ${status}.`,
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Calls the API with the session's cookie. Throws a `RequestError`, or the abort's own error once
 * `signal` is aborted.
 */
export async function request<Answer>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { body, content, version = null, idempotencyKey, signal, words = WORDS } = options
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (content !== undefined) headers['content-type'] = content.type
  if (version !== null) headers['if-match'] = `"${version}"`
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  const sent = body === undefined ? (content?.body ?? null) : JSON.stringify(body)
  let response: Response
  try {
    response = await fetch(path, { method, headers, body: sent, signal: signal ?? null, cache: 'no-store' })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new RequestError(0, 'unreachable', words.unreachable)
  }
  if (response.ok) return (response.status === 204 ? null : await response.json()) as Answer
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>
  const { code = 'unknown', detail = words.failed(response.status), errors = [] } = problem
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  throw new RequestError(response.status, code, detail, errors, seconds > 0 ? seconds * 1000 : 0)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** Reads a list page by page to its end. Throws as `request` does. */
export async function* readPages<Answer extends Pick<Page<unknown>, 'next_cursor'>>(
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<Answer> {
  for (let cursor: string | null = null; ; ) {
    const search: string = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) }).toString()
    const page: Answer = await request<Answer>('GET', `${path}?${search}`, { signal })
    yield page
    cursor = page.next_cursor
    if (cursor === null) return
  }
}
