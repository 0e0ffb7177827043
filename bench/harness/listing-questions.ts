/** The lists that suites ask for. */
import { places } from '../../src/geo/places.ts'
import { fetchPage } from './fetch.ts'
import type { Server } from './load.ts'

const LIST = '/v1/incidents'
const SPANS = ['7d', '30d', '90d', '365d']
const IDS = 1000

export const ONE = [`${LIST}?state=Kaduna&since=30d&limit=50`]

export const ROTATED = places.states.flatMap(({ code }) =>
  SPANS.map((since) => `${LIST}?state=${code}&since=${since}&limit=50`),
)

/** Returns queries that are never cached, although most give the same incidents. */
export function neverAskedBefore(): () => string {
  let asked = 0
  return () => {
    const { code } = places.states[asked % places.states.length]!
    return `${LIST}?state=${code}&since=30d&limit=50&min_confidence=${(asked++ / 1e8).toFixed(8)}`
  }
}

export async function someIds(service: Server): Promise<string[]> {
  const { data } = await fetchPage(service, `${LIST}?limit=${IDS}`)
  return data.map(({ id }) => `${LIST}/${id}`)
}
