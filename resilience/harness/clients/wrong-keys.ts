import { randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { generateKey } from '../../../src/domain/keys.ts'

/** Keys that were never issued, mistyped keys, and values that are no keys at all. */
const WRONG_AUTHORIZATIONS: readonly (() => string)[] = [
  () => `Bearer ${generateKey('live', randomBytes)}`,
  () => `Bearer ${generateKey('publishable', randomBytes)}`,
  () => `Bearer ${generateKey('live', randomBytes).slice(0, -1)}`,
  () => `Bearer ${randomBytes(20).toString('hex')}`,
  () => `Basic ${randomBytes(20).toString('base64')}`,
  () => `Bearer ${randomBytes(4000).toString('base64')}`,
]
const ADDRESSES = 250
const REQUEST_TIMEOUT_MS = 30_000
const PATHS = ['/v1/incidents', '/v1/stats', '/v1/changes', '/v1/me', '/v1/watches']

export interface WrongKeyResponses {
  readonly byStatus: ReadonlyMap<number | 'no response', number>
  /** Responses that are not a problem document with status 401 or 429 and the matching header. */
  readonly malformed: number
}

/**
 * Sends requests with wrong keys, all different. Every second request comes from the same address;
 * the others come from 250 addresses, each below the limit per address.
 */
export async function floodWrongKeys(url: string, requests: number, concurrency: number): Promise<WrongKeyResponses> {
  const byStatus = new Map<number | 'no response', number>()
  let malformed = 0
  let sent = 0
  const agents = Array.from({ length: ADDRESSES }, () => new Agent({ keepAlive: true, maxSockets: 2 }))
  async function work(): Promise<void> {
    while (sent < requests) {
      const number = sent++
      const address = number % 2 === 0 ? 0 : (number >> 1) % ADDRESSES
      const response = await sendWrongKey(url, number, address, agents[address]!).catch(() => null)
      const status = response?.statusCode ?? 'no response'
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      if (response === null || !isWellFormed(response)) malformed++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  for (const agent of agents) agent.destroy()
  return { byStatus, malformed }
}

function sendWrongKey(url: string, number: number, address: number, agent: Agent): Promise<IncomingMessage> {
  const authorization = WRONG_AUTHORIZATIONS[(number >> 1) % WRONG_AUTHORIZATIONS.length]!()
  return new Promise((resolve, reject) => {
    const sent = request(url + PATHS[number % PATHS.length], {
      agent,
      headers: { authorization },
      localAddress: `127.0.1.${address + 1}`,
      timeout: REQUEST_TIMEOUT_MS,
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${REQUEST_TIMEOUT_MS / 1000} s`)))
    sent.on('response', (response) => response.resume().on('end', () => resolve(response)))
    sent.end()
  })
}

function isWellFormed({ statusCode, headers }: IncomingMessage): boolean {
  if (!headers['content-type']?.startsWith('application/problem+json')) return false
  if (statusCode === 401) return headers['www-authenticate'] !== undefined
  return statusCode === 429 && /^\d+$/.test(headers['retry-after'] ?? '')
}
