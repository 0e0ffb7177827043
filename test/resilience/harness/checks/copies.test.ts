import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCopyProblems } from '../../../../resilience/harness/checks/copies.ts'
import { type LoggedEvent, withVersions } from '../../../../resilience/harness/event-log.ts'
import { IncidentVersions } from '../../../../resilience/harness/incident-versions.ts'
import { INCIDENT } from '../webhooks/messages.ts'

const CORRECTED = { ...INCIDENT, version: 2, summary: 'B.' }
const RETRACTED = { ...INCIDENT, id: 'inc_2', version: 2, status: 'retracted' }
const event = (seq: number, kind: string, incident_id: string, incident: object | null): LoggedEvent => ({
  seq,
  event: `incident.${kind}`,
  at: '2026-05-01T06:30:00.000Z',
  incident_id,
  incident: incident as LoggedEvent['incident'],
})
const CREATED = event(1, 'created', 'inc_1', INCIDENT)
const UPDATED = event(2, 'updated', 'inc_1', CORRECTED)
const OTHER = event(3, 'created', 'inc_2', { ...INCIDENT, id: 'inc_2' })
const GONE = event(4, 'retracted', 'inc_2', null)
const LOG = withVersions([CREATED, UPDATED, OTHER, GONE])

function versions(): IncidentVersions {
  const known = new IncidentVersions()
  for (const incident of [INCIDENT, CORRECTED, { ...INCIDENT, id: 'inc_2' }, RETRACTED]) known.record(incident)
  return known
}

describe('a copy of the log', () => {
  const check = (received: readonly LoggedEvent[], readingTime: 'meanwhile' | 'at the end' = 'meanwhile') =>
    findCopyProblems('the copy', received, LOG, versions(), readingTime).join('; ')

  it('is right if every event came once, in order, as it was acknowledged', () =>
    assert.equal(check([CREATED, UPDATED, OTHER, GONE]), ''))

  it('may lack an incident that is retracted by now', () =>
    assert.equal(check([CREATED, UPDATED, { ...OTHER, incident: null }, GONE]), ''))

  it('must lack it if it is read at the end', () => {
    assert.match(check([CREATED, UPDATED, OTHER, GONE], 'at the end'), /the incident of seq 3/)
    assert.equal(check([CREATED, UPDATED, { ...OTHER, incident: null }, GONE], 'at the end'), '')
  })

  const wrong: [string, readonly LoggedEvent[], RegExp][] = [
    ['misses an event', [CREATED, OTHER, GONE], /3 events of 4, 1 missing \(2\)/],
    ['has one twice', [CREATED, UPDATED, UPDATED, OTHER, GONE], /1 repeated/],
    ['is not in order', [UPDATED, CREATED, OTHER, GONE], /out of order/],
    [
      'has another kind',
      [CREATED, { ...UPDATED, event: 'incident.created' }, OTHER, GONE],
      /seq 2 is incident.created/,
    ],
    ['has an old version', [CREATED, { ...UPDATED, incident: { ...INCIDENT } }, OTHER, GONE], /incident of seq 2/],
    ['hides a published incident', [CREATED, { ...UPDATED, incident: null }, OTHER, GONE], /incident of seq 2/],
  ]
  for (const [what, received, expected] of wrong)
    it(`is wrong if it ${what}`, () => assert.match(check(received), expected))
})
