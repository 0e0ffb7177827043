/**
 * Measures POSTs per second to a receiver in a separate process, 64 at a time, with the body of the
 * same incident: `send` (signed and serialised beforehand), `send` with a signature for each, and
 * for comparison a loop over undici's `Pool.request` that only reads the response. Rounds of 1,500
 * alternate after some warm-up rounds; the share is the median of the shares of neighbouring
 * rounds, so that other load on the machine slows both alike.
 */

import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Pool } from 'undici'
import { messageBody } from '../../src/deliveries/send/message.ts'
import { newSecret, signatureHeaders } from '../../src/deliveries/send/signature.ts'
import { WebhookSender } from '../../src/deliveries/send/webhook-sender.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import type { SendResult } from '../../src/domain/delivery.ts'
import { places } from '../../src/geo/places.ts'
import { startChild } from '../harness/child.ts'
import { FROM, UNTIL } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { median, spread } from '../harness/statistics.ts'

const CONCURRENCY = 64
const POSTS = 1500
const ROUNDS = 40
const WARM_UP = 3
const LEAST_SHARE = 0.85

function statusOf(sent: SendResult): number | null {
  return sent.kind === 'answered' ? sent.status : null
}

export async function run(): Promise<Row[]> {
  await using receiver = await startChild<{ url: string }>('servers/receiver.ts', [])
  const { url } = receiver.hello
  const { origin, pathname: path } = new URL(url)
  const { body, secret } = aMessage()
  const signed = () => signatureHeaders({ id: 'msg_01jd8z0c5x0000000000000000', sentAt: Date.now(), body }, [secret])
  const headers = { ...signed(), 'content-type': 'application/json' }

  const pool = new Pool(origin, { connections: CONCURRENCY })
  await using sender = new WebhookSender({ guard: { allowPrivate: true, lookup: lookup as LookupFunction } })
  const ways = {
    bare: async () => {
      const answer = await pool.request({ method: 'POST', path, headers, body })
      await answer.body.dump()
      return answer.statusCode
    },
    send: async () => statusOf(await sender.post({ url, headers, sentAt: 0, body })),
    signAndSend: async () => statusOf(await sender.post({ url, headers: signed(), sentAt: 0, body })),
  }
  const rates: Record<keyof typeof ways, number[]> = { bare: [], send: [], signAndSend: [] }
  const names = Object.keys(ways) as (keyof typeof ways)[]
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const rate = await postsASecond(ways[name])
      if (round >= 0) rates[name].push(rate)
    }
  }
  await pool.close()
  const share = median(rates.send.map((rate, round) => rate / rates.bare[round]!))
  return [
    {
      name: 'sending: against a bare undici pool',
      value: `${share.toFixed(2)} (${told(rates.send)})`,
      limit: `≥ ${LEAST_SHARE}`,
      peer: `a bare undici pool: ${told(rates.bare)}`,
      ok: share >= LEAST_SHARE,
    },
    { name: 'sending: with the signature made for each', value: told(rates.signAndSend), limit: '–', ok: true },
  ]
}

function aMessage(): { body: string; secret: string } {
  const [incident] = syntheticIncidents({ places, seed: 3, count: 1, from: FROM, until: UNTIL })
  const notice = {
    event: 'incident.created',
    watch: 'North-west roads',
    watchId: 'wat_01jd8z0c5x0000000000000000',
    id: 'msg_01jd8z0c5x0000000000000000',
    sequence: 17,
    seq: 8123,
    createdAt: UNTIL,
  } as const
  return { body: messageBody(notice, JSON.stringify(incident)), secret: newSecret(randomBytes) }
}

async function postsASecond(post: () => Promise<number | null>): Promise<number> {
  let left = POSTS
  const worker = async () => {
    while (left-- > 0) {
      const status = await post()
      if (status !== 204) throw new Error(`the receiver answered ${status}`)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return (POSTS * 1000) / (performance.now() - started)
}

function told(rates: readonly number[]): string {
  return `${median(rates).toFixed(0)} a second, rounds ${spread(rates, 0)}`
}
