import { RefusedAddress } from '../../../deliveries/guard/guard.ts'
import { failureOf } from '../../../deliveries/send/failure.ts'
import type { Failure } from '../../../domain/delivery.ts'
import { POLL_PROBLEMS, type PollProblem, type PollProblemCode } from '../../../domain/sources.ts'

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
  return new FetchProblem({ code, detail: `${seen} ${POLL_PROBLEMS[code]}` })
}

/** The problem of any error of a fetch. */
export function problemOfError(error: unknown): FetchProblem {
  if (error instanceof FetchProblem) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (ZLIB_CODE.test(code)) return problemWith('bad_encoding', `Decompressing failed (${code}).`)
  const cause = refusalIn(error)
  const reply = failureOf(cause ?? error)
  const failure = reply.kind === 'failed' ? reply.failure : 'failed'
  const problem = CODE_OF_FAILURE[failure]
  return new FetchProblem({ code: problem, detail: reply.message })
}

function refusalIn(error: unknown): RefusedAddress | null {
  if (error instanceof RefusedAddress) return error
  const { cause, errors = [] } = error as { cause?: unknown; errors?: unknown[] }
  for (const inner of [cause, ...errors]) if (inner instanceof RefusedAddress) return inner
  return null
}
