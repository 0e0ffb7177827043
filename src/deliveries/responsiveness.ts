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
