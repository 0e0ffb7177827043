import { until } from '../../../test/support/app.ts'
import type { Desk } from './desk.ts'
import { ScriptedEndpoint } from './scripted-endpoint.ts'

export interface DeliveryState {
  readonly id: string
  readonly seq: number
  readonly status: string
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly log: readonly { readonly at: string; readonly duration_ms: number }[]
}

/** A watch for one state, with its own scripted endpoint. */
export class WatchUnderTest implements AsyncDisposable {
  readonly id: string
  readonly secret: string
  readonly state: string
  readonly endpoint: ScriptedEndpoint
  readonly #desk: Desk

  static async create(desk: Desk, state: string): Promise<WatchUnderTest> {
    const endpoint = await ScriptedEndpoint.open()
    const watch = { name: state, url: endpoint.url, filter: { state } }
    const { id, secret } = await desk.expect(201, 'POST', '/v1/watches', watch)
    return new WatchUnderTest(desk, endpoint, state, id as string, secret as string)
  }

  private constructor(desk: Desk, endpoint: ScriptedEndpoint, state: string, id: string, secret: string) {
    this.#desk = desk
    this.endpoint = endpoint
    this.state = state
    this.id = id
    this.secret = secret
  }

  /** Publishes an incident that the watch matches and returns its id. */
  publish(): Promise<string> {
    return this.#desk.publish({ state: this.state, place: undefined, precision: 'state' })
  }

  request(method: string, path: string, body: unknown = {}): Promise<Record<string, unknown>> {
    return this.#desk.expect(200, method, `/v1/watches/${this.id}${path}`, body)
  }

  redeliver({ id }: DeliveryState): Promise<unknown> {
    return this.#desk.expect(200, 'POST', `/v1/deliveries/${id}/redeliver`, {})
  }

  async status(): Promise<string> {
    return (await this.#desk.expect(200, 'GET', `/v1/watches/${this.id}`)).status as string
  }

  /** Waits until the newest delivery meets the condition. */
  async waitForDelivery(condition: (delivery: DeliveryState) => boolean, what: string): Promise<DeliveryState> {
    let delivery: DeliveryState | null = null
    const isMet = async () => {
      const { data } = await this.#desk.expect(200, 'GET', `/v1/watches/${this.id}/deliveries?limit=1`)
      const [newest] = data as DeliveryState[]
      if (newest === undefined) return false
      delivery = (await this.#desk.expect(200, 'GET', `/v1/deliveries/${newest.id}`)) as unknown as DeliveryState
      return condition(delivery)
    }
    await until(isMet, what).catch((error) => {
      throw new Error(`${(error as Error).message}; the delivery is ${JSON.stringify(delivery)}`)
    })
    return delivery!
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endpoint[Symbol.asyncDispose]()
  }
}
