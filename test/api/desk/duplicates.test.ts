import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { offerPairs } from '../../../src/desk/importing/offer-pairs.ts'
import { incidentIdOf } from '../../../src/desk/importing/prepare-row.ts'
import { timeText } from '../../../src/lib/time.ts'
import { acledRow, csvOf, NOW, ucdpRow } from '../../desk/importing/formats/fixtures.ts'
import { aRun, importText } from '../../desk/importing/harness.ts'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { type DeskIncident, Editor } from '../../support/desk.ts'

describe('duplicates', () => {
  interface Pair {
    incident: DeskIncident
    other: DeskIncident
    score: number
    reasons: { reason: string; finding: string; weight: number }[]
    differs: string[]
    import_id: string | null
    offered_at: string | null
    dismissed_at: string | null
  }

  interface Page {
    data: Pair[]
    has_more: boolean
    next_cursor: string | null
  }

  const PLACE = { latitude: 11.25, longitude: 13.5 }
  const EVENT = { admin1: 'Borno', admin2: 'Gwoza', location: 'Madeup', ...PLACE, fatalities: 5 }
  const ACLED = incidentIdOf('acled:NIG99001')
  const UCDP = [900001, 900002].map((id) => incidentIdOf(`ucdp:${id}`)) as [string, string]

  /** An event of ACLED, and two of UCDP that resemble it. */
  async function importPairs(app: TestApp): Promise<string> {
    await importText(app.store, 'ucdp', csvOf([ucdpRow(), ucdpRow({ id: 900002 })]))
    const run = aRun(app.store, 'acled')
    await importText(app.store, 'acled', csvOf([acledRow(EVENT)]), { run })
    assert.equal((await offerPairs(run, app.store, () => NOW)).offered, 2)
    await until(async () => (await app.get(`/v1/incidents/${ACLED}`)).status === 200)
    return run.id
  }

  async function pairs(app: TestApp, editor: Editor, query = ''): Promise<Page> {
    const response = await app.get(`/v1/desk/duplicates${query}`, editor.key)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Page
  }

  const others = ({ data }: Page) => data.map(({ incident, other }) => [incident.id, other.id].sort().join(' ')).sort()
  const both = (id: string) => [ACLED, id].sort().join(' ')
  const candidates = ({ desk }: DeskIncident) => desk.possible_duplicates.map(({ id }) => id).sort()

  test('open pairs have both incidents, the reasons and what differs, page by page', async () => {
    await using app = await startTestApp({}, { clock: () => NOW })
    const ada = await Editor.join(app, 'Ada')
    assert.deepEqual(await pairs(app, ada), { data: [], has_more: false, next_cursor: null })
    const run = await importPairs(app)
    const page = await pairs(app, ada)
    assert.deepEqual([others(page), page.has_more], [UCDP.map(both).sort(), false])
    const [pair] = page.data
    assert.deepEqual([pair!.incident.dataset, pair!.other.dataset], ['acled', 'ucdp'])
    assert.equal(pair!.incident.desk.origin, 'import')
    assert.deepEqual([pair!.import_id, pair!.offered_at, pair!.dismissed_at], [run, timeText(NOW), null])
    assert.ok(pair!.score > 0.9)
    assert.ok(pair!.reasons.some(({ reason, finding }) => reason === 'distance' && finding === 'same_spot'))
    assert.ok(pair!.differs.includes('summary'))

    const first = await pairs(app, ada, '?limit=1')
    const second = await pairs(app, ada, `?limit=1&cursor=${encodeURIComponent(first.next_cursor!)}`)
    assert.deepEqual([...others(first), ...others(second)].sort(), others(page))
    assert.deepEqual([first.has_more, second.has_more, second.next_cursor], [true, false, null])
    for (const [query, code] of [
      ['?cursor=nonsense', 'invalid_cursor'],
      [`?cursor=${first.next_cursor}~more`, 'invalid_cursor'],
      [`?list=dismissed&cursor=${first.next_cursor}`, 'cursor_of_another_query'],
      [`?cursor=dismissed~1~${ACLED}~${UCDP[0]}`, 'cursor_of_another_query'],
      ['?list=closed', 'invalid_parameter'],
      ['?limit=101', 'invalid_parameter'],
    ] as const) {
      const refused = await app.get(`/v1/desk/duplicates${query}`, ada.key)
      assert.equal(refused.status, 400, query)
      assert.equal(((await refused.json()) as { code: string }).code, code, query)
    }
    assert.equal((await app.get('/v1/desk/duplicates')).status, 403, 'a reader sees no pairs')
  })

  test('a dismissed pair is offered nowhere, is in both histories, and can be offered again', async () => {
    await using app = await startTestApp({}, { clock: () => NOW })
    const ada = await Editor.join(app, 'Ada')
    await importPairs(app)
    const before = await app.store.incidents.current([ACLED, UCDP[0]])
    const shown = await ada.done(ACLED, `duplicates/${UCDP[0]}/dismiss`, {
      note: 'Two attacks.',
      version: 1,
      other_version: 1,
    })
    assert.deepEqual(candidates(shown), [UCDP[1]], 'the answer')
    assert.deepEqual(candidates(await ada.read(ACLED)), [UCDP[1]])
    assert.deepEqual(candidates(await ada.read(UCDP[0])), [], 'from the other side')
    assert.deepEqual(others(await pairs(app, ada)), [both(UCDP[1])])
    const dismissed = await pairs(app, ada, '?list=dismissed')
    assert.deepEqual([others(dismissed), dismissed.data[0]!.dismissed_at], [[both(UCDP[0])], timeText(NOW)])
    for (const [id, other] of [
      [ACLED, UCDP[0]],
      [UCDP[0], ACLED],
    ] as const) {
      const step = (await ada.history(id)).at(-1)!
      assert.deepEqual(
        [step.step, step.other, step.note, step.by.name, step.changes],
        ['dismiss_duplicate', other, 'Two attacks.', 'Ada', []],
      )
    }
    assert.deepEqual(await app.store.incidents.current([ACLED, UCDP[0]]), before, 'no incident changed')

    const again = await ada.move(UCDP[0], `duplicates/${ACLED}/dismiss`)
    assert.equal(again.status, 409)
    assert.match(((await again.json()) as { detail: string }).detail, /were called different events already/)

    assert.deepEqual(candidates(await ada.done(UCDP[0], `duplicates/${ACLED}/offer`)), [ACLED])
    assert.equal((await ada.history(ACLED)).at(-1)!.step, 'offer_duplicate')
    assert.equal((await pairs(app, ada)).data.length, 2)
    assert.equal((await pairs(app, ada, '?list=dismissed')).data.length, 0)
    assert.equal((await ada.move(UCDP[0], `duplicates/${ACLED}/offer`)).status, 409)
  })

  test('a dismissed pair is offered again only if a change makes more speak for one event', async () => {
    await using app = await startTestApp({}, { clock: () => NOW })
    const ada = await Editor.join(app, 'Ada')
    await importPairs(app)
    await ada.corrected(UCDP[0], { casualties: { killed: 40, injured: null, abducted: null } })
    await ada.done(ACLED, `duplicates/${UCDP[0]}/dismiss`)
    const open = async () => others(await pairs(app, ada)).includes(both(UCDP[0]))
    assert.equal(await open(), false)
    // Other words, and further apart: nothing new speaks for one event.
    await ada.corrected(UCDP[0], { casualties: { killed: 41, injured: null, abducted: null } })
    assert.equal(await open(), false)
    assert.deepEqual(candidates(await ada.read(UCDP[0])), [])
    assert.equal(others(await pairs(app, ada, '?list=dismissed')).length, 1)
    // The same toll: something does.
    const corrected = await ada.corrected(UCDP[0], { casualties: { killed: 5, injured: null, abducted: null } })
    assert.deepEqual(candidates(corrected), [ACLED])
    assert.equal(await open(), true)
    assert.deepEqual((await pairs(app, ada, '?list=dismissed')).data, [], 'it is open, so not dismissed')
    // It can be dismissed as it is now, and that holds.
    await ada.done(ACLED, `duplicates/${UCDP[0]}/dismiss`)
    assert.equal(await open(), false)
  })

  test('a merge closes the pair, and its undoing opens it', async () => {
    await using app = await startTestApp({}, { clock: () => NOW })
    const ada = await Editor.join(app, 'Ada')
    await importPairs(app)
    await ada.done(ACLED, 'merge', { into: UCDP[0] })
    assert.deepEqual((await pairs(app, ada)).data, [])
    assert.equal((await ada.move(UCDP[0], `duplicates/${ACLED}/dismiss`)).status, 409)
    await ada.done(ACLED, 'unmerge')
    assert.equal((await pairs(app, ada)).data.length, 2)
  })

  test('reports can be told apart too; what is not alike cannot, nor what a colleague works on', async () => {
    await using app = await startTestApp()
    const [ada, bola] = [await Editor.join(app, 'Ada'), await Editor.join(app, 'Bola')]
    const [one, two] = [await ada.report(), await ada.report()]
    const far = await ada.report({ occurred_at: '2020-01-01' })
    assert.deepEqual(candidates(await ada.read(one.id)), [two.id])
    const code = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: string }).code
    assert.equal(await code(ada.move(one.id, `duplicates/${far.id}/dismiss`)), 'not_in_this_state')
    assert.equal(await code(ada.move(one.id, `duplicates/${one.id}/dismiss`)), 'not_found')
    assert.equal(await code(ada.move(one.id, 'duplicates/inc_x/dismiss')), 'not_found')
    assert.equal(await code(ada.move(one.id, `duplicates/${two.id}/dismiss`, { other_version: 7 })), 'stale_version')
    assert.equal(
      await code(ada.move(one.id, `duplicates/${two.id}/dismiss`, {}, { 'If-Match': '"7"' })),
      'stale_version',
    )
    await bola.done(two.id, 'claim')
    assert.equal(await code(ada.move(one.id, `duplicates/${two.id}/dismiss`)), 'claimed_by_another')
    const shown = await bola.done(one.id, `duplicates/${two.id}/dismiss`)
    assert.deepEqual(candidates(shown), [])
    assert.deepEqual(others(await pairs(app, ada, '?list=dismissed')), [[one.id, two.id].sort().join(' ')])
    // A rejection is undone as before: the step about the pair changes nothing of the report.
    const { desk } = await bola.done(two.id, 'reject')
    assert.equal(desk.undo?.undoes, 'reject')
    const list = await ada.list('duplicates=all')
    assert.deepEqual(candidates(list.data.find(({ id }) => id === one.id)!), [])
  })
})

describe('imported duplicates', () => {
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
})
