import { type Month, monthOf } from '../../lib/time/month.ts'

/** Tells when something in a month has changed since the start: what was worked out from it then no longer holds. */
export class MonthVersions {
  readonly #changedBy = new Map<Month, number>()

  /** An incident published at that time has come, gone or changed by the event `seq`. */
  touch(publishedAt: number, seq: number): void {
    this.#changedBy.set(monthOf(publishedAt), seq)
  }

  /** Another number whenever the month has changed. */
  of(month: Month): number {
    return this.#changedBy.get(month) ?? 0
  }
}
