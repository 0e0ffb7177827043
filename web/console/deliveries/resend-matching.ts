import { RequestError, request } from '../../shared/parts/request.ts'
import type { LogFilter } from './log-filter.ts'

/** How far sending again has come; `cursor` is null at the start and at the end. */
export interface ResendProgress {
  readonly sent: number
  readonly skipped: { readonly tests: number; readonly retracted: number; readonly inactive: number }
  readonly cursor: string | null
}

export const NOTHING_SENT: ResendProgress = {
  sent: 0,
  skipped: { tests: 0, retracted: 0, inactive: 0 },
  cursor: null,
}

interface ResendAnswer {
  readonly redelivered: number
  readonly skipped: ResendProgress['skipped']
  readonly next_cursor: string | null
}

/**
 * Sends all that the filter matches again, up to 1,000 per request, from where `start` has come to.
 * With the same `run`, a request whose answer was lost does not send its messages twice.
 */
export async function resendMatching(
  filter: LogFilter,
  run: string,
  start: ResendProgress,
  onProgress: (progress: ResendProgress) => void,
): Promise<void> {
  const { watch, ...rest } = filter
  let progress = start
  do {
    const { cursor, skipped } = progress
    const body = { ...rest, ...(watch === undefined ? {} : { watch: [watch] }), ...(cursor === null ? {} : { cursor }) }
    const answer = await sendWhenAllowed(body, `${run}-${cursor ?? 'first'}`)
    progress = {
      sent: progress.sent + answer.redelivered,
      skipped: {
        tests: skipped.tests + answer.skipped.tests,
        retracted: skipped.retracted + answer.skipped.retracted,
        inactive: skipped.inactive + answer.skipped.inactive,
      },
      cursor: answer.next_cursor,
    }
    onProgress(progress)
  } while (progress.cursor !== null)
}

/** Waits where the service asks for it. */
async function sendWhenAllowed(body: object, idempotencyKey: string): Promise<ResendAnswer> {
  for (;;) {
    try {
      return await request<ResendAnswer>('POST', '/v1/deliveries/redeliver', { body, idempotencyKey })
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 429) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.max(1000, error.retryAfterMs)))
    }
  }
}
