import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { FormatName } from '../../../src/desk/importing/import.ts'
import { incidentIdOf } from '../../../src/desk/importing/prepare-row.ts'
import { reconcileIncident } from '../../../src/desk/importing/reconcile.ts'
import { reliabilityFrom } from '../../../src/domain/confidence.ts'
import type { ImportTally, Outcome } from '../../../src/domain/import-report.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { emptyMemory } from '../../store/databases.ts'
import { anIncident } from '../../support/incident.ts'
import { type Cells, csvOf, NOW, plainRow, ucdpRow } from './formats/fixtures.ts'
import { importText } from './harness.ts'

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

/** Imports two versions of a record, one after the other. */
async function imported(
  format: FormatName,
  sourceId: string,
  first: Cells,
  second: Cells,
  replace = false,
): Promise<{ before: Incident; after: Incident; tally: ImportTally }> {
  await using database = await emptyMemory()
  await using store = await database.open()
  const id = incidentIdOf(sourceId)
  await importText(store, format, csvOf([first]))
  const before = (await store.incidents.find(id))!
  const { tally } = await importText(store, format, csvOf([second]), { replace, clock: () => NOW + 1 })
  return { before, after: (await store.incidents.find(id))!, tally }
}

const RICH: Cells = {
  source_id: 'acme:1',
  type: 'kidnapping',
  severity: 'critical',
  occurred_at: '2024-05-01T14:30:00Z',
  occurred_until: '2024-05-03T00:00:00Z',
  time_precision: 'hour',
  lat: 10.45,
  lng: 7.33,
  state: 'Kaduna',
  lga: 'Chikun',
  place: 'Rijana',
  precision: 'settlement',
  radius_km: 2,
  confidence: 0.9,
  summary: 'Eleven people were abducted near Rijana.',
  killed: 1,
  injured: 2,
  abducted: 11,
  source_publishers: 'Punch|Daily Trust',
  source_urls: 'https://example.org/1|',
  dataset: 'acme',
  attribution: 'Acme, CC BY',
}

/** The fields that a row without this column, or with this value, keeps. */
const POORER: readonly [what: string, changes: Cells, field: string][] = [
  ['no severity', { severity: '' }, 'severity'],
  ['a day instead of an hour', { occurred_at: '2024-05-01', time_precision: '' }, 'occurred_at'],
  ['a coarser time, though it says so', { occurred_at: '2024-05-01', time_precision: 'month' }, 'occurred_at'],
  ['no end', { occurred_until: '' }, 'occurred_until'],
  ['no LGA', { lga: '' }, 'lga'],
  ['no precision', { precision: '', radius_km: '' }, 'precision'],
  ['a coarser place', { precision: 'state', radius_km: '' }, 'location'],
  ['no name of the place', { place: '' }, 'place'],
  ['no summary', { summary: '' }, 'summary'],
  ['fewer figures', { injured: '' }, 'casualties'],
  ['fewer sources', { source_publishers: 'Daily Trust', source_urls: '' }, 'sources'],
  ['no sources', { source_publishers: '', source_urls: '' }, 'sources'],
  ['a source without its address', { source_urls: '' }, 'sources'],
  ['no quality', { confidence: '' }, 'quality'],
  ['no data set', { dataset: '' }, 'dataset'],
  ['no attribution', { attribution: '' }, 'attribution'],
]

suite('a row that is poorer than what is stored', () => {
  for (const [what, changes, field] of POORER) {
    test(`${what}: the incident stays as it is, and the report names it`, async () => {
      const { before, after, tally } = await imported('csv', 'acme:1', RICH, { ...RICH, ...changes })
      assert.deepEqual(after, before)
      assert.deepEqual([tally.counts.poorer, tally.poorerFields], [1, { [field]: 1 }])
      assert.deepEqual(tally.poorer, [{ row: 2, reason: `${before.id} keeps its ${field}` }])
    })
  }

  test('takes what it says besides, and with --replace everything', async () => {
    const poorer = { ...RICH, lga: '', source_publishers: '', source_urls: '', abducted: 9 }
    const { before, after, tally } = await imported('csv', 'acme:1', RICH, poorer)
    assert.deepEqual([after.casualties.abducted, after.version, tally.counts.updated], [9, 2, 1])
    assert.deepEqual([after.lga, after.location, after.sources], [before.lga, before.location, before.sources])
    assert.deepEqual(tally.poorerFields, { lga: 1, sources: 1 })
    const forced = await imported('csv', 'acme:1', RICH, poorer, true)
    assert.deepEqual([forced.after.location.lga_basis, forced.after.sources], ['estimated', []])
    assert.deepEqual(forced.tally.poorerFields, {})
  })

  test('what a row says differently is a correction', async () => {
    const corrected = {
      ...RICH,
      killed: 0,
      lga: 'Kajuru',
      summary: 'Nine people.',
      occurred_at: '2024-05-02T14:30:00Z',
      source_publishers: 'Punch|Reuters|AP',
      source_urls: '',
    }
    const { after, tally } = await imported('csv', 'acme:1', RICH, corrected)
    assert.deepEqual(
      [after.casualties.killed, after.lga, after.summary, after.occurred_at],
      [0, 'Kajuru', 'Nine people.', '2024-05-02T14:30:00Z'],
    )
    assert.equal(after.sources[0]!.url, 'https://example.org/1', 'the address of the same publisher stays')
    assert.deepEqual(tally.poorerFields, { sources: 1 })
  })

  test('a UCDP row without losses, place and range keeps the type and the summary', async () => {
    const lacking = { deaths_a: '', deaths_b: '', deaths_civilians: '', where_description: '', high: '', low: '' }
    const rich = ucdpRow({ date_end: '2021-03-06 00:00:00.000' })
    const { before, after, tally } = await imported('ucdp', 'ucdp:900001', rich, { ...rich, ...lacking })
    assert.deepEqual(after, before)
    assert.equal(before.occurred_until, '2021-03-06T00:00:00Z')
    assert.deepEqual(tally.poorerFields, { summary: 1, type: 1 })
    const { after: corrected } = await imported('ucdp', 'ucdp:900001', rich, { ...rich, ...lacking, best: 6 })
    assert.match(corrected.summary, /Madeup town, near the market.* best estimate is 6 deaths\.$/)
  })

  test('importing it again forces nothing, but with --replace does', async () => {
    await using database = await emptyMemory()
    await using store = await database.open()
    const poorer = csvOf([{ ...RICH, lga: '', killed: 3 }])
    await importText(store, 'csv', csvOf([RICH]))
    await importText(store, 'csv', poorer)
    const counts = async (replace: boolean) => (await importText(store, 'csv', poorer, { replace })).tally.counts
    assert.equal((await counts(false)).unchanged, 1)
    assert.equal((await counts(true)).updated, 1)
    assert.equal((await store.incidents.find(incidentIdOf('acme:1')))!.location.lga_basis, 'estimated')
    assert.equal((await counts(true)).unchanged, 1)
  })
})

test('plain rows of the fixtures say nothing that is assumed to be known', async () => {
  const { after, before } = await imported('csv', 'acme:17', plainRow({}), plainRow({ killed: 4 }))
  assert.deepEqual([before.version, after.version, after.casualties.killed], [1, 2, 4])
})
