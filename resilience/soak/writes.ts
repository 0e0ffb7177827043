import { pick, type Random, randomInteger } from '../../src/lib/random.ts'
import { aReport } from '../../test/support/incident.ts'
import type { IncidentVersions } from '../harness/incident-versions.ts'
import type { CheckedClient } from './checked-client.ts'
import type { Task } from './load.ts'

/** Returns the tasks that write; the duration of a task is the sum over its requests. */
export function writeTasks(
  client: CheckedClient,
  incidents: readonly string[],
  endpoint: string,
  random: Random,
  versions: IncidentVersions,
): Record<string, Task> {
  const record = (body: string) => versions.recordDeskResponse(JSON.parse(body) as Record<string, unknown>)
  let count = 0
  return {
    /** Leaves the harness's incidents to its operators, who expect nobody else to change them. */
    async correction() {
      const path = `/v1/desk/incidents/${pick(random, incidents)}`
      const read = await client.request(path, [200])
      const { version, status } = JSON.parse(read.body) as { version: number; status: string }
      record(read.body)
      if (status !== 'confirmed') return read.ms
      const body = { summary: `Corrected, number ${++count}.`, casualties: { injured: randomInteger(random, 0, 9) } }
      const headers = { 'if-match': `"${version}"` }
      const corrected = await client.request(path, [200, 409, 412], { method: 'PATCH', body, headers })
      if (corrected.status === 200) record(corrected.body)
      return read.ms + corrected.ms
    },
    async retraction() {
      const path = `/v1/desk/incidents/${pick(random, incidents)}`
      const body = { note: 'It was a drill.' }
      const retracted = await client.request(`${path}/retract`, [200, 409], { method: 'POST', body })
      if (retracted.status === 200) record(retracted.body)
      return retracted.ms
    },
    async report() {
      const number = ++count
      const occurred_at = new Date(Date.UTC(2010, 0, 1) + number * 7_200_000).toISOString()
      const body = aReport({ occurred_at, summary: `A rumour, number ${number}.` })
      const reported = await client.request('/v1/reports', [201], { method: 'POST', body })
      const { id } = JSON.parse(reported.body) as { id: string }
      const rejection = { method: 'POST', body: { note: 'A rumour.' } }
      return reported.ms + (await client.request(`/v1/desk/incidents/${id}/reject`, [200], rejection)).ms
    },
    async watch() {
      const number = ++count
      const events = ['incident.created', 'incident.updated', 'incident.retracted']
      const body = { name: `Soak ${number}`, url: endpoint, filter: { state: 'Kaduna' }, events }
      const made = await client.request('/v1/watches', [201], { method: 'POST', body })
      const path = `/v1/watches/${(JSON.parse(made.body) as { id: string }).id}`
      const change = { method: 'PATCH', body: { filter: { min_severity: 'medium' }, description: 'Changed.' } }
      const changed = await client.request(path, [200], change)
      const listed = await client.request(`${path}/deliveries`, [200])
      return made.ms + changed.ms + listed.ms + (await client.request(path, [204], { method: 'DELETE' })).ms
    },
    async key() {
      const body = { email: `soak-${++count}@example.org` }
      const issued = await client.request('/v1/keys', [201], { method: 'POST', body, key: null })
      const { id, key } = JSON.parse(issued.body) as { id: string; key: string }
      const used = await client.request('/v1/me', [200], { key })
      const revoked = await client.request(`/v1/keys/${id}?confirm=last`, [200], { method: 'DELETE', key })
      return issued.ms + used.ms + revoked.ms + (await client.request('/v1/me', [401], { key })).ms
    },
  }
}
