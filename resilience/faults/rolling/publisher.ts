import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { aReport } from '../../../test/support/incident.ts'
import type { ApiResponse, Client } from '../../harness/clients/client.ts'

const RETRY_MS = 250
const MAX_RETRIES = 240

/** Reports and confirms incidents until it is stopped, and repeats what got no answer. */
export class Publisher {
  /** The ids of confirmed incidents, and when the confirmation was acknowledged. */
  readonly confirmed = new Map<string, number>()
  readonly #client: Client
  readonly #stop = new AbortController()
  readonly #publishing: Promise<void>

  constructor(client: Client, pauseMs: number) {
    this.#client = client
    this.#publishing = this.#publishInLoop(pauseMs)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#publishing
  }

  async #publishInLoop(pauseMs: number): Promise<void> {
    for (let number = 0; !this.#stop.signal.aborted; number++) {
      const occurred_at = new Date(Date.UTC(2015, 0, 1) + number * 7_200_000).toISOString()
      const report = aReport({ occurred_at, summary: `Report number ${number} of a rolling restart.` })
      const headers = { 'idempotency-key': randomUUID() }
      const { body } = await this.#repeat(
        () => this.#client.requestUntilAnswered('POST', '/v1/reports', report, headers),
        ({ status }) => status === 201,
        // A node that has stopped may hold the key for some seconds.
        ({ body: problem }) => problem.code === 'idempotency_key_in_use',
      )
      const id = body.id as string
      const confirm = `/v1/desk/incidents/${id}/confirm`
      await this.#repeat(
        () => this.#client.requestUntilAnswered('POST', confirm, {}),
        // 409: the answer to an earlier attempt was lost.
        ({ status }) => status === 200 || status === 409,
        () => false,
      )
      this.confirmed.set(id, performance.now())
      await wait(pauseMs)
    }
  }

  async #repeat(
    request: () => Promise<ApiResponse>,
    isDone: (response: ApiResponse) => boolean,
    mayRepeat: (response: ApiResponse) => boolean,
  ): Promise<ApiResponse> {
    for (let retries = 0; ; retries++) {
      const response = await request()
      if (isDone(response)) return response
      if (!mayRepeat(response) || retries === MAX_RETRIES)
        throw new Error(`the desk got status ${response.status}: ${JSON.stringify(response.body)}`)
      await wait(RETRY_MS)
    }
  }
}
