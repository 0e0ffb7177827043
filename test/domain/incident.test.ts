import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type Casualties, SEVERITY_THRESHOLDS, severityOf } from '../../src/domain/incident.ts'
import {
  BASE_SEVERITY,
  CATEGORY_NAMES,
  categoryOf,
  type IncidentType,
  SEVERITIES,
  type Severity,
  severitiesFrom,
  TYPE_NAMES,
  typesIn,
} from '../../src/domain/taxonomy.ts'
import fc from '../support/fast-check.ts'

const casualties = (given: Partial<Casualties>): Casualties => ({
  killed: null,
  injured: null,
  abducted: null,
  ...given,
})

const CASES: [IncidentType, Partial<Casualties>, Severity][] = [
  ['protest', {}, 'low'],
  ['protest', { killed: 0, injured: 0, abducted: 0 }, 'low'],
  ['protest', { injured: 1 }, 'medium'],
  ['protest', { killed: 1 }, 'high'],
  ['armed_robbery', {}, 'medium'],
  ['armed_robbery', { injured: 10 }, 'high'],
  ['explosion', { injured: 50 }, 'critical'],
  ['banditry', { killed: 9 }, 'high'],
  ['banditry', { killed: 10 }, 'critical'],
  ['banditry', { killed: 4, abducted: 6 }, 'critical'],
  ['kidnapping', {}, 'high'],
  ['kidnapping', { abducted: 3 }, 'high'],
  ['kidnapping', { abducted: 11 }, 'critical'],
  ['mass_abduction', {}, 'critical'],
  ['homicide', {}, 'high'],
  ['hostage_release', { abducted: 120 }, 'low'],
  ['hostage_release', { abducted: 120, killed: 2 }, 'high'],
]

for (const [type, given, severity] of CASES) {
  test(`${type} with ${JSON.stringify(given)} is ${severity}`, () => {
    assert.equal(severityOf(type, casualties(given)), severity)
  })
}

const figure = fc.option(fc.integer({ min: 0, max: 120 }))

test('more casualties never make it milder, and to learn of some neither', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TYPE_NAMES),
      fc.record({ killed: figure, injured: figure, abducted: figure }),
      fc.constantFrom('killed', 'injured', 'abducted'),
      fc.integer({ min: 0, max: 60 }),
      (type, before, name, more) => {
        const after = { ...before, [name]: (before[name] ?? 0) + more }
        const rank = (given: Casualties) => SEVERITIES.indexOf(severityOf(type, given))
        assert.ok(rank(after) >= rank(before))
      },
    ),
  )
})

test('docs/reports.md has the same tables', async () => {
  const page = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8')
  for (const severity of SEVERITIES) {
    const types = TYPE_NAMES.filter((type) => BASE_SEVERITY[type] === severity)
    assert.ok(page.includes(`| ${severity} | ${types.map((type) => `\`${type}\``).join(', ')} |`), severity)
  }
  const steps = [...page.matchAll(/^\| (\d+) (injured|killed or abducted) \| (\w+) \|$/gm)]
  assert.deepEqual(
    steps.map(([, least, harm, severity]) => ({ harm, least: Number(least), severity })),
    SEVERITY_THRESHOLDS,
  )
})

test('every type has one category, and every category a type', () => {
  assert.deepEqual(CATEGORY_NAMES.flatMap(typesIn).toSorted(), TYPE_NAMES.toSorted())
  for (const category of CATEGORY_NAMES) for (const type of typesIn(category)) assert.equal(categoryOf(type), category)
})

test('names are lowercase with underscores', () => {
  for (const name of [...TYPE_NAMES, ...CATEGORY_NAMES]) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
})

test('a least severity means it and all that are worse', () => {
  assert.deepEqual(severitiesFrom('high'), ['high', 'critical'])
})
