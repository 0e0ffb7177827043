import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERYTHING } from '../../src/filter/filter/filter.ts'
import { runToEnd } from '../../src/lib/async/steps.ts'
import { anEvent, archiveIn, aSnapshot, emptyArchive, incidentsOn } from '../support/archive.ts'
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
  test(`keeps each incident intact after ten thousand corrections, ${form}`, async () => {
    await using scene = await archiveIn(form, aSnapshot([]), 64 << 10)
    const { archive } = scene
    const count = 2000
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
