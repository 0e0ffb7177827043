import type { Client } from '../clients/client.ts'
import type { Endpoint } from './endpoints.ts'

/** The fields of an incident that the filters below use. */
interface FilteredFields {
  readonly state: string
  readonly severity: string
}

interface WatchDefinition {
  readonly name: string
  readonly endpoint: 'fast' | 'slow' | 'unreliable'
  readonly filter: Record<string, unknown>
  /** The filter's meaning, implemented a second time to check the service. */
  readonly matches: (incident: FilteredFields) => boolean
}

const WATCHES: readonly WatchDefinition[] = [
  { name: 'Everything, fast endpoint', endpoint: 'fast', filter: {}, matches: () => true },
  { name: 'Everything, slow endpoint', endpoint: 'slow', filter: {}, matches: () => true },
  { name: 'Everything, unreliable endpoint', endpoint: 'unreliable', filter: {}, matches: () => true },
  { name: 'Zamfara', endpoint: 'slow', filter: { state: 'Zamfara' }, matches: ({ state }) => state === 'Zamfara' },
  {
    name: 'High and critical',
    endpoint: 'fast',
    filter: { min_severity: 'high' },
    matches: ({ severity }) => severity === 'high' || severity === 'critical',
  },
  {
    name: 'Critical in Kaduna',
    endpoint: 'unreliable',
    filter: { state: ['Kaduna'], severity: ['critical'] },
    matches: ({ state, severity }) => state === 'Kaduna' && severity === 'critical',
  },
]

export interface Watch extends WatchDefinition {
  readonly id: string
}

export async function createWatches(
  client: Client,
  endpoints: Record<WatchDefinition['endpoint'], Endpoint>,
): Promise<Watch[]> {
  const created: Watch[] = []
  for (const definition of WATCHES) {
    const { name, filter } = definition
    const { url } = endpoints[definition.endpoint]
    const { status, body } = await client.requestUntilAnswered('POST', '/v1/watches', { name, filter, url })
    if (status !== 201) throw new Error(`creating a watch got status ${status}: ${JSON.stringify(body)}`)
    created.push({ ...definition, id: body.id as string })
  }
  return created
}
