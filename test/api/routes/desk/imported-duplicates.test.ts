import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerPairs } from '../../../../src/desk/importing/offer-pairs.ts'
import { incidentIdOf } from '../../../../src/desk/importing/prepare-row.ts'
import { acledRow, csvOf, NOW, ucdpRow } from '../../../desk/importing/formats/fixtures.ts'
import { aRun, importText } from '../../../desk/importing/harness.ts'
import { startTestApp, until } from '../../../support/app.ts'
import { Editor } from '../../../support/desk.ts'

test('an editor finds two data sets with one event, compares them, and merges them', async () => {
  await using app = await startTestApp({}, { clock: () => NOW })
  const ada = await Editor.join(app, 'Ada')
  const place = { latitude: 11.25, longitude: 13.5 }
  const event = { admin1: 'Borno', admin2: 'Gwoza', location: 'Madeup', ...place, fatalities: 5 }
  await importText(app.store, 'ucdp', csvOf([ucdpRow(), ucdpRow({ id: 900002 })]))
  const run = aRun(app.store, 'acled')
  await importText(app.store, 'acled', csvOf([acledRow(event)]), { run })
  assert.equal((await offerPairs(run, app.store, () => NOW)).offered, 2)
  const [theirs, ours] = [incidentIdOf('acled:NIG99001'), incidentIdOf('ucdp:900001')]
  await until(async () => (await app.get(`/v1/incidents/${ours}`)).status === 200)

  const { data } = await ada.list('status=confirmed&origin=import')
  const found = new Map(data.map((incident) => [incident.id, incident]))
  assert.equal(found.get(theirs)!.dataset, 'acled')
  assert.deepEqual(
    found
      .get(theirs)!
      .desk.possible_duplicates.map(({ id }) => id)
      .sort(),
    [ours, incidentIdOf('ucdp:900002')].sort(),
  )
  // Of one data set, the two UCDP events are not each other's duplicates.
  assert.deepEqual(
    found.get(ours)!.desk.possible_duplicates.map(({ id }) => id),
    [theirs],
  )
  await ada.done(theirs, 'merge', { into: ours })
  assert.equal((await app.store.incidents.find(theirs))!.merged_into, ours)
})
