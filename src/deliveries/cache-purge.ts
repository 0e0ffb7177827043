import { EVERYTHING_TAG, tagsShowing } from '../domain/cache-tags.ts'
import type { EventKind, Incident } from '../domain/incident.ts'
import { WakeableSleep } from '../lib/concurrency.ts'
import type { Runtime } from '../lib/runtime.ts'
import type { LogEvent, Store } from '../store/store.ts'

/*
 * Caches in front of the service (a CDN, nginx) are told which of their answers a correction, a
 * retraction or a redaction has made wrong. The node that fans out does so, at least once for each
 * event: the position is stored after the second telling, so that another process goes on there.
 */

const PURGED_EVENTS: ReadonlySet<EventKind> = new Set(['incident.updated', 'incident.retracted'])
const EVENT_BATCH = 500
/** For more a cache is emptied: thousands of incidents were corrected at once. */
const MAX_TAGS = 200
const TIMEOUT_MS = 5_000
/**
 * A cache may ask a node that has not applied the event yet, or be storing its answer. One that is
 * later than this says so, and caches do not keep what it answers.
 */
const REPEAT_AFTER_MS = 6_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
/** No cache keeps an answer for as long (`CACHING`): nothing is left to purge. */
const GIVE_UP_AFTER_MS = 2 * 3_600_000

export type PurgeOutcome = 'sent' | 'failed'

interface CachePurgerOptions {
  readonly store: Pick<Store, 'events' | 'fanOut'>
  /** PURGE_URL */
  readonly url: string
  /** PURGE_HEADER: `name: value`; null if the address needs none. */
  readonly header: string | null
  readonly owner: string
  /** Whether this process is the one that tells. */
  readonly isChosen: () => boolean
  readonly pollIntervalMs: number
  readonly runtime: Runtime
  readonly onOutcome: (outcome: PurgeOutcome) => void
  readonly onError: (error: unknown, message: string) => void
}

interface SentPurge {
  readonly tags: ReadonlySet<string>
  /** The events up to this one were told before. */
  readonly after: number
  readonly repeatAt: number
}

/** Follows the log and tells caches what to drop. */
export class CachePurger implements AsyncDisposable {
  readonly #options: CachePurgerOptions
  readonly #sleep: WakeableSleep
  readonly #finished: Promise<void>
  /** The events that were told, and those whose telling is stored; null while another tells. */
  #position: { told: number; stored: number } | null = null
  #repeats: SentPurge[] = []
  #failures = 0
  #failingSince = 0
  #retryAt = Number.NEGATIVE_INFINITY

  constructor(options: CachePurgerOptions) {
    this.#options = options
    this.#sleep = new WakeableSleep(options.pollIntervalMs, options.runtime)
    const stopListening = options.store.events.onAppend(() => this.#sleep.wake())
    this.#finished = this.#run().finally(stopListening)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      this.#sleep.clearWake()
      try {
        await this.#tell()
      } catch (error) {
        this.#options.onError(error, 'caches cannot be purged')
        this.#position = null
      }
      await this.#sleep.wait()
    }
  }

  async #tell(): Promise<void> {
    const { store, owner, isChosen, runtime } = this.#options
    if (!isChosen()) {
      this.#position = null
      return
    }
    if (runtime.elapsed() < this.#retryAt) return
    this.#position ??= await this.#storedPosition()
    const position = this.#position
    for (let isMore = true; isMore && !this.#sleep.stopped; ) {
      const events = await store.events.follow(position.told, EVENT_BATCH)
      isMore = events.length === EVENT_BATCH
      const tags = await this.#tagsOf(events)
      if (tags.size > 0 && !(await this.#send(tags))) return
      if (tags.size > 0)
        this.#repeats.push({ tags, after: position.told, repeatAt: runtime.elapsed() + REPEAT_AFTER_MS })
      position.told = events.at(-1)?.seq ?? position.told
    }
    for (let [next] = this.#repeats; next !== undefined && next.repeatAt <= runtime.elapsed(); [next] = this.#repeats) {
      if (!(await this.#send(next.tags))) return
      this.#repeats.shift()
    }
    const done = this.#repeats[0]?.after ?? position.told
    if (done === position.stored) return
    await store.fanOut.recordPurged(owner, done)
    position.stored = done
  }

  /** Without one, nothing was told yet: what caches hold is from after this start. */
  async #storedPosition(): Promise<{ told: number; stored: number }> {
    const { store, owner } = this.#options
    this.#repeats = []
    const stored = await store.fanOut.purgedSeq()
    if (stored !== null) return { told: stored, stored }
    const { seq } = await store.events.head()
    await store.fanOut.recordPurged(owner, seq)
    return { told: seq, stored: seq }
  }

  /** Of the version that an event made, and of the one before it, which caches may have. */
  async #tagsOf(events: readonly LogEvent[]): Promise<ReadonlySet<string>> {
    const tags = new Set<string>()
    for (const { kind, incidentId, seq, document } of events) {
      if (!PURGED_EVENTS.has(kind)) continue
      const before = await this.#options.store.events.documentBefore(incidentId, seq)
      for (const text of before === null ? [document] : [before, document])
        for (const tag of tagsShowing(JSON.parse(text) as Incident)) tags.add(tag)
    }
    return tags.size > MAX_TAGS ? new Set([EVERYTHING_TAG]) : tags
  }

  /** Returns false if it has to be tried again. */
  async #send(tags: ReadonlySet<string>): Promise<boolean> {
    const { url, header, runtime, onOutcome, onError } = this.#options
    const [name, value] = header === null ? [] : splitHeader(header)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'surrogate-key': [...tags].join(' '),
          ...(name === undefined ? {} : { [name]: value! }),
        },
        body: JSON.stringify({ tags: [...tags] }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`PURGE_URL answered ${response.status}`)
    } catch (error) {
      onOutcome('failed')
      if (this.#failures === 0) {
        this.#failingSince = runtime.elapsed()
        onError(error, 'caches could not be purged; trying again')
      }
      const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures)
      this.#failures++
      this.#retryAt = runtime.elapsed() + delay
      if (runtime.elapsed() - this.#failingSince < GIVE_UP_AFTER_MS) return false
      onError(error, 'caches were not purged for two hours; what they kept has expired')
      this.#failures = 0
      return true
    }
    onOutcome('sent')
    this.#failures = 0
    this.#retryAt = Number.NEGATIVE_INFINITY
    return true
  }
}

function splitHeader(text: string): [string, string] {
  const end = text.indexOf(':')
  return [text.slice(0, end), text.slice(end + 1).trim()]
}
