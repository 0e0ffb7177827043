import { between, pick, type Random } from '../../src/lib/random.ts'
import { aReport } from '../../test/support/report.ts'
import type { Asking } from './checked-client.ts'
import type { Work } from './load.ts'

/** What operators and the owners of watches and keys do. What it takes is the sum over the requests. */
export function writes(
  asking: Asking,
  incidents: readonly string[],
  endpoint: string,
  random: Random,
): Record<string, Work> {
  let count = 0
  return {
    /** Those that the harness confirms are not touched: what is owed could not be told from the log any more. */
    async correction() {
      const path = `/v1/desk/incidents/${pick(random, incidents)}`
      const read = await asking.ask(path, [200])
      const { version, status } = JSON.parse(read.body) as { version: number; status: string }
      if (status !== 'confirmed') return read.took
      const body = { summary: `Corrected, number ${++count}.`, casualties: { injured: between(random, 0, 9) } }
      const headers = { 'if-match': `"${version}"` }
      return read.took + (await asking.ask(path, [200, 409, 412], { method: 'PATCH', body, headers })).took
    },
    async retraction() {
      const path = `/v1/desk/incidents/${pick(random, incidents)}/retract`
      return (await asking.ask(path, [200, 409], { method: 'POST', body: { note: 'It was a drill.' } })).took
    },
    async report() {
      const number = ++count
      const occurred_at = new Date(Date.UTC(2010, 0, 1) + number * 7_200_000).toISOString()
      const body = aReport({ occurred_at, summary: `A rumour, number ${number}.` })
      const reported = await asking.ask('/v1/reports', [201], { method: 'POST', body })
      const { id } = JSON.parse(reported.body) as { id: string }
      const rejection = { method: 'POST', body: { note: 'A rumour.' } }
      return reported.took + (await asking.ask(`/v1/desk/incidents/${id}/reject`, [200], rejection)).took
    },
    async watch() {
      const number = ++count
      const events = ['incident.created', 'incident.updated', 'incident.retracted']
      const body = { name: `Soak ${number}`, url: endpoint, filter: { state: 'Kaduna' }, events }
      const made = await asking.ask('/v1/watches', [201], { method: 'POST', body })
      const path = `/v1/watches/${(JSON.parse(made.body) as { id: string }).id}`
      const change = { method: 'PATCH', body: { filter: { min_severity: 'medium' }, description: 'Changed.' } }
      const changed = await asking.ask(path, [200], change)
      const listed = await asking.ask(`${path}/deliveries`, [200])
      return made.took + changed.took + listed.took + (await asking.ask(path, [204], { method: 'DELETE' })).took
    },
    async key() {
      const body = { email: `soak-${++count}@example.org` }
      const issued = await asking.ask('/v1/keys', [201], { method: 'POST', body, key: null })
      const { id, key } = JSON.parse(issued.body) as { id: string; key: string }
      const used = await asking.ask('/v1/me', [200], { key })
      const revoked = await asking.ask(`/v1/keys/${id}`, [200], { method: 'DELETE', key })
      return issued.took + used.took + revoked.took + (await asking.ask('/v1/me', [401], { key })).took
    },
  }
}
