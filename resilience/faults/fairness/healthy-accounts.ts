import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { aReport } from '../../../test/support/incident.ts'
import type { Client } from '../../harness/clients/client.ts'
import { waitFor } from '../../harness/wait-for.ts'

/** Every healthy endpoint has this host; a shared-host attack uses it too. */
export const SHARED_HOST = 'hooks.chat-service.net'

interface Arrival {
  readonly path: string
  readonly incidentId: string
  readonly at: number
}

/** Endpoints at one host: `/healthy/…` responds at once, every other path never. */
export class HealthyEndpoints implements AsyncDisposable {
  readonly arrivals: Arrival[] = []
  readonly #server: Server
  #hanging = 0

  static async listen(): Promise<HealthyEndpoints> {
    const endpoints = new HealthyEndpoints()
    endpoints.#server.listen(0, '127.0.0.1')
    await once(endpoints.#server, 'listening')
    return endpoints
  }

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const at = performance.now()
      const path = request.url!
      if (!path.startsWith('/healthy/')) {
        this.#hanging++
        request.resume()
        return
      }
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { incident: { id: string } }
      this.arrivals.push({ path, incidentId: body.incident.id, at })
      response.writeHead(204).end()
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Requests that were left without a response. */
  get hanging(): number {
    return this.#hanging
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const PAUSE_MS = 250
let reports = 0

/**
 * Confirms critical incidents one after the other and returns the milliseconds from just before
 * each confirmation until it arrived at each of the healthy endpoints.
 */
export async function measureLatencies(
  operator: Client,
  endpoints: HealthyEndpoints,
  healthy: number,
  incidents: number,
): Promise<number[]> {
  const latencies: number[] = []
  for (let count = 0; count < incidents; count++) {
    const number = ++reports
    const report = aReport({
      severity: 'critical',
      occurred_at: new Date(Date.UTC(2020, 0, 1) + number * 7_200_000).toISOString(),
      summary: `Report number ${number}.`,
      sources: [{ url: `https://example.org/story-${number}`, publisher: 'Example Daily' }],
    })
    const { body } = await operator.requestUntilAnswered('POST', '/v1/reports', report)
    const id = body.id as string
    const confirmedAt = performance.now()
    const confirmed = await operator.requestUntilAnswered('POST', `/v1/desk/incidents/${id}/confirm`, {})
    if (confirmed.status !== 200) throw new Error(`confirming got ${JSON.stringify(confirmed.body)}`)
    const arrivals = () =>
      new Map(endpoints.arrivals.filter((each) => each.incidentId === id).map((each) => [each.path, each.at]))
    await waitFor(() => arrivals().size === healthy, `incident ${id} at the healthy endpoints`)
    for (const at of arrivals().values()) latencies.push(at - confirmedAt)
    endpoints.arrivals.length = 0
    await wait(PAUSE_MS)
  }
  return latencies
}
