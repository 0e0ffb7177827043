import type { Random } from '../src/lib/random.ts'
import { Violation } from './model.ts'
import type { Request } from './nodes.ts'
import { ADDRESS_LIMIT, type Simulation } from './simulation.ts'

/* Limits: so many requests are admitted, and the next are refused. */

const WRONG_KEYS = 60
const MINUTE = 60_000
const KNOWN_MS = 5000

/** Asks a node `limit` times and three times more, at once: so many must be admitted. */
async function useUp(simulation: Simulation, what: string, limit: number, requests: (index: number) => Request) {
  const [node] = simulation.readyNodes
  if (node === undefined) return
  const asked = Array.from({ length: limit + 3 }, (_, index) => simulation.askOnce(node, requests(index)))
  const statuses = (await Promise.all(asked)).map((answer) => answer?.status ?? 503)
  if (statuses.includes(503)) return
  const admitted = statuses.filter((status) => status !== 429).length
  if (admitted !== limit)
    throw new Violation(`of ${statuses.length} ${what} ${admitted} were admitted; the limit is ${limit}: ${statuses}`)
}

/** A stranger signs up, and uses up the limits that an admin sets: of keys, previews, requests. */
export async function useUpLimit(simulation: Simulation, random: Random): Promise<string> {
  const email = `stranger${++simulation.watched}@example.org`
  const { body: made } = await simulation.demand<{ key: string }>(
    201,
    { method: 'POST', path: '/v1/keys', body: { email } },
    null,
  )
  const found = await simulation.demand<{ data: { id: string }[] }>(200, {
    method: 'GET',
    path: `/v1/admin/accounts?email=${email}`,
  })
  const setLimits = async (limits: object) => {
    const path = `/v1/admin/accounts/${found.body.data[0]!.id}`
    await simulation.demand(200, { method: 'PATCH', path, body: { limits } })
    await simulation.sleep(KNOWN_MS)
  }
  const most = () => 1 + Math.floor(random() * 12)
  const [keys, previews, requests] = [1 + most(), most(), most()]
  await setLimits({ keys, previews_per_minute: previews })
  const texts = [made.key]
  for (let count = 1; count <= keys; count++) {
    const request = { method: 'POST', path: '/v1/keys', body: { name: `key ${count}` } }
    const { answer } = await simulation.ask(request, made.key)
    if ((answer.status === 201) !== count < keys)
      throw new Violation(`of at most ${keys} keys, the request for key ${count + 1} was answered ${answer.status}`)
    if (answer.status === 201) texts.push((JSON.parse(answer.text) as { key: string }).key)
  }
  const keyOf = (index: number) => texts[index % texts.length]!
  const body = { filter: { state: ['Kaduna'] } }
  await useUp(simulation, 'previews', previews, (index) => {
    return { method: 'POST', path: '/v1/watches/preview', body, key: keyOf(index) }
  })
  await setLimits({ keys, requests_per_minute: requests })
  await simulation.sleep(MINUTE)
  await useUp(simulation, `requests with ${texts.length} keys`, requests, (index) => {
    return { method: 'GET', path: '/v1/incidents?limit=1', key: keyOf(index) }
  })
  return `${email} uses up ${keys} keys, ${previews} previews and ${requests} requests a minute`
}

/** A program without a key, at an address of its own. */
export async function askWithoutKey(simulation: Simulation): Promise<string> {
  const from = clientAddress(++simulation.watched)
  await useUp(simulation, 'requests without a key', ADDRESS_LIMIT, () => {
    return { method: 'GET', path: '/v1/taxonomy', from }
  })
  return `${from} asks without a key`
}

/** Somebody tries keys, each as good as any. */
export async function guessKeys(simulation: Simulation): Promise<string> {
  const from = clientAddress(++simulation.watched)
  const { text } = simulation.model.accounts.flatMap(({ keys }) => keys)[0] ?? {}
  if (text === undefined) return 'nothing: no key has the right form'
  await useUp(simulation, 'wrong keys', WRONG_KEYS, (index) => {
    const digits = String(1000 + index)
    return { method: 'GET', path: '/v1/incidents?limit=1', key: text.slice(0, -4) + digits, from }
  })
  return `${from} guesses keys`
}

/** Of the program or person with this number. */
export function clientAddress(number: number): string {
  return `198.51.${Math.floor(number / 250) % 250}.${1 + (number % 250)}`
}
