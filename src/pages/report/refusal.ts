import { ERRORS } from '../../domain/error-codes.ts'
import { Problem } from '../../domain/errors.ts'
import type { Translate } from '../../i18n/translate.ts'
import { StoreUnavailable } from '../../store/store.ts'

const UNAVAILABLE_SECONDS = '5'

export interface Refusal {
  readonly status: number
  readonly message: string
  readonly retryAfter: string
}

/** What the page says when it cannot take a form now: too many came, or the database is away. */
export function refusalOf(error: unknown, t: Translate): Refusal | null {
  const unavailable = { status: 503, message: t('report.error_unavailable'), retryAfter: UNAVAILABLE_SECONDS }
  if (error instanceof StoreUnavailable) return unavailable
  if (!(error instanceof Problem)) return null
  if (error.code === 'starting') return unavailable
  if (error.code !== 'rate_limited') return null
  const retryAfter = error.headers['retry-after'] ?? '3600'
  const minutes = Math.ceil(Number(retryAfter) / 60)
  return { status: ERRORS[error.code].status, message: t('report.error_limit', { count: minutes }), retryAfter }
}
