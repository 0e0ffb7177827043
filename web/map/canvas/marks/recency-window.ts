import type { Question } from '../../data/question/question.ts'

/** In seconds since 1970. */
export interface RecencyWindow {
  readonly from: number
  readonly to: number
}

/**
 * Returns the window that ages are relative to, up to now: a period may end with the day. Null,
 * which draws all marks alike, for all time.
 */
export function recencyWindowOf({ window }: Pick<Question, 'window'>, now: number): RecencyWindow | null {
  if (window === null) return null
  const [from, to] = [Date.parse(window.from) / 1000, Math.min(Date.parse(window.to), now) / 1000]
  return from < to ? { from, to } : null
}
