import { isDeepStrictEqual } from 'node:util'
import { until } from '../../../test/support/app.ts'
import type { Client } from '../clients/client.ts'
import type { IncidentVersions, KnownIncident } from '../incident-versions.ts'

/** So many pages that a cursor which skips or repeats an incident is noticed. */
const MIN_PAGES = 10
const MAX_PAGE_SIZE = 1000
const SINGLE_READS = 40

/**
 * Compares lists, single incidents and statistics of a service with the acknowledged versions.
 * Returns one sentence for each difference. Incidents that the harness has not written are left
 * out; with any of them, statistics are not compared.
 */
export async function findReadProblems(client: Client, head: number, versions: IncidentVersions): Promise<string[]> {
  await until(async () => seqOf((await client.requestUntilAnswered('GET', '/v1/incidents?limit=1')).body) >= head)
  const current = versions.current()
  const published = current.filter(({ status }) => status === 'confirmed')
  const retracted = current.filter(({ status }) => status === 'retracted')
  const problems: string[] = []
  for (const order of ['newest', 'oldest']) {
    const size = Math.min(MAX_PAGE_SIZE, Math.max(1, Math.floor(published.length / MIN_PAGES)))
    const listed = await readList(client, `order=${order}&limit=${size}`)
    problems.push(...findListProblems(`the list (${order})`, listed, published, versions))
    if (order === 'newest' && listed.every(({ id }) => versions.has(id)))
      problems.push(...(await findStatisticsProblems(client, published)))
  }
  for (const incident of published.slice(-SINGLE_READS)) {
    const { status, body } = await client.requestUntilAnswered('GET', `/v1/incidents/${incident.id}`)
    if (status !== 200 || !isDeepStrictEqual(body, incident))
      problems.push(`GET ${incident.id}: ${status}, not version ${incident.version}`)
  }
  for (const { id } of retracted.slice(-SINGLE_READS)) {
    const { status } = await client.requestUntilAnswered('GET', `/v1/incidents/${id}`)
    if (status !== 410) problems.push(`GET ${id}: ${status}, though it is retracted`)
  }
  return problems
}

async function readList(client: Client, query: string): Promise<KnownIncident[]> {
  const incidents: KnownIncident[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/v1/incidents?${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const { status, body } = await client.requestUntilAnswered('GET', path)
    if (status !== 200) throw new Error(`${path} got status ${status}: ${JSON.stringify(body)}`)
    incidents.push(...(body.data as KnownIncident[]))
    cursor = body.next_cursor as string | null
  }
  return incidents
}

function findListProblems(
  name: string,
  listed: readonly KnownIncident[],
  published: readonly KnownIncident[],
  versions: IncidentVersions,
): string[] {
  const known = listed.filter(({ id }) => versions.has(id))
  const byId = new Map(known.map((incident) => [incident.id, incident]))
  const repeated = known.length - byId.size
  const wrong = published.filter((incident) => !isDeepStrictEqual(byId.get(incident.id), incident))
  const ids = new Set(published.map(({ id }) => id))
  const gone = known.filter(({ id }) => !ids.has(id))
  return [
    ...(repeated > 0 ? [`${name} has ${repeated} incidents twice`] : []),
    ...wrong.map(
      ({ id, version }) =>
        `${name} has ${byId.has(id) ? 'another version' : 'no version'} of ${id}, which is at ${version}`,
    ),
    ...gone.map(({ id }) => `${name} has ${id}, which is ${versions.newest(id)!.status}`),
  ]
}

interface Bucket {
  readonly state: { readonly label: string }
  readonly count: number
  readonly casualties: { readonly injured: number | null }
}

async function findStatisticsProblems(client: Client, published: readonly KnownIncident[]): Promise<string[]> {
  const { body } = await client.requestUntilAnswered('GET', '/v1/stats?group_by=state')
  const counted = (body.data as Bucket[]).map(({ state, count, casualties }) => [
    state.label,
    count,
    casualties.injured,
  ])
  const expected = [...Map.groupBy(published, ({ state }) => state)].map(([state, incidents]) => {
    const figures = incidents.map(({ casualties }) => (casualties as { injured: number | null }).injured)
    const knownFigures = figures.filter((figure) => figure !== null)
    return [state, incidents.length, knownFigures.length > 0 ? knownFigures.reduce((sum, one) => sum + one, 0) : null]
  })
  const isEqual = isDeepStrictEqual(counted.toSorted(), expected.toSorted())
  return isEqual ? [] : [`the statistics by state are ${JSON.stringify(counted)}, not ${JSON.stringify(expected)}`]
}

function seqOf(body: Record<string, unknown>): number {
  return (body.meta as { seq: number }).seq
}
