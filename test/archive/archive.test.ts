import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Archive } from '../../src/archive/archive.ts'
import type { PinnedDocuments } from '../../src/archive/documents/pinned-documents.ts'
import { Pins } from '../../src/archive/segments/published-order.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { EVERYTHING } from '../../src/filter/filter.ts'
import { type Month, monthOf, monthText } from '../../src/lib/calendar.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { anEvent, archiveIn, aSnapshot, documentForm, emptyArchive, incidentsOn } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

for (const form of ['in memory', 'in files'])
  test(`a snapshot, with documents ${form}, and the log lead to the same archive`, async () => {
    const all = Array.from({ length: 2500 }, (_, number) => anIncident(number))
    await using scene = await archiveIn(form, aSnapshot(all))
    const { archive: loaded } = scene
    const followed = await emptyArchive()
    followed.apply(all.map((incident, index) => anEvent(index + 1, incident)))
    const query = { filter: EVERYTHING, order: 'newest', limit: 1000, after: null, now: 0 } as const
    assert.deepEqual(
      incidentsOn(loaded, loaded.findPage(query).slots),
      incidentsOn(followed, followed.findPage(query).slots),
    )
    assert.equal(loaded.head.seq, followed.head.seq)
  })

test('skips events applied before, and throws when one is missing', async () => {
  const archive = await emptyArchive()
  archive.apply([anEvent(1, anIncident(1))])
  archive.apply([anEvent(1, anIncident(1)), anEvent(2, anIncident(2))])
  assert.equal(archive.size, 2)
  assert.throws(
    () => archive.apply([anEvent(4, anIncident(4))]),
    /event 4 follows event 2: the events between them are missing/,
  )
})

test('tells unknown, malformed and retracted ids apart', async () => {
  const archive = await emptyArchive()
  archive.apply([anEvent(1, anIncident(1)), anEvent(2, anIncident(2))])
  archive.apply([anEvent(3, anIncident(2, { status: 'retracted' }), 'incident.retracted')])
  assert.notEqual(archive.slotOf(anIncident(1).id), null)
  for (const id of [
    anIncident(2).id,
    anIncident(3).id,
    'inc_',
    '',
    'inc_ü',
    `inc_${'é'.repeat(26)}`,
    `acc_${anIncident(1).id.slice(4)}`,
  ]) {
    assert.equal(archive.slotOf(id), null)
    assert.equal(archive.isRetracted(id), id === anIncident(2).id)
  }
})

for (const form of ['in memory', 'in files'])
  test(`keeps each incident intact after thousands of corrections, ${form}`, async () => {
    await using scene = await archiveIn(form, aSnapshot([]), 16 << 10)
    const { archive } = scene
    const count = 500
    const long = (round: number) => `Correction ${round}: ${'the toll has risen. '.repeat(20)}`
    archive.apply(
      Array.from({ length: count }, (_, number) => anEvent(number + 1, anIncident(number, { summary: long(0) }))),
    )
    for (let round = 1; round <= 5; round++) {
      const events = Array.from({ length: count }, (_, number) =>
        anEvent(
          round * count + number + 1,
          anIncident(number, { summary: long(round), version: round + 1 }),
          'incident.updated',
        ),
      )
      archive.apply(events)
      await scene.toFiles()
      runToEnd(archive.prepareContents())
    }
    for (let number = 0; number < count; number++) {
      const [incident] = incidentsOn(archive, [archive.slotOf(anIncident(number).id)!])
      assert.deepEqual(incident, anIncident(number, { summary: long(5), version: 6 }))
    }
  })

test('knows the newest publication, and that an empty archive has none', async () => {
  const archive = await emptyArchive()
  assert.equal(archive.newestPublishedAt, null)
  archive.apply([anEvent(1, anIncident(9)), anEvent(2, anIncident(3))])
  assert.equal(archive.newestPublishedAt, Date.parse(anIncident(9).published_at!))
})

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

function pinsWithFreed() {
  const freed: number[] = []
  return { freed, pins: new Pins((slot) => freed.push(slot)) }
}

test('without a reader, a slot is free at once', () => {
  const { freed, pins } = pinsWithFreed()
  pins.retireSlot(7)
  assert.deepEqual(freed, [7])
})

test('a slot is free once every reader that began before its removal has ended', () => {
  const { freed, pins } = pinsWithFreed()
  const first = pins.pin()
  pins.retireSlot(1)
  const second = pins.pin()
  pins.retireSlot(2)
  const third = pins.pin()
  second[Symbol.dispose]()
  assert.deepEqual(freed, [])
  first[Symbol.dispose]()
  assert.deepEqual(freed, [1, 2])
  pins.retireSlot(3)
  assert.equal(pins.retiredSlots, 1)
  third[Symbol.dispose]()
  assert.deepEqual(freed, [1, 2, 3])
  assert.equal(pins.isAny, false)
})

test('readers that overlap without end do not keep slots without end', () => {
  const { freed, pins } = pinsWithFreed()
  let reader = pins.pin()
  for (let slot = 0; slot < 1000; slot++) {
    pins.retireSlot(slot)
    const next = pins.pin()
    reader[Symbol.dispose]()
    reader = next
    assert.ok(pins.retiredSlots <= 1)
  }
  assert.equal(freed.length, 1000)
})

test('only what existed when a reader began may be read by it', () => {
  const { pins } = pinsWithFreed()
  const before = pins.generation
  assert.equal(pins.mayBeRead(before), false)
  const reader = pins.pin()
  assert.equal(pins.mayBeRead(before), true)
  assert.equal(pins.mayBeRead(pins.generation), false)
  reader[Symbol.dispose]()
  assert.equal(pins.mayBeRead(before), false)
})
