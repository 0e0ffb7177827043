import { randomUUID } from 'node:crypto'
import { aReport } from '../../../test/support/incident.ts'
import type { Client } from '../../harness/clients/client.ts'

/** One operator, who publishes and retracts an incident whenever a scenario asks for it. */
export class Desk {
  readonly #client: Client
  #count = 0

  constructor(client: Client) {
    this.#client = client
  }

  /** Reports and confirms an incident and returns its id. */
  async publish(changes: Record<string, unknown> = {}): Promise<string> {
    const number = ++this.#count
    const occurred_at = new Date(Date.UTC(2020, 0, 1) + number * 86_400_000).toISOString()
    const report = aReport({ occurred_at, summary: `Report number ${number}.`, ...changes })
    const headers = { 'idempotency-key': randomUUID() }
    const { id } = await this.expect(201, 'POST', '/v1/reports', report, headers)
    await this.expect(200, 'POST', `/v1/desk/incidents/${id}/confirm`, {})
    return id as string
  }

  async retract(id: string): Promise<void> {
    await this.expect(200, 'POST', `/v1/desk/incidents/${id}/retract`, {})
  }

  /** Sends a request, and throws unless it gets the status. */
  async expect(
    expected: number,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const response = await this.#client.requestUntilAnswered(method, path, body, headers)
    if (response.status !== expected)
      throw new Error(`${method} ${path} got status ${response.status}: ${JSON.stringify(response.body)}`)
    return response.body
  }
}
