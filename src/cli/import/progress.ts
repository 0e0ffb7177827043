import type { Progress } from '../../intake/importing/import.ts'
import { countRows } from '../../intake/importing/outcome.ts'

const ON_TERMINAL_EVERY = 200
const IN_LOG_EVERY = 10_000
/** Back to the line's beginning, and what stood after its end away. */
const REWRITE = '\r'
const CLEAR_REST = '\x1b[K'

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Pace {
  /** Of the file in bytes; null where nobody knows. */
  readonly size: number | null
  /** How many rows were in when this run began. */
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

/** One line that is rewritten on a terminal, a line now and then in a log. No colours, so NO_COLOR has nothing to do. */
export class ProgressLine {
  readonly #screen: Screen
  readonly #pace: Pace
  readonly #clock: () => number
  #shownAt: number
  #standing = false

  constructor(screen: Screen, pace: Pace, clock: () => number) {
    this.#screen = screen
    this.#pace = pace
    this.#clock = clock
    this.#shownAt = pace.startedAt
  }

  show(progress: Progress): void {
    const now = this.#clock()
    if (now - this.#shownAt < (this.#screen.isTTY ? ON_TERMINAL_EVERY : IN_LOG_EVERY)) return
    this.#shownAt = now
    const line = progressLine(progress, this.#pace, now)
    if (!this.#screen.isTTY) this.#screen.write(`${line}\n`)
    // The last column stays free: a terminal that wraps there would leave a line behind each time.
    else this.#screen.write(`${REWRITE}${line.slice(0, (this.#screen.columns ?? 80) - 1)}${CLEAR_REST}`)
    this.#standing = this.#screen.isTTY ?? false
  }

  /** A message in between. */
  say(message: string): void {
    this.clear()
    this.#screen.write(`${message}\n`)
  }

  /** Leaves the terminal as it was. */
  clear(): void {
    if (this.#standing) this.#screen.write(`${REWRITE}${CLEAR_REST}`)
    this.#standing = false
  }
}
