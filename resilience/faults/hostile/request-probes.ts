import type { Check } from '../../harness/check.ts'
import { signUp, statusOf, type World } from './world.ts'

const LONG_LIST = Array.from({ length: 2000 }, (_, index) => `No such place ${index}`)
const PUBLIC_PATHS = ['/', '/docs', '/openapi.json', '/metrics']

/** Looking for similar names took seconds for 2,000 of them. */
export async function probeLongLists(world: World): Promise<Check> {
  const { client } = await signUp(world)
  const query = LONG_LIST.map((name) => encodeURIComponent(name)).join(',')
  const statuses = [
    await statusOf(client, 'GET', `/v1/incidents?lga=${query.slice(0, 12_000)}`),
    await statusOf(client, 'POST', '/v1/watches/preview', { filter: { lga: LONG_LIST } }),
  ]
  // A wrong name is refused as well, so the code tells whether the list was refused for its length.
  const { body } = await client.requestOnce('POST', '/v1/watches/preview', { filter: { lga: LONG_LIST } })
  return {
    name: 'a list of 2,000 names is refused for its length',
    passed: statuses.every((status) => status === 400 || status === 422) && body.code === 'too_many_values',
    observed: `${statuses.join(', ')}, ${body.code}`,
  }
}

/** Counts the answers without a key from one address; `limit` is RATE_LIMIT_ADDRESS. */
export async function probeAddressLimit({ url }: World, limit: number): Promise<Check> {
  let admitted = 0
  const refused = new Set<number>()
  for (let sent = 0; sent < limit * 2; sent++) {
    const { status } = await fetch(url + PUBLIC_PATHS[sent % PUBLIC_PATHS.length]!)
    if (status === 200) admitted++
    else refused.add(status)
  }
  return {
    name: `an address gets at most ${limit} answers a minute without a key`,
    passed: admitted > 0 && admitted <= limit && [...refused].join() === '429',
    observed: `${admitted} of ${limit * 2} admitted, then ${[...refused].join(', ')}`,
  }
}
