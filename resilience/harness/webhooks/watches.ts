import type { Client } from '../clients/client.ts'
import type { VersionedEvent } from '../event-log.ts'
import type { IncidentVersions } from '../incident-versions.ts'
import type { KnownWatch } from './check-messages.ts'
import type { ExpectedEvents } from './delivery-counts.ts'
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
  readonly events: readonly string[]
  /** The filter's meaning, implemented a second time to check the service. */
  readonly matches: (incident: FilteredFields) => boolean
}

const CREATED = ['incident.created']
const ALL_EVENTS = [...CREATED, 'incident.updated', 'incident.retracted']
const everything = () => true

const WATCHES: readonly WatchDefinition[] = [
  { name: 'Everything, fast endpoint', endpoint: 'fast', filter: {}, events: ALL_EVENTS, matches: everything },
  { name: 'Everything, slow endpoint', endpoint: 'slow', filter: {}, events: CREATED, matches: everything },
  {
    name: 'Everything, unreliable endpoint',
    endpoint: 'unreliable',
    filter: {},
    events: ALL_EVENTS,
    matches: everything,
  },
  {
    name: 'Zamfara',
    endpoint: 'slow',
    filter: { state: 'Zamfara' },
    events: ['incident.updated', 'incident.retracted'],
    matches: ({ state }) => state === 'Zamfara',
  },
  {
    name: 'High and critical',
    endpoint: 'fast',
    filter: { min_severity: 'high' },
    events: ALL_EVENTS,
    matches: ({ severity }) => severity === 'high' || severity === 'critical',
  },
  {
    name: 'Critical in Kaduna',
    endpoint: 'unreliable',
    filter: { state: ['Kaduna'], severity: ['critical'] },
    events: CREATED,
    matches: ({ state, severity }) => state === 'Kaduna' && severity === 'critical',
  },
]

export interface Watch extends WatchDefinition, KnownWatch {}

export async function createWatches(
  client: Client,
  endpoints: Record<WatchDefinition['endpoint'], Endpoint>,
): Promise<Watch[]> {
  const created: Watch[] = []
  for (const definition of WATCHES) {
    const { name, filter, events } = definition
    const { url } = endpoints[definition.endpoint]
    const { status, body } = await client.requestUntilAnswered('POST', '/v1/watches', { name, filter, url, events })
    if (status !== 201) throw new Error(`creating a watch got status ${status}: ${JSON.stringify(body)}`)
    created.push({ ...definition, id: body.id as string, secrets: [body.secret as string] })
  }
  return created
}

/**
 * The events that the watch must receive. Updates and retractions are also for a watch that any
 * version before them matched. `cancelled` has the deliveries that the service says it has
 * cancelled.
 */
export function expectedEventsOf(
  { id, events: kinds, matches }: Watch,
  events: readonly VersionedEvent[],
  versions: IncidentVersions,
  cancelled: ReadonlySet<number>,
): ExpectedEvents {
  const matchesVersion = (incidentId: string, version: number) => {
    const incident = versions.find(incidentId, version)
    return incident !== null && matches(incident)
  }
  /** The incidents that some version so far has matched. */
  const told = new Set<string>()
  const expected = events.filter(({ event, incident_id, version }) => {
    if (matchesVersion(incident_id, version)) told.add(incident_id)
    return kinds.includes(event) && told.has(incident_id)
  })
  const isRetracted = ({ event, incident_id }: VersionedEvent) =>
    event !== 'incident.retracted' && versions.newest(incident_id)?.status === 'retracted'
  return {
    watchId: id,
    seqs: expected.map(({ seq }) => seq),
    retractedSeqs: new Set(expected.filter(isRetracted).map(({ seq }) => seq)),
    cancelledSeqs: cancelled,
  }
}
