import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SEVERITIES } from '../../src/domain/taxonomy.ts'
import { aReport } from '../../test/support/report.ts'
import { type Client, NoResponse } from './clients/client.ts'

const PLACES = [
  ['Zamfara', 'Gusau'],
  ['Kaduna', 'Kaduna'],
  ['Borno', 'Maiduguri'],
] as const

/** An operator who reports and confirms incidents, whatever happens to the service meanwhile. */
export class Operators {
  readonly #client: Client
  readonly #random: () => number
  readonly #maxPauseMs: number
  /** Those that the service has said to be confirmed. */
  readonly confirmed = new Set<string>()
  #count = 0

  constructor(client: Client, random: () => number, maxPauseMs: number) {
    this.#client = client
    this.#random = random
    this.#maxPauseMs = maxPauseMs
  }

  /** One after the other, until it is told to stop. */
  async work(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const id = await this.#report()
      if (id !== null) await this.#confirm(id)
      await wait(this.#random() * this.#maxPauseMs)
    }
  }

  /** Null where a process died holding the key: another report will do. */
  async #report(): Promise<string | null> {
    const [state, place] = this.#oneOf(PLACES)
    const number = ++this.#count
    const report = aReport({
      state,
      place,
      severity: this.#oneOf(SEVERITIES),
      occurred_at: new Date(Date.UTC(2020, 0, 1) + number * 7_200_000).toISOString(),
      summary: `Report number ${number}.`,
      sources: [{ url: `https://example.org/story-${number}`, publisher: 'Example Daily' }],
    })
    const { status, body } = await this.#client.requestUntilAnswered('POST', '/v1/reports', report, {
      'idempotency-key': randomUUID(),
    })
    if (body.code === 'idempotency_key_in_use') return null
    if (status !== 201) throw new Error(`a report was answered ${status}: ${JSON.stringify(body)}`)
    return body.id as string
  }

  /** After a kill nobody knows whether it went through, so it is looked up. */
  async #confirm(id: string): Promise<void> {
    for (let isConfirmed = false; !isConfirmed; ) {
      try {
        const { status, body } = await this.#client.requestWhenReady('POST', `/v1/desk/incidents/${id}/confirm`, {})
        if (status !== 200) throw new Error(`confirming was answered ${status}: ${JSON.stringify(body)}`)
        isConfirmed = true
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
        const { body } = await this.#client.requestUntilAnswered('GET', `/v1/desk/incidents/${id}`)
        isConfirmed = body.status === 'confirmed'
      }
    }
    this.confirmed.add(id)
  }

  #oneOf<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!
  }
}
