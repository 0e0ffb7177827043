import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { bodyOf, receive } from '../../../test/webhooks/receiver.ts'
import type { Arrival } from './delivery-counts.ts'

export interface Endpoint extends AsyncDisposable {
  readonly url: string
  readonly arrivals: Arrival[]
}

/** Answers, or does not; resolves with whether it was a 2xx. */
export type Behaviour = (response: ServerResponse, id: string) => Promise<boolean>

export async function listen(behaviour: Behaviour): Promise<Endpoint> {
  const arrivals: Arrival[] = []
  const receiver = await receive(async (request, response) => {
    const header = String(request.headers['webhook-id'])
    const { id, watch_id, sequence, seq } = JSON.parse(await bodyOf(request))
    const answered = await behaviour(response, id)
    arrivals.push({ header, id, watchId: watch_id, sequence, seq, answered })
  })
  const close = () => receiver[Symbol.asyncDispose]()
  return { url: `http://127.0.0.1:${receiver.port}/hook`, arrivals, [Symbol.asyncDispose]: close }
}

export const respondAtOnce: Behaviour = async (response) => {
  response.writeHead(204).end()
  return true
}

/** Takes its time, so that many a process dies between sending and knowing. */
export function slow(random: () => number): Behaviour {
  return async (response, id) => {
    await wait(random() * 300)
    return respondAtOnce(response, id)
  }
}

/** Fails at random in one way or another, but no message more than `most` times: the later retries are hours away. */
export function unreliable(random: () => number, most: number, mayHang: boolean): Behaviour {
  const failures = new Map<string, number>()
  return async (response, id) => {
    const failed = failures.get(id) ?? 0
    if (failed >= most || random() < 0.6) return respondAtOnce(response, id)
    failures.set(id, failed + 1)
    const chance = random()
    if (chance < 0.7) response.writeHead(500).end('not today')
    else if (chance < 0.95 || !mayHang) response.destroy()
    // Else it never answers.
    return false
  }
}
