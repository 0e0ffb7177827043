import type { Progress } from '../../desk/importing/import.ts'
import { countRows } from '../../desk/importing/tally.ts'

const TERMINAL_INTERVAL_MS = 200
const LOG_INTERVAL_MS = 10_000
/** Return to the beginning of the line, and clear what is left of the old text. */
const REWRITE = '\r'
const CLEAR_REST = '\x1b[K'

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Pace {
  /** The size of the file in bytes; null if unknown. */
  readonly size: number | null
  /** The rows imported before this run. */
  readonly rowsBefore: number
  readonly startedAt: number
}

export function progressLine(
  { position, tally }: Progress,
  { size, rowsBefore, startedAt }: Pace,
  now: number,
): string {
  const rows = countRows(tally)
  const rate = Math.round(((rows - rowsBefore) * 1000) / Math.max(1, now - startedAt))
  const percent = size === null || size === 0 ? [] : [`${Math.floor(((position?.offset ?? 0) / size) * 100)}%`]
  const number = (value: number) => value.toLocaleString('en')
  const counts = [`${number(rows)} rows`, `${number(rate)} rows/s`, `${number(tally.counts.rejected)} rejected`]
  return [...percent, ...counts].join('  ')
}

/** One line, rewritten on a terminal, repeated in a log; uses no colours, so ignores NO_COLOR. */
export class ProgressLine {
  readonly #screen: Screen
  readonly #pace: Pace
  readonly #clock: () => number
  #shownAt: number
  #lineShown = false

  constructor(screen: Screen, pace: Pace, clock: () => number) {
    this.#screen = screen
    this.#pace = pace
    this.#clock = clock
    this.#shownAt = pace.startedAt
  }

  showProgress(progress: Progress): void {
    const now = this.#clock()
    if (now - this.#shownAt < (this.#screen.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS)) return
    this.#shownAt = now
    const line = progressLine(progress, this.#pace, now)
    if (!this.#screen.isTTY) this.#screen.write(`${line}\n`)
    // Leave the last column free: a terminal that wraps there would leave a line behind each time.
    else this.#screen.write(`${REWRITE}${line.slice(0, (this.#screen.columns ?? 80) - 1)}${CLEAR_REST}`)
    this.#lineShown = this.#screen.isTTY ?? false
  }

  printLine(message: string): void {
    this.clear()
    this.#screen.write(`${message}\n`)
  }

  clear(): void {
    if (this.#lineShown) this.#screen.write(`${REWRITE}${CLEAR_REST}`)
    this.#lineShown = false
  }
}
