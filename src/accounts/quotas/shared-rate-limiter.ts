import { type QuotaRequest, type QuotaReservation, type Quotas, StoreUnavailable } from '../../store/store.ts'
import { QuotaWindows } from './quota-windows.ts'
import { type Allowance, MINUTE, RateLimiter } from './rate-limiter.ts'

export interface SharedRateLimiterOptions {
  readonly clock: () => number
  /** Null where no other node shares the limits, or the store is not there yet. */
  readonly quotas: () => Quotas | null
  /** Of a window, in milliseconds. */
  readonly length?: number
}

/** What this node has drawn for a caller, to spend without asking. */
interface QuotaGrant {
  readonly endsAt: number
  hand: number
  spent: number
  /** What was left in the account when it was last asked. */
  left: number
}

interface Waiting {
  limit: number
  readonly requests: PromiseWithResolvers<Allowance>[]
}

/** Drawn ahead at most, as a share of the limit. A caller who leaves this node for another leaves no more than that behind. */
const AHEAD = 1 / 20
/** So long a draw is waited for, in milliseconds: a database that hangs must not hold up reads. */
const PATIENCE = 2000
/** After the database was found to be away, nobody waits for it for so long. */
const AWAY_FOR = 5000

/**
 * So many requests in each window for each caller, whichever nodes they come to. The limit lies in an account in the database; each node
 * draws pieces of it and spends them by itself, so most requests wait for nothing. While the database is away each node allows
 * the whole limit: reads go on.
 */
export class SharedRateLimiter {
  readonly #options: SharedRateLimiterOptions
  readonly #length: number
  /** Where nobody else counts. */
  readonly #alone: RateLimiter
  readonly #purses: QuotaWindows<QuotaGrant>
  #waiting = new Map<string, Waiting>()
  #isDrawing = false
  #awayUntil = Number.NEGATIVE_INFINITY

  constructor(options: SharedRateLimiterOptions) {
    this.#options = options
    this.#length = options.length ?? MINUTE
    this.#alone = new RateLimiter(this.#length)
    this.#purses = new QuotaWindows(this.#length)
  }

  /** At once, where this node has something in hand for the caller or knows that there is nothing more. */
  consume(caller: string, limit: number): Allowance | Promise<Allowance> {
    const now = this.#options.clock()
    const quotas = this.#options.quotas()
    if (quotas === null) return this.#alone.consume(caller, limit, now)
    const purse = this.#purses.running(caller, now)
    if (purse !== undefined && (purse.hand > 0 || purse.left === 0)) return this.#spend(purse, now)
    if (now < this.#awayUntil) return this.#spend(this.#fillAlone(caller, limit, now), now)
    return this.#wait(caller, limit, quotas)
  }

  #spend(purse: QuotaGrant, now: number): Allowance {
    const allowed = purse.hand > 0
    if (allowed) {
      purse.hand--
      purse.spent++
    }
    return { allowed, remaining: purse.hand + purse.left, resetsIn: this.#purses.secondsLeft(purse, now) }
  }

  #wait(caller: string, limit: number, quotas: Quotas): Promise<Allowance> {
    const request = Promise.withResolvers<Allowance>()
    const waiting = this.#waiting.get(caller)
    if (waiting === undefined) this.#waiting.set(caller, { limit, requests: [request] })
    else {
      waiting.limit = limit
      waiting.requests.push(request)
    }
    if (!this.#isDrawing) void this.#drawAll(quotas)
    return request.promise
  }

  /** One draw at a time: whoever comes meanwhile goes with the next, all together. */
  async #drawAll(quotas: Quotas): Promise<void> {
    this.#isDrawing = true
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting
      this.#waiting = new Map()
      await this.#draw(waiting, quotas)
    }
    this.#isDrawing = false
  }

  /** What is drawn is at least as much as waits here: who then gets nothing is over the limit. */
  async #draw(waiting: ReadonlyMap<string, Waiting>, quotas: Quotas): Promise<void> {
    const { clock } = this.#options
    const askedAt = clock()
    const draws = [...waiting].map(([caller, { limit, requests }]): QuotaRequest => {
      const ahead = Math.min(this.#purses.running(caller, askedAt)?.spent ?? 0, Math.floor(limit * AHEAD))
      return { caller, limit, amount: requests.length + ahead, window: this.#length }
    })
    let purses: QuotaGrant[]
    try {
      const drawn = await inTime(quotas.reserve(draws, askedAt))
      purses = draws.map(({ caller }, index) => this.#fill(caller, drawn[index]!, askedAt))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) {
        for (const { requests } of waiting.values()) for (const { reject } of requests) reject(error)
        return
      }
      this.#awayUntil = clock() + AWAY_FOR
      purses = draws.map(({ caller, limit }) => this.#fillAlone(caller, limit, clock()))
    }
    const now = clock()
    for (const [index, { requests }] of [...waiting.values()].entries())
      for (const { resolve } of requests) resolve(this.#spend(purses[index]!, now))
  }

  #fill(caller: string, { amount, left, endsAt }: QuotaReservation, now: number): QuotaGrant {
    const before = this.#purses.running(caller, now)
    const purse = before?.endsAt === endsAt ? before : { endsAt, hand: 0, spent: 0, left }
    purse.hand += amount
    purse.left = left
    this.#purses.set(caller, purse, now)
    return purse
  }

  /** What is left of the whole limit, as if this node were the only one, until the window ends. */
  #fillAlone(caller: string, limit: number, now: number): QuotaGrant {
    const purse = this.#purses.running(caller, now) ?? { endsAt: now + this.#length, hand: 0, spent: 0, left: 0 }
    purse.hand = Math.max(0, limit - purse.spent)
    purse.left = 0
    this.#purses.set(caller, purse, now)
    return purse
  }
}

/** What the database answers in time; one that takes longer is as good as away. */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(new StoreUnavailable('The database takes too long')), PATIENCE)
  try {
    return await Promise.race([answer, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
