import { BoundedCache } from '../lib/bounded-cache.ts'

/** A watch's endpoint is not known yet, or answers in time, late, or several times not at all. */
export type Responsiveness = 'unproven' | 'prompt' | 'slow' | 'silent'

export interface ResponseRecord {
  readonly state: Responsiveness
  /** Consecutive attempts without an answer. */
  readonly silences: number
  /** Consecutive answers in time since the last trouble. */
  readonly promptAnswers: number
  /** A silent watch gets no attempt before this time. */
  readonly nextProbeAt: number
}

const UNPROVEN: ResponseRecord = { state: 'unproven', silences: 0, promptAnswers: 0, nextProbeAt: 0 }
export const PROMPT: ResponseRecord = { ...UNPROVEN, state: 'prompt' }
/** A watch whose last attempts failed, as the database remembers it. */
const FAILING: ResponseRecord = { ...UNPROVEN, state: 'slow' }

/** One broken connection says nothing about an endpoint; this many in a row make it silent. */
const SILENCES_UNTIL_SILENT = 3
/** One answer does not outweigh a silence: an endpoint could answer every second message only. */
const ANSWERS_UNTIL_PROMPT = 3
/** Milliseconds between attempts of a silent watch; the last one repeats. */
const PROBE_DELAYS = [5_000, 10_000, 20_000, 40_000, 60_000]

/** One attempt showed an answer in time, a late one, or none. */
export type Observation = 'prompt' | 'late' | 'none'

export function recordAfter(record: ResponseRecord, observed: Observation, now: number): ResponseRecord {
  if (observed === 'prompt') return recordAfterPromptAnswer(record)
  if (observed === 'late') return { ...record, state: 'slow', silences: 0, promptAnswers: 0 }
  const silences = record.silences + 1
  const since = silences - SILENCES_UNTIL_SILENT
  if (since < 0) return { ...record, silences, promptAnswers: 0 }
  const delay = PROBE_DELAYS[Math.min(since, PROBE_DELAYS.length - 1)]!
  return { state: 'silent', silences, promptAnswers: 0, nextProbeAt: now + delay }
}

/** While an attempt takes long, before its end is known. */
export function recordWhileWaiting(record: ResponseRecord): ResponseRecord {
  const isTroubled = record.state === 'slow' || record.state === 'silent'
  return isTroubled ? record : { ...record, state: 'slow', promptAnswers: 0 }
}

function recordAfterPromptAnswer(record: ResponseRecord): ResponseRecord {
  const { state } = record
  const promptAnswers = record.promptAnswers + 1
  if (state === 'unproven' || state === 'prompt' || promptAnswers >= ANSWERS_UNTIL_PROMPT) return PROMPT
  return { state: 'slow', silences: 0, promptAnswers, nextProbeAt: 0 }
}

/** A forgotten watch is unproven again; the database still knows whether it was failing. */
const MAX_PROMPT_WATCHES = 100_000
const MAX_TROUBLED_WATCHES = 50_000

