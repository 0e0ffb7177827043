import type { Logger } from 'pino'
import type { Runtime } from '../lib/runtime.ts'
import { StoreBusy, StoreFull, StoreUnavailable } from '../store/store.ts'

const LINE_INTERVAL_MS = 60_000
/** Some calls may still fail while others work again. */
const QUIET_BEFORE_END_MS = 5_000

/**
 * Owns what the log says about a database that cannot be used: one line when it begins, one a
 * minute while it lasts, one when it has ended. Every part of the service notices an outage, many
 * of them each second, and logs it as any error; `logger` keeps those lines back.
 */
export class StoreOutages {
  /** Without the lines about a store that is unavailable. */
  readonly logger: Logger
  readonly #log: Logger
  readonly #elapsed: Runtime['elapsed']
  #current: { readonly since: number; lastFailureAt: number; failures: number; isLogged: boolean } | null = null
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(log: Logger, { elapsed }: Pick<Runtime, 'elapsed'>) {
    this.#log = log
    this.#elapsed = elapsed
    this.logger = this.#withoutOutages(log)
  }

  /** To be called now and then when a write has succeeded. */
  recordWrite(): void {
    const now = this.#elapsed()
    const ended = this.#current
    if (ended === null || now - ended.lastFailureAt < QUIET_BEFORE_END_MS) return
    this.#current = null
    const { since, lastFailureAt, failures, isLogged } = ended
    if (isLogged)
      this.#log.info({ seconds: Math.round((lastFailureAt - since) / 1000), failures }, 'the database works again')
  }

  #recordFailure(error: StoreUnavailable): void {
    const { message: reason } = error
    const now = this.#elapsed()
    this.#current ??= { since: now, lastFailureAt: now, failures: 0, isLogged: false }
    const { since, isLogged } = this.#current
    const failures = ++this.#current.failures
    this.#current.lastFailureAt = now
    // Also between outages: one that comes and goes would otherwise fill the log.
    if (now - this.#loggedAt < LINE_INTERVAL_MS) return
    this.#loggedAt = now
    this.#current.isLogged = true
    const state = stateOf(error)
    if (isLogged) this.#log.warn({ reason, seconds: Math.round((now - since) / 1000), failures }, `${state} still`)
    else this.#log.warn({ reason }, `${state}: writes are refused, reads go on from memory; retrying`)
  }

  #withoutOutages(log: Logger): Logger {
    const quiet = Object.create(log) as Logger
    for (const level of ['warn', 'error'] as const)
      quiet[level] = (...args: [unknown, ...unknown[]]): void => {
        const error = (args[0] as { readonly err?: unknown } | null)?.err
        if (isOutage(error)) this.#recordFailure(error)
        else (log[level] as (...given: unknown[]) => void)(...args)
      }
    return quiet
  }
}

/** A damaged file of the saved archive is unavailable too, and nothing of the database. */
function isOutage(error: unknown): error is StoreUnavailable {
  return (
    error instanceof StoreFull ||
    error instanceof StoreBusy ||
    (error instanceof StoreUnavailable && error.constructor === StoreUnavailable)
  )
}

function stateOf(error: StoreUnavailable): string {
  if (error instanceof StoreFull) return 'the disk of the database is full'
  return error instanceof StoreBusy
    ? 'the database has too few connections for what is asked of it'
    : 'the database cannot be used'
}
