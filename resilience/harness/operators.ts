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

/** Reports and confirms incidents, and continues after every fault of the service. */
export class Operators {
  readonly #client: Client
  readonly #random: () => number
  readonly #maxPauseMs: number
  /** The ids of incidents whose confirmation the service has acknowledged. */
  readonly confirmed = new Set<string>()
  #count = 0

  constructor(client: Client, random: () => number, maxPauseMs: number) {
    this.#client = client
    this.#random = random
    this.#maxPauseMs = maxPauseMs
  }

  /** Reports and confirms one incident after the other until `stop` is aborted. */
  async confirmIncidents(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const id = await this.#report()
      if (id !== null) await this.#confirm(id)
      await wait(this.#random() * this.#maxPauseMs)
    }
  }

  /**
   * Returns null if a process died while it held the idempotency key; the caller reports another
   * incident.
   */
  async #report(): Promise<string | null> {
    const [state, place] = this.#pick(PLACES)
    const number = ++this.#count
    const report = aReport({
      state,
      place,
      severity: this.#pick(SEVERITIES),
      occurred_at: new Date(Date.UTC(2020, 0, 1) + number * 7_200_000).toISOString(),
      summary: `Report number ${number}.`,
      sources: [{ url: `https://example.org/story-${number}`, publisher: 'Example Daily' }],
    })
    const { status, body } = await this.#client.requestUntilAnswered('POST', '/v1/reports', report, {
      'idempotency-key': randomUUID(),
    })
    if (body.code === 'idempotency_key_in_use') return null
    if (status !== 201) throw new Error(`reporting got status ${status}: ${JSON.stringify(body)}`)
    return body.id as string
  }

  /**
   * Reads the incident after a request without response, because the confirmation may have
   * succeeded.
   */
  async #confirm(id: string): Promise<void> {
    for (let isConfirmed = false; !isConfirmed; ) {
      try {
        const { status, body } = await this.#client.requestWhenReady('POST', `/v1/desk/incidents/${id}/confirm`, {})
        if (status !== 200) throw new Error(`confirming got status ${status}: ${JSON.stringify(body)}`)
        isConfirmed = true
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
        const { body } = await this.#client.requestUntilAnswered('GET', `/v1/desk/incidents/${id}`)
        isConfirmed = body.status === 'confirmed'
      }
    }
    this.confirmed.add(id)
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!
  }
}
