import { setTimeout as wait } from 'node:timers/promises'
import type { LoggedEvent } from '../event-log.ts'
import { type Client, NoResponse } from './client.ts'

const PAUSE_MS = 200
/** Small, so that a busy harness reads several pages. */
const PAGE_SIZE = 20

/** Keeps a copy in step with `/v1/changes`, as a client would, while faults are injected. */
export class ChangesFollower implements AsyncDisposable {
  readonly #client: Client
  readonly #stop = new AbortController()
  readonly #following: Promise<void>
  /** All events, in the order received. */
  readonly changes: LoggedEvent[] = []
  /** The position from which it started. */
  readonly after: number

  constructor(client: Client, after: number) {
    this.#client = client
    this.after = after
    this.#following = this.#follow()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#following
  }

  async #follow(): Promise<void> {
    for (let after = String(this.after); !this.#stop.signal.aborted; ) {
      try {
        const path = `/v1/changes?after=${after}&limit=${PAGE_SIZE}`
        const { status, body } = await this.#client.requestWhenReady('GET', path)
        // Another node may be behind and refuse the position for a moment.
        if (status === 200) {
          this.changes.push(...(body.data as LoggedEvent[]))
          after = body.next_after as string
          if (body.has_more) continue
        }
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
      }
      await wait(PAUSE_MS)
    }
  }
}
