import type { Client } from '../clients/client.ts'
import type { Endpoint } from './endpoints.ts'

/** What an incident must have for a filter to be held against it. */
interface Told {
  readonly state: string
  readonly severity: string
}

interface WatchPlan {
  readonly name: string
  readonly endpoint: 'respondAtOnce' | 'slow' | 'unreliable'
  readonly filter: Record<string, unknown>
  /** What the filter means, said once more. */
  readonly matches: (incident: Told) => boolean
}

const WATCHES: readonly WatchPlan[] = [
  { name: 'Everything', endpoint: 'respondAtOnce', filter: {}, matches: () => true },
  { name: 'Everything, at leisure', endpoint: 'slow', filter: {}, matches: () => true },
  { name: 'Everything, if it works', endpoint: 'unreliable', filter: {}, matches: () => true },
  { name: 'Zamfara', endpoint: 'slow', filter: { state: 'Zamfara' }, matches: ({ state }) => state === 'Zamfara' },
  {
    name: 'High and critical',
    endpoint: 'respondAtOnce',
    filter: { min_severity: 'high' },
    matches: ({ severity }) => severity === 'high' || severity === 'critical',
  },
  {
    name: 'The worst in Kaduna',
    endpoint: 'unreliable',
    filter: { state: ['Kaduna'], severity: ['critical'] },
    matches: ({ state, severity }) => state === 'Kaduna' && severity === 'critical',
  },
]

export interface Watch extends WatchPlan {
  readonly id: string
}

export async function createWatches(
  client: Client,
  endpoints: Record<WatchPlan['endpoint'], Endpoint>,
): Promise<Watch[]> {
  const created: Watch[] = []
  for (const plan of WATCHES) {
    const url = endpoints[plan.endpoint].url
    const { status, body } = await client.requestUntilAnswered('POST', '/v1/watches', {
      name: plan.name,
      filter: plan.filter,
      url,
    })
    if (status !== 201) throw new Error(`a watch was answered ${status}: ${JSON.stringify(body)}`)
    created.push({ ...plan, id: body.id as string })
  }
  return created
}
