import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Archive } from '../../src/archive/archive.ts'
import type { PinnedDocuments } from '../../src/archive/documents/pinned-documents.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { runToEnd } from '../../src/lib/async/steps.ts'
import { type Month, monthOf, monthText } from '../../src/lib/time/month.ts'
import { anEvent, archiveIn, documentForm } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const DAY = 86_400_000
const START = Date.UTC(2025, 0, 31)

const documents = (pinned: PinnedDocuments) =>
  Array.from({ length: pinned.size }, (_, index) => JSON.parse(Buffer.from(pinned.at(index)).toString()) as Incident)

/** The expected incidents of a month, by checking each. */
function inMonth(incidents: Iterable<Incident>, month: Month): Incident[] {
  return [...incidents]
    .filter(({ published_at }) => monthOf(Date.parse(published_at!)) === month)
    .toSorted((one, other) => (`${one.published_at}${one.id}` < `${other.published_at}${other.id}` ? -1 : 1))
}

function assertMonths(archive: Archive, incidents: ReadonlyMap<string, Incident>): void {
  const months = [...new Set([...incidents.values()].map(({ published_at }) => monthOf(Date.parse(published_at!))))]
  assert.deepEqual(
    archive.months(),
    months
      .toSorted((one, other) => other - one)
      .map((month) => ({ month, incidents: inMonth(incidents.values(), month).length })),
  )
  for (const month of months) {
    assert.deepEqual(documents(archive.pinMonth(month)), inMonth(incidents.values(), month), monthText(month))
  }
}

test('a month contains what was published in it, and its version changes only with its incidents', async () => {
  const change = fc.record({
    number: fc.integer({ min: 0, max: 9 }),
    day: fc.integer({ min: 0, max: 100 }),
    retracted: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 30 }), documentForm, async (changes, form) => {
      await using scene = await archiveIn(form)
      const { archive } = scene
      const incidents = new Map<string, Incident>()
      for (const [index, { number, day, retracted }] of changes.entries()) {
        const before = archive.months().map(({ month }) => ({
          month,
          version: archive.monthVersion(month),
          held: documents(archive.pinMonth(month)),
        }))
        const published_at = new Date(START + day * DAY).toISOString()
        const incident = anIncident(number, { published_at, version: index + 1 })
        if (retracted) {
          archive.apply([anEvent(index + 1, { ...incident, status: 'retracted' }, 'incident.retracted')])
          incidents.delete(incident.id)
        } else {
          archive.apply([anEvent(index + 1, incident)])
          incidents.set(incident.id, incident)
        }
        await scene.toFiles()
        assertMonths(archive, incidents)
        for (const { month, version, held } of before) {
          const same = JSON.stringify(held) === JSON.stringify(inMonth(incidents.values(), month))
          assert.equal(archive.monthVersion(month) === version, same, monthText(month))
        }
      }
    }),
  )
})

for (const form of ['in memory', 'in files'])
  test(`pinned documents stay unchanged by corrections, retractions and additions, ${form}`, async () => {
    await using scene = await archiveIn(form)
    const { archive } = scene
    const incidents = Array.from({ length: 50 }, (_, number) => anIncident(number))
    archive.apply(incidents.map((incident, index) => anEvent(index + 1, incident)))
    await scene.toFiles()
    const pinned = archive.pinMonth(monthOf(Date.parse(incidents[0]!.published_at!)))
    let seq = incidents.length
    for (let version = 2; version < 2000; version++) {
      const incident = anIncident(version % 40, { version, summary: `Version ${version}. ${'x'.repeat(9000)}` })
      archive.apply([anEvent(++seq, incident, 'incident.updated')])
      if (version % 100 === 0) {
        await scene.toFiles()
        runToEnd(archive.prepareContents())
      }
    }
    for (let number = 40; number < 50; number++) {
      archive.apply([anEvent(++seq, anIncident(number, { version: 2, status: 'retracted' }), 'incident.retracted')])
    }
    assert.deepEqual(documents(pinned), incidents)
  })
