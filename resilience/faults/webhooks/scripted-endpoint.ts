import { until } from '../../../test/support/app.ts'
import { bodyOf, receive } from '../../../test/support/receivers.ts'
import type { ReceivedMessage } from '../../harness/webhooks/received-message.ts'

/** The response to every message until another one is set. */
export interface ScriptedResponse {
  readonly status: number
  readonly headers?: Record<string, string>
  /** Resolves when the response may be sent. */
  readonly after?: Promise<unknown>
}

/** An endpoint whose response a scenario can change at any time. */
export class ScriptedEndpoint implements AsyncDisposable {
  readonly received: ReceivedMessage[] = []
  response: ScriptedResponse = { status: 204 }
  #receiver!: Awaited<ReturnType<typeof receive>>

  static async open(): Promise<ScriptedEndpoint> {
    const endpoint = new ScriptedEndpoint()
    endpoint.#receiver = await receive(async (request, response) => {
      const text = await bodyOf(request)
      const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
      const headers = { id: String(id), timestamp: String(timestamp), signature: String(signature) }
      const { status, headers: sent = {}, after } = endpoint.response
      const body = JSON.parse(text === '' ? '{}' : text) as ReceivedMessage['body']
      const accepted = status >= 200 && status < 300
      const received = { headers, text, body, receivedAt: performance.now(), accepted }
      endpoint.received.push({ ...received, seq: body.seq, watchId: body.watch_id })
      await after
      response.writeHead(status, sent).end()
    })
    return endpoint
  }

  get url(): string {
    return `http://127.0.0.1:${this.#receiver.port}/hook`
  }

  /** The number of connections made to it. */
  get connections(): number {
    return this.#receiver.connections()
  }

  /** Waits until it has received `count` messages in all and returns the last. */
  async waitFor(count: number, what: string): Promise<ReceivedMessage> {
    await until(() => this.received.length >= count, `${what}; ${this.received.length} of ${count} messages arrived`)
    return this.received.at(-1)!
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}
