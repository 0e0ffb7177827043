import { randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { generateKey } from '../../../src/domain/key.ts'

/** What strangers send for a key: of the right form and never issued, mistyped, or nothing like one. */
const WRONG: readonly (() => string)[] = [
  () => `Bearer ${generateKey('live', randomBytes)}`,
  () => `Bearer ${generateKey('publishable', randomBytes)}`,
  () => `Bearer ${generateKey('live', randomBytes).slice(0, -1)}`,
  () => `Bearer ${randomBytes(20).toString('hex')}`,
  () => `Basic ${randomBytes(20).toString('base64')}`,
  () => `Bearer ${randomBytes(4000).toString('base64')}`,
]
const ADDRESSES = 250
const PATHS = ['/v1/incidents', '/v1/stats', '/v1/changes', '/v1/me', '/v1/watches']

export interface Refusals {
  /** By status; those that were not refused properly too. */
  readonly counts: ReadonlyMap<number | 'no answer', number>
  /** Those that were not a problem document with its status, or did not say when to come back. */
  readonly unclear: number
}

/**
 * Requests with wrong keys, all different, so many at a time: every other one from one address that never gets tired, the
 * rest from many addresses of which none is noticed by how much it asks.
 */
export async function floodWrongKeys(url: string, requests: number, atATime: number): Promise<Refusals> {
  const counts = new Map<number | 'no answer', number>()
  let unclear = 0
  let sent = 0
  const agents = Array.from({ length: ADDRESSES }, () => new Agent({ keepAlive: true, maxSockets: 2 }))
  async function send(): Promise<void> {
    while (sent < requests) {
      const number = sent++
      const address = number % 2 === 0 ? 0 : (number >> 1) % ADDRESSES
      const answer = await knock(url, number, address, agents[address]!).catch(() => null)
      const status = answer?.statusCode ?? 'no answer'
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (answer === null || !isClear(answer)) unclear++
    }
  }
  await Promise.all(Array.from({ length: atATime }, send))
  for (const agent of agents) agent.destroy()
  return { counts, unclear }
}

function knock(url: string, number: number, address: number, agent: Agent): Promise<IncomingMessage> {
  const authorization = WRONG[(number >> 1) % WRONG.length]!()
  return new Promise((resolve, reject) => {
    const sent = request(url + PATHS[number % PATHS.length], {
      agent,
      headers: { authorization },
      localAddress: `127.0.1.${address + 1}`,
      timeout: 30_000,
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('response', (response) => response.resume().on('end', () => resolve(response)))
    sent.end()
  })
}

function isClear({ statusCode, headers }: IncomingMessage): boolean {
  if (!headers['content-type']?.startsWith('application/problem+json')) return false
  if (statusCode === 401) return headers['www-authenticate'] !== undefined
  return statusCode === 429 && /^\d+$/.test(headers['retry-after'] ?? '')
}
