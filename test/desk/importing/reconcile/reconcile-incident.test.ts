import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { reconcileIncident } from '../../../../src/desk/importing/reconcile/reconcile-incident.ts'
import type { Outcome } from '../../../../src/domain/import-report.ts'
import type { Incident } from '../../../../src/domain/incident.ts'
import { reliabilityFrom } from '../../../../src/domain/publishers.ts'
import { anIncident } from '../../../support/incident.ts'
import { NOW } from '../formats/reading.ts'

const CONTEXT = { now: NOW, reliability: reliabilityFrom(), replace: false, run: null }

interface Case {
  readonly what: string
  readonly ours: Partial<Incident> | null
  readonly theirs: Partial<Incident>
  readonly omits?: readonly (keyof Incident)[]
  readonly outcome: Outcome
  /** The fields after the change, if there is one. */
  readonly left?: Partial<Incident>
}

const other = { summary: 'Something else.' }
const CASES: readonly Case[] = [
  { what: 'an unknown incident', ours: null, theirs: { version: 4 }, outcome: 'new', left: { version: 4 } },
  { what: 'the same version', ours: { version: 2 }, theirs: { version: 2 }, outcome: 'unchanged' },
  {
    what: 'a higher version',
    ours: { version: 2 },
    theirs: { ...other, version: 5 },
    outcome: 'updated',
    left: { ...other, version: 5, updated_at: anIncident().updated_at },
  },
  {
    what: 'the same version, edited in the file',
    ours: { version: 2 },
    theirs: { ...other, version: 2 },
    outcome: 'updated',
    left: { ...other, version: 3, updated_at: '2026-11-15T00:00:00Z' },
  },
  { what: 'a lower version', ours: { version: 3 }, theirs: { ...other, version: 2 }, outcome: 'kept' },
  {
    what: 'an incident that was retracted here',
    ours: { status: 'retracted', version: 2 },
    theirs: { version: 9 },
    outcome: 'kept',
  },
  {
    what: 'a difference only in fields that the format omits',
    ours: { confidence_reasons: [{ reason: 'x', value: 1, weight: 0.5 }] },
    theirs: { confidence_reasons: [] },
    omits: ['confidence_reasons'],
    outcome: 'unchanged',
  },
  {
    what: 'a difference in more than the fields that the format omits',
    ours: { confidence_reasons: [{ reason: 'x', value: 1, weight: 0.5 }] },
    theirs: { ...other, confidence_reasons: [] },
    omits: ['confidence_reasons'],
    outcome: 'updated',
    left: { ...other, version: 2, confidence_reasons: [{ reason: 'x', value: 1, weight: 0.5 }] },
  },
]

suite('reconciling an exported incident with the stored one', () => {
  for (const { what, ours, theirs, omits = [], outcome, left } of CASES) {
    test(`${what}: ${outcome}`, () => {
      const incident = anIncident(1, theirs)
      const record = ours === null ? undefined : { incident: anIncident(1, ours), moderation: null, claim: null }
      const row = { kind: 'incident', sourceId: incident.id, id: incident.id, incident, omits } as const
      const result = reconcileIncident(row, record, CONTEXT)
      assert.equal(result.outcome, outcome)
      assert.equal('change' in result, left !== undefined)
      if (!('change' in result)) return
      assert.deepEqual({ ...result.change.incident, ...left }, result.change.incident)
      assert.equal(result.change.replaces?.version, record?.incident.version ?? 0)
      assert.equal(result.change.event, 'incident.imported')
    })
  }
})
