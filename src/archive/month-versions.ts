import { type Month, monthOf } from '../lib/time/month.ts'

/** For each month, the last event that changed one of its incidents. */
export class MonthVersions {
  readonly #versions = new Map<Month, number>()

  /** `time` is when an incident that the event changed was published. */
  change(time: number, seq: number): void {
    this.#versions.set(monthOf(time), seq)
  }

  of(month: Month): number {
    return this.#versions.get(month) ?? 0
  }

  forgetAll(): void {
    this.#versions.clear()
  }
}
