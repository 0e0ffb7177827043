import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { FAILING, PROMPT, type ResponseRecord, UNPROVEN } from './responsiveness.ts'

/** A forgotten watch is unproven again; the database still knows whether it was failing. */
const MAX_PROMPT_WATCHES = 100_000
const MAX_TROUBLED_WATCHES = 50_000

/** A watch that does not answer in time, and when the next of its postponed deliveries is due. */
export interface TroubledWatch {
  readonly response: ResponseRecord
  readonly nextTurnAt: number
}

/** Remembers how promptly watches answer. Those in trouble displace none that answer. */
export class WatchRecords {
  readonly #prompt = new BoundedCache<string, true>(MAX_PROMPT_WATCHES)
  readonly #troubled = new BoundedCache<string, TroubledWatch>(MAX_TROUBLED_WATCHES)

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
