import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { bodyOf, receive } from '../../../test/support/receivers.ts'
import type { ReceivedMessage } from './received-message.ts'

export interface Endpoint extends AsyncDisposable {
  readonly url: string
  readonly received: ReceivedMessage[]
}

/** Responds to a message or leaves it without response; resolves to true after a 2xx. */
export type Behaviour = (response: ServerResponse, id: string) => Promise<boolean>

/** Starts an endpoint that records every message as it was sent, for `check-messages.ts`. */
export async function listen(behaviour: Behaviour): Promise<Endpoint> {
  const received: ReceivedMessage[] = []
  const receiver = await receive(async (request, response) => {
    if (request.method !== 'POST') {
      // Random requests may also name it as a feed, which is polled.
      response.writeHead(405).end()
      return
    }
    const receivedAt = performance.now()
    const text = await bodyOf(request)
    const body = JSON.parse(text) as ReceivedMessage['body']
    const accepted = await behaviour(response, body.id)
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
    const headers = { id: String(id), timestamp: String(timestamp), signature: String(signature) }
    received.push({ headers, text, body, receivedAt, accepted, seq: body.seq, watchId: body.watch_id })
  })
  const close = () => receiver[Symbol.asyncDispose]()
  return { url: `http://127.0.0.1:${receiver.port}/hook`, received, [Symbol.asyncDispose]: close }
}

export const respondAtOnce: Behaviour = async (response) => {
  response.writeHead(204).end()
  return true
}

/**
 * Responds after up to 300 ms, so that processes are often killed between the request and its
 * response.
 */
export function respondSlowly(random: () => number): Behaviour {
  return async (response, id) => {
    await wait(random() * 300)
    return respondAtOnce(response, id)
  }
}

/**
 * Fails 40 % of the attempts with a 500, a closed connection or, if `mayHang`, no response. Fails
 * each message at most `maxFailures` times, because later retries would be hours away.
 */
export function failAtRandom(random: () => number, maxFailures: number, mayHang: boolean): Behaviour {
  const failures = new Map<string, number>()
  return async (response, id) => {
    const failed = failures.get(id) ?? 0
    if (failed >= maxFailures || random() < 0.6) return respondAtOnce(response, id)
    failures.set(id, failed + 1)
    const chance = random()
    if (chance < 0.7) response.writeHead(500).end('not today')
    else if (chance < 0.95 || !mayHang) response.destroy()
    // Otherwise the endpoint hangs.
    return false
  }
}
