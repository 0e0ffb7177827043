import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderStatistics } from '../../src/api/statistics.ts'
import type { Archive } from '../../src/archive/archive.ts'
import { Problem } from '../../src/domain/errors.ts'
import type { Casualties, Incident } from '../../src/domain/incident.ts'
import { type Filter, indexedFieldsOf } from '../../src/filter/filter.ts'
import { GROUPS, type Group, isTimeGroup } from '../../src/filter/grouping.ts'
import { matches } from '../../src/filter/matches.ts'
import { places as nigeria } from '../../src/geo/places.ts'
import { periodsBetween, TIME_ZONES, type TimeZone } from '../../src/lib/calendar.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { DAY, EPOCH, filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { tries } from '../support/tier.ts'

const NOW = EPOCH + 13 * DAY
const incidents = fc.array(incidentParts, { maxLength: 60 }).map((all) => all.map(incidentFrom))
const KNOWN = ['NG-KD', 'NG-LA', 'NG-BO']
/** Few places, so that hardly any query has too many buckets. */
const places = {
  ...nigeria,
  states: nigeria.states.filter(({ code }) => KNOWN.includes(code)),
  lgas: nigeria.lgas.filter(({ state }) => KNOWN.includes(state.code)),
}
const groups = fc
  .uniqueArray(fc.constantFrom(...GROUPS), { minLength: 1, maxLength: 2 })
  .filter((some) => some.filter(isTimeGroup).length < 2)
const zone = fc.constantFrom(...TIME_ZONES)

interface Numbers {
  count: number
  casualties: Casualties
  casualties_known: Record<keyof Casualties, number>
}
type Bucket = Numbers & Partial<Record<Group, { key: string; from?: string; to?: string } | null>>

function keyOf(incident: Incident, group: Group, zone: TimeZone): string | null {
  if (group === 'state') return incident.location.state_code
  if (group === 'lga') return incident.location.lga_code
  if (!isTimeGroup(group)) return incident[group]
  const time = Date.parse(incident.published_at!)
  return periodsBetween(group, time, time, zone)[0]!.name
}

/** Computes the expected numbers, one incident at a time. */
function numbersOf(all: readonly Incident[]): Numbers {
  const figures = (name: keyof Casualties) =>
    all.map(({ casualties }) => casualties[name]).filter((one) => one !== null)
  const sum = (name: keyof Casualties) =>
    figures(name).length === 0 ? null : figures(name).reduce((one, other) => one + other, 0)
  return {
    count: all.length,
    casualties: { killed: sum('killed'), injured: sum('injured'), abducted: sum('abducted') },
    casualties_known: {
      killed: figures('killed').length,
      injured: figures('injured').length,
      abducted: figures('abducted').length,
    },
  }
}

/** Skips queries that are refused because a long window has too many hours. */
function renderUnlessTooLong(archive: Archive, by: readonly Group[], timeZone: TimeZone, givenFilter: Filter) {
  try {
    return runToEnd(renderStatistics(archive.view, { groups: by, timeZone, filter: givenFilter }, places, NOW))
  } catch (error) {
    fc.pre(!(error instanceof Problem && /the maximum is \d+ buckets/.test(error.message)))
    throw error
  }
}

test('the buckets count exactly the incidents that match the filter', async () => {
  await fc.assert(
    fc.asyncProperty(incidents, filter, groups, zone, async (all, givenFilter, by, timeZone) => {
      const archive = await emptyArchive()
      archive.apply(all.map((incident, index) => anEvent(index + 1, incident)))
      const { body } = renderUnlessTooLong(archive, by, timeZone, givenFilter)
      const { data, total } = JSON.parse(body.toString()) as { data: Bucket[]; total: Numbers }
      const matching = all.filter((incident) => matches(givenFilter, indexedFieldsOf(incident), NOW))
      assert.deepEqual(total, numbersOf(matching))
      const expected = Map.groupBy(matching, (incident) =>
        JSON.stringify(by.map((group) => keyOf(incident, group, timeZone))),
      )
      for (const bucket of data) {
        const { count, casualties, casualties_known } = bucket
        const key = JSON.stringify(by.map((group) => bucket[group]?.key ?? null))
        assert.deepEqual({ count, casualties, casualties_known }, numbersOf(expected.get(key) ?? []), key)
        expected.delete(key)
      }
      assert.deepEqual([...expected.keys()], [])
    }),
    { numRuns: tries(1500) },
  )
})

test('periods ascend without a gap, severities ascend, other values go from the most incidents to the fewest', async () => {
  await fc.assert(
    fc.asyncProperty(incidents, filter, fc.constantFrom(...GROUPS), zone, async (all, givenFilter, group, timeZone) => {
      const archive = await emptyArchive()
      archive.apply(all.map((incident, index) => anEvent(index + 1, incident)))
      const { body } = renderUnlessTooLong(archive, [group], timeZone, givenFilter)
      const { data } = JSON.parse(body.toString()) as {
        data: (Bucket & Record<string, { from: string; to: string }>)[]
      }
      for (const [index, bucket] of data.entries()) {
        const before = data[index - 1]
        if (before === undefined) continue
        if (isTimeGroup(group)) assert.equal(before[group]!.to, bucket[group]!.from)
        else if (group !== 'severity') assert.ok(before.count >= bucket.count)
      }
      if (group === 'severity') {
        const order = ['low', 'medium', 'high', 'critical'].filter((key) =>
          data.some(({ severity }) => severity?.key === key),
        )
        assert.deepEqual(
          data.map(({ severity }) => severity?.key),
          order,
        )
      }
    }),
    { numRuns: tries(300) },
  )
})