/** Remembers how promptly watches answer. Those in trouble displace none that answer. */
export class ResponseRecords {
  readonly #prompt = new BoundedCache<string, true>(MAX_PROMPT_WATCHES)
  /** With the time when the next of their postponed deliveries is due. */
  readonly #troubled = new BoundedCache<string, { readonly response: ResponseRecord; readonly nextTurnAt: number }>(
    MAX_TROUBLED_WATCHES,
  )

  isPrompt(watchId: string): boolean {
    return this.#prompt.get(watchId) === true || this.#troubled.get(watchId)?.response.state === 'prompt'
  }

  /** `failing` is what the database knows about the watch. */
  responseOf(watchId: string, failing: boolean): ResponseRecord {
    if (this.#prompt.get(watchId) === true) return PROMPT
    return this.#troubled.get(watchId)?.response ?? (failing ? FAILING : UNPROVEN)
  }

  setResponse(watchId: string, response: ResponseRecord): void {
    if (response === PROMPT) {
      if (this.#prompt.get(watchId) === true) return
      this.#troubled.delete(watchId)
      this.#prompt.set(watchId, true)
      return
    }
    this.#prompt.delete(watchId)
    this.#troubled.set(watchId, { response, nextTurnAt: this.nextTurnOf(watchId) })
  }

  nextTurnOf(watchId: string): number {
    return this.#troubled.get(watchId)?.nextTurnAt ?? 0
  }

  setNextTurn(watchId: string, nextTurnAt: number): void {
    const response = this.#troubled.get(watchId)?.response ?? UNPROVEN
    if (!this.isPrompt(watchId)) this.#troubled.set(watchId, { response, nextTurnAt })
  }
}

/**
 * Attempts in flight are counted in three pools, so that endpoints that hang never take the room of
 * those that answer: `regular` for watches that answer in time, `trial` for the first attempts of a
 * watch, `suspended` for troubled watches and for attempts that have been waiting for long.
 */
export type Pool = 'regular' | 'trial' | 'suspended'
export const POOLS: readonly Pool[] = ['regular', 'trial', 'suspended']

export const POOL_OF: Readonly<Record<Responsiveness, Pool>> = {
  prompt: 'regular',
  unproven: 'trial',
  slow: 'suspended',
  silent: 'suspended',
}

interface PoolLimits {
  readonly all: number
  readonly perAccount: number
  /** Politeness: a host serves many accounts, which share it. */
  readonly perHost: number
  readonly perAccountAtHost: number
}

export interface InFlightLimits {
  /** Attempts that may start in each pool. */
  readonly pools: Readonly<Record<Pool, PoolLimits>>
  readonly perWatch: Readonly<Record<Responsiveness, number>>
  /**
   * Suspended attempts up to which others may join that started in another pool. Higher than what
   * may start suspended, and highest for `regular`: troubled watches cannot keep the others'
   * attempts from leaving their pool. Waiting for an answer costs a socket and little else.
   */
  readonly suspendedFrom: Readonly<Record<'trial' | 'regular', Pick<PoolLimits, 'all' | 'perHost'>>>
}

/** `concurrency` and `perHost` are the settings; everything else is a share of them. */
export function inFlightLimits(concurrency: number, perHost: number): InFlightLimits {
  const share = (whole: number, part: number) => Math.max(1, Math.round(whole * part))
  return {
    pools: {
      regular: {
        all: concurrency,
        perAccount: share(concurrency, 3 / 4),
        perHost,
        perAccountAtHost: share(perHost, 3 / 4),
      },
      trial: {
        all: share(concurrency, 1 / 2),
        perAccount: share(concurrency, 1 / 8),
        perHost: share(perHost, 1 / 2),
        perAccountAtHost: share(perHost, 1 / 4),
      },
      suspended: {
        all: 4 * concurrency,
        perAccount: share(concurrency, 1 / 2),
        perHost,
        perAccountAtHost: share(perHost, 1 / 4),
      },
    },
    perWatch: { prompt: share(perHost, 3 / 4), unproven: 1, slow: share(perHost, 1 / 8), silent: 1 },
    suspendedFrom: {
      trial: { all: 8 * concurrency, perHost: 2 * perHost },
      // At one host no more can be suspended than start there within the 15 s of an attempt.
      regular: { all: 20 * concurrency, perHost: 20 * concurrency },
    },
  }
}

/** Deliveries that wait in memory at most, in each pool. */
export const MAX_WAITING = 4000
/** Half is shared by the accounts that have some; the other half is for later ones. */
const SHARED_WAITING = MAX_WAITING / 2
const MIN_WAITING_PER_ACCOUNT = 16
const MIN_WAITING_PER_WATCH = 8

/** Deliveries of watches that are not known to answer: few, because they may wait for long. */
const UNPROVEN_WAITING = { perWatch: 64, perAccount: 256 }
export const SLOW_WAITING = { perWatch: 16, perAccount: 256 }
/** With more attempts that hang, first attempts of the account's other watches are spread. */
const MANY_SUSPENDED = 16

/** A postponed delivery waits at least so long, in milliseconds. */
const MIN_POSTPONEMENT_MS = 5_000
/** Turns of postponed deliveries: an account's attempts that hang end at about this rate. */
const ACCOUNT_TURN_MS = 100
const MAX_ACCOUNT_POSTPONEMENT_MS = 15 * 60_000
/** Turns of deliveries that are postponed because their pool is full. */
const FULL_POOL_TURN_MS = 5
const MAX_POOL_POSTPONEMENT_MS = 2 * 60_000
const SLOW_TURN_MS = 250
const SILENT_TURN_MS = 10_000
const MAX_WATCH_POSTPONEMENT_MS = 5 * 60_000

/**
 * A delivery that is ready to be sent is queued in memory, stays due in the database because enough
 * waits here, or falls due later because its watch or account is in trouble: a queue of such
 * deliveries would be read again and again.
 */
export type Admission = 'queue' | 'busy' | 'postpone'

/** The deliveries that wait in memory already. */
interface Waiting {
  readonly ofWatch: number
  readonly inFlightOfWatch: number
  readonly ofAccount: number
  readonly inAll: number
  /** Accounts that have deliveries waiting, and watches of this account that have. */
  readonly activeAccounts: number
  readonly activeWatches: number
  /** Attempts of the account that hang. */
  readonly suspendedOfAccount: number
}

export function admissionOf(response: ResponseRecord, waiting: Waiting, clock: () => number): Admission {
  const { ofWatch, inFlightOfWatch, ofAccount, inAll } = waiting
  if (response.state === 'silent')
    return clock() >= response.nextProbeAt && ofWatch + inFlightOfWatch === 0 && inAll < MAX_WAITING
      ? 'queue'
      : 'postpone'
  if (response.state === 'prompt') {
    const perAccount = maxWaitingPerAccount(waiting.activeAccounts)
    const perWatch = maxWaitingPerWatch(perAccount, waiting.activeWatches)
    return ofWatch < perWatch && ofAccount < perAccount && inAll < MAX_WAITING ? 'queue' : 'busy'
  }
  const limits = response.state === 'unproven' ? UNPROVEN_WAITING : SLOW_WAITING
  if (ofWatch < limits.perWatch && ofAccount < limits.perAccount && inAll < MAX_WAITING) return 'queue'
  // If many accounts fill the pool, their deliveries must not be leased again and again.
  const mayStayDue = response.state === 'unproven' && inAll < MAX_WAITING
  return mayStayDue && waiting.suspendedOfAccount < MANY_SUSPENDED ? 'busy' : 'postpone'
}

/** Whether a lease should bring no more of an account. */
export function isAccountFull(waiting: Readonly<Record<Pool, number>>, suspended: number, perAccount: number): boolean {
  const manyUnproven = waiting.trial >= UNPROVEN_WAITING.perAccount && suspended < MANY_SUSPENDED
  return waiting.regular >= perAccount || manyUnproven
}

/** Whether a lease should bring more of an account that was full. */
export function canRefillAccount(waiting: Readonly<Record<Pool, number>>, perAccount: number): boolean {
  return waiting.regular <= perAccount / 2 && waiting.trial <= UNPROVEN_WAITING.perAccount / 2
}

export function maxWaitingPerAccount(activeAccounts: number): number {
  return Math.max(MIN_WAITING_PER_ACCOUNT, Math.floor(SHARED_WAITING / Math.max(1, activeAccounts)))
}

export function maxWaitingPerWatch(perAccount: number, activeWatches: number): number {
  return Math.max(MIN_WAITING_PER_WATCH, Math.floor(perAccount / Math.max(1, activeWatches)))
}

/** The due time of the watch's next postponed delivery; `last` is that of the one before. */
export function nextWatchTurn(response: ResponseRecord, last: number, now: number): number {
  const silent = response.state === 'silent'
  const first = silent ? response.nextProbeAt : now
  const afterLast = last > now ? last + (silent ? SILENT_TURN_MS : SLOW_TURN_MS) : 0
  const turn = Math.max(first, now + MIN_POSTPONEMENT_MS, afterLast)
  return Math.min(turn, now + MAX_WATCH_POSTPONEMENT_MS)
}

export function nextPoolTurn(last: number, now: number): number {
  return Math.min(Math.max(now, last + FULL_POOL_TURN_MS), now + MAX_POOL_POSTPONEMENT_MS)
}

export function nextAccountTurn(last: number, now: number): number {
  const turn = Math.max(now + MIN_POSTPONEMENT_MS, last + ACCOUNT_TURN_MS)
  return Math.min(turn, now + MAX_ACCOUNT_POSTPONEMENT_MS)
}
