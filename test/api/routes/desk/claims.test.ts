import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { type DeskIncident, Editor } from '../../../support/desk.ts'
import { aReport } from '../../../support/incident.ts'

const MINUTE = 60_000

let app: TestApp
let ada: Editor
let bola: Editor
let now = Date.UTC(2026, 10, 15, 12)
before(async () => {
  app = await startTestApp({}, { clock: () => now })
  ada = await Editor.join(app, 'Ada')
  bola = await Editor.join(app, 'Bola')
})
after(() => app[Symbol.asyncDispose]())

describe('a claim', () => {
  it('keeps others from deciding, correcting and merging, and says who has it and until when', async () => {
    const { id } = await ada.report()
    const other = await ada.report()
    const { claim } = (await ada.done(id, 'claim')).desk
    const until = new Date(now + 15 * MINUTE).toISOString()
    assert.deepEqual(claim, { by: { account_id: ada.accountId, name: 'Ada' }, until })
    for (const response of [
      await bola.move(id, 'claim'),
      await bola.move(id, 'confirm'),
      await bola.move(id, 'release'),
      await bola.move(id, 'merge', { into: other.id }),
      await bola.move(other.id, 'merge', { into: id }),
      await bola.patch(id, { casualties: { killed: 1 } }),
    ]) {
      const problem = await problemOf(response)
      assert.deepEqual([problem.status, problem.code], [409, 'claimed_by_another'])
      assert.ok(problem.detail.includes(`Ada has claimed ${id} until ${until}`), problem.detail)
    }
    assert.equal((await bola.read(id)).status, 'reported')
    assert.equal((await ada.done(id, 'confirm')).desk.claim, null)
  })

  it('keeps others from undoing a correction or a merge', async () => {
    const { id } = await ada.report()
    const corrected = await ada.corrected(id, { casualties: { killed: 1 } })
    const merged = await ada.report()
    await ada.done(merged.id, 'merge', { into: id })
    await ada.done(id, 'claim')
    for (const response of [
      await bola.move(merged.id, 'unmerge'),
      await bola.move(id, 'undo', { step: (await ada.history(id)).at(-1)!.id }),
    ])
      assert.equal((await problemOf(response)).code, 'claimed_by_another')
    await ada.done(merged.id, 'unmerge')
    const again = await ada.corrected(id, { casualties: { killed: 2 } })
    assert.notEqual(again.desk.undo!.step, corrected.desk.undo!.step)
    const response = await bola.move(id, 'undo', { step: again.desk.undo!.step })
    assert.equal((await problemOf(response)).code, 'claimed_by_another')
    assert.equal((await ada.read(id)).casualties.killed, 2)
  })

  it('can be prolonged and released by who has it', async () => {
    const { id } = await ada.report()
    await ada.done(id, 'claim')
    now += 10 * MINUTE
    assert.equal((await ada.done(id, 'claim')).desk.claim!.until, new Date(now + 15 * MINUTE).toISOString())
    assert.equal((await ada.done(id, 'release')).desk.claim, null)
    assert.equal((await ada.done(id, 'release')).desk.claim, null)
    assert.equal((await bola.done(id, 'claim')).desk.claim!.by.name, 'Bola')
  })

  it('lapses after 15 minutes: another may take it, and the first is told so', async () => {
    const { id } = await ada.report()
    await ada.done(id, 'claim')
    now += 15 * MINUTE
    assert.equal((await ada.read(id)).desk.claim, null)
    await bola.done(id, 'claim')
    const problem = await problemOf(await ada.move(id, 'reject'))
    assert.deepEqual([problem.status, problem.code], [409, 'claimed_by_another'])
    assert.match(problem.detail, /Bola has claimed/)
  })

  it('that lapsed keeps nobody from deciding', async () => {
    const { id } = await ada.report()
    await ada.done(id, 'claim')
    now += 16 * MINUTE
    assert.equal((await bola.done(id, 'reject')).status, 'rejected')
  })

  it('is taken over on request, which the history records', async () => {
    const { id } = await ada.report()
    await ada.done(id, 'claim')
    const taken = await bola.done(id, 'claim', { take_over: true })
    assert.equal(taken.desk.claim!.by.name, 'Bola')
    const last = (await ada.history(id)).at(-1)!
    assert.deepEqual([last.step, last.by.name, last.note], ['take_over', 'Bola', 'The claim of Ada was taken over.'])
    assert.equal((await problemOf(await ada.move(id, 'confirm'))).code, 'claimed_by_another')
  })

  it('of one of two editors who claim at the same moment holds', async () => {
    const { id } = await ada.report()
    const responses = await Promise.all([ada.move(id, 'claim'), bola.move(id, 'claim')])
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
  })

  it('can be made on a published incident that was imported, which then is in the queue', async () => {
    const { id } = await ada.confirmed()
    await ada.done(id, 'claim')
    const claimed = await bola.list(`status=confirmed&claimed_by=${ada.accountId}`)
    assert.deepEqual(
      claimed.data.map((each) => each.id),
      [id],
    )
    const { data } = await bola.list('status=confirmed&claimed_by=none')
    assert.ok(data.length > 0 && data.every((each) => each.id !== id))
  })

  it('is not shown to who filed the report: names of editors stay at the desk', async () => {
    const { text } = await app.issue({ scopes: ['read', 'report'] })
    const { id } = (await (await app.post('/v1/reports', aReport(), text)).json()) as DeskIncident
    await ada.done(id, 'claim')
    assert.equal((await bola.read(id)).desk.claim!.by.name, 'Ada')
    const list = (await (await app.get('/v1/reports', text)).json()) as { data: DeskIncident[] }
    const single = (await (await app.get(`/v1/reports/${id}`, text)).json()) as DeskIncident
    assert.deepEqual(
      [...list.data, single].map((each) => [each.id, each.desk.claim]),
      [
        [id, null],
        [id, null],
      ],
    )
  })

  it('is refused for an unknown incident and a wrong body', async () => {
    const { id } = await ada.report()
    assert.equal((await problemOf(await ada.move('inc_x', 'claim'))).status, 404)
    assert.equal((await problemOf(await ada.move(id, 'claim', { take_over: 'yes' }))).status, 422)
    assert.equal((await problemOf(await ada.move(id, 'claim', { by: 'me' }))).status, 422)
  })
})

describe('a note', () => {
  it('is kept in any status, changes nothing and is nowhere public', async () => {
    const { id } = await ada.confirmed()
    const noted = await bola.move(id, 'notes', { note: 'Called the hospital.' })
    assert.equal(noted.status, 201)
    assert.equal((await ada.read(id)).version, 1)
    const last = (await ada.history(id)).at(-1)!
    assert.deepEqual([last.step, last.note, last.by.name, last.changes], ['note', 'Called the hospital.', 'Bola', []])
    assert.equal((await problemOf(await ada.move(id, 'notes', { note: '  ' }))).status, 422)
  })

  it('sent alone with PATCH is kept too', async () => {
    const { id, version } = await ada.report()
    assert.equal((await ada.corrected(id, { note: 'Nobody answers.' })).version, version)
    assert.deepEqual(
      (await ada.history(id)).map(({ step, note }) => [step, note]),
      [
        ['report', null],
        ['note', 'Nobody answers.'],
      ],
    )
  })
})
