import type { ErrorCode, Problem } from '../generated/types.ts'
import type { Position } from '../stream/change.ts'

/**
 * The base of every error of this package; aborting a call throws the signal's own reason instead.
 */
export class IncidentFeedError extends Error {
  /** The name of the class. */
  override readonly name: string = 'IncidentFeedError'
}

/**
 * No answer came: the name was not found, the connection was refused or cut. `cause` has the
 * reason.
 */
export class NetworkError extends IncidentFeedError {
  /** The name of the class. */
  override readonly name = 'NetworkError'
}

/** The answer took longer than `timeoutMs`. */
export class TimeoutError extends IncidentFeedError {
  /** The name of the class. */
  override readonly name = 'TimeoutError'
  /** The time allowed, in milliseconds. */
  readonly timeoutMs: number

  /** Says which request took longer than which time. */
  constructor(request: string, timeoutMs: number) {
    super(`${request} was not answered within ${timeoutMs} ms`)
    this.timeoutMs = timeoutMs
  }
}

/** One wrong parameter or member of a body, with what would be right where the service knows it. */
export type FieldError = NonNullable<Problem['errors']>[number]

/** The service, or a proxy before it, answered with an error. */
export class ProblemError extends IncidentFeedError {
  /** The name of the class. */
  override readonly name: string = 'ProblemError'
  /** The HTTP status. */
  readonly status: number
  /** The stable code of the problem; null if the answer is not one of the service's. */
  readonly code: ErrorCode | null
  /** Says what is wrong with this request, and what would be right. */
  readonly detail: string
  /** Every wrong parameter or member, one by one. */
  readonly errors: readonly FieldError[]
  /** Quote it when you ask for help. */
  readonly requestId: string | null
  /** The seconds that the service asks to wait; null if it does not say. */
  readonly retryAfterSeconds: number | null
  /** The whole document; null if the answer is not one of the service's. */
  readonly problem: Problem | null

  /** Reads the answer; `body` is the parsed document, or the text if it is none. */
  constructor(request: string, response: Response, body: unknown, retryAfterSeconds: number | null) {
    const problem = isProblem(body) ? body : null
    const detail = problem?.detail ?? `${request} was answered with ${response.status} ${response.statusText}`.trim()
    const errors = problem?.errors ?? []
    super([problem ? `${problem.code}: ${detail}` : detail, ...errors.map(sentenceOf)].join('\n  '))
    this.status = response.status
    this.code = problem?.code ?? null
    this.detail = detail
    this.errors = errors
    this.requestId = problem?.request_id ?? response.headers.get('x-request-id')
    this.retryAfterSeconds = retryAfterSeconds
    this.problem = problem
  }

  /** The values that were probably meant, such as `Kaduna` for `Kadunna`. */
  get suggestions(): readonly string[] {
    return this.errors.flatMap(({ did_you_mean: names = [] }) => names)
  }
}

/**
 * The service was put back to an earlier state, or its database has lost its latest writes: the
 * position is not in its log any more. Thrown by `feed.stream`, `feed.changes` and
 * `feed.changePage`.
 */
export class PositionLostError extends ProblemError {
  /** The name of the class. */
  override readonly name = 'PositionLostError'

  /** Your copy is right up to here; `'0'` if nothing is left of it. */
  get resumeAfter(): Position {
    return this.problem!.resume_after!
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && typeof (body as Partial<Problem>).code === 'string'
}

function sentenceOf({ parameter, pointer, message, did_you_mean: names = [] }: FieldError): string {
  const suggestion = names.length > 0 ? `; did you mean ${names.join(' or ')}?` : ''
  return `${parameter ?? pointer ?? 'request'}: ${message}${suggestion}`
}
