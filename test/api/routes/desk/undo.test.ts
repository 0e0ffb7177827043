import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { type DeskIncident, Editor, eventsOf } from '../../../support/desk.ts'
import { openMember, signIn } from '../../../support/sign-in.ts'

let app: TestApp
let ada: Editor
let bola: Editor
let ahead = 0
before(async () => {
  app = await startTestApp({}, { clock: () => Date.now() + ahead })
  ada = await Editor.join(app, 'Ada')
  bola = await Editor.join(app, 'Bola')
})
after(() => app[Symbol.asyncDispose]())

const undo = ({ desk }: DeskIncident, editor = ada) => app.post(desk.undo!.path, { step: desk.undo!.step }, editor.key)

async function undone(decided: DeskIncident): Promise<DeskIncident> {
  const response = await undo(decided)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as DeskIncident
}

describe('every decision carries what undoes it', () => {
  it('a rejection is reopened', async () => {
    const { id } = await ada.report()
    const rejected = await ada.done(id, 'reject')
    assert.equal(rejected.desk.undo!.move, 'reopen')
    assert.equal((await undone(rejected)).status, 'reported')
    assert.deepEqual(await eventsOf(app, id), [])
  })

  it('a retraction is restored as a new version, published when it was', async () => {
    const confirmed = await ada.confirmed()
    ahead += 60_000
    const retracted = await ada.done(confirmed.id, 'retract')
    assert.equal(retracted.desk.undo!.move, 'restore')
    const restored = await undone(retracted)
    assert.deepEqual([restored.status, restored.version], ['confirmed', 3])
    assert.equal(restored.published_at, confirmed.published_at)
    const kinds = ['incident.created', 'incident.retracted', 'incident.updated']
    assert.deepEqual(await eventsOf(app, confirmed.id), kinds)
    await until(() => app.archive.slotOf(confirmed.id) !== null)
    const { data } = (await (await app.get(`/v1/incidents/${confirmed.id}/history`)).json()) as {
      data: { change: string }[]
    }
    assert.deepEqual(
      data.map(({ change }) => change),
      ['published', 'restored'],
    )
  })

  it('a confirmation is retracted: what was sent cannot be unsent', async () => {
    const confirmed = await ada.confirmed()
    assert.equal(confirmed.desk.undo!.move, 'retract')
    assert.equal((await undone(confirmed)).status, 'retracted')
  })

  it('a correction is put back, with what followed from it', async () => {
    const report = await ada.report({ casualties: {} })
    const corrected = await ada.corrected(report.id, {
      casualties: { killed: 40 },
      casualties_reported: [{ source: 'Punch', killed: 40 }],
      occurred_until: '2026-05-03',
      text: 'New text',
      state: 'Kaduna',
      place: null,
    })
    assert.notEqual(corrected.severity, report.severity)
    assert.equal(corrected.state, 'Kaduna')
    const back = await undone(corrected)
    const plain = ({ version: _, updated_at: __, desk: { undo: ___, ...desk }, ...rest }: DeskIncident) => ({
      ...rest,
      desk: { ...desk, possible_duplicates: [] },
    })
    assert.deepEqual(plain(back), plain(report))
    assert.equal(back.version, 3)
    const [update, putBack] = (await ada.history(report.id)).slice(-2)
    assert.ok(update!.fields.includes('casualties'))
    assert.deepEqual([putBack!.step, putBack!.fields], ['update', update!.fields])
  })

  it('an undo after a later change is refused, naming the change; a note is none', async () => {
    const { id } = await ada.report()
    const corrected = await ada.corrected(id, { casualties: { killed: 1 } })
    await bola.done(id, 'notes', { note: 'Seen.' })
    const again = await bola.corrected(id, { summary: 'Gunmen abducted eleven people near Gusau.' })
    const problem = await problemOf(await undo(corrected))
    assert.deepEqual([problem.status, problem.code], [409, 'changed_since'])
    assert.match(problem.detail, /by the step update \(summary\) of Bola at/)
    await undone(again)
    assert.equal((await problemOf(await undo(again))).code, 'changed_since')
  })

  it('of two editors who undo the same step, one succeeds', async () => {
    const { id } = await ada.report()
    const rejected = await ada.done(id, 'reject')
    const responses = await Promise.all([undo(rejected), undo(rejected, bola)])
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
  })

  it('refuses unknown steps, and steps that are no decision', async () => {
    const { id } = await ada.report()
    assert.equal((await problemOf(await ada.move(id, 'undo', { step: 'stp_x' }))).status, 404)
    const [first] = await ada.history(id)
    assert.equal((await problemOf(await ada.move(id, 'undo', { step: first!.id }))).code, 'not_undoable')
  })
})

describe('the history', () => {
  it('has old and new values of every changed field', async () => {
    const { id } = await ada.confirmed()
    await bola.corrected(id, { casualties: { killed: 2 }, note: 'Two have died' })
    const [, confirm, update] = await ada.history(id)
    assert.deepEqual(
      confirm!.changes.map(({ field, old, new: value }) => [field, old, field === 'status' ? value : typeof value]),
      [
        ['confirmed_at', null, 'string'],
        ['published_at', null, 'string'],
        ['status', 'reported', 'confirmed'],
      ],
    )
    assert.deepEqual(update!.changes, [
      {
        field: 'casualties',
        old: { killed: null, injured: null, abducted: 11 },
        new: { killed: 2, injured: null, abducted: 11 },
      },
    ])
    assert.deepEqual([update!.by.name, update!.by.account_id], ['Bola', bola.accountId])
  })

  it('names a person who has signed in by their address, if there is no name', async () => {
    const { id } = await ada.report()
    const member = await openMember(app.store, 'editor', { name: null, email: 'efe@example.org' })
    const { send } = await signIn(app, 'editor', member)
    assert.equal((await send('POST', `/v1/desk/incidents/${id}/reject`, {})).status, 200)
    const { by } = (await ada.history(id)).at(-1)!
    assert.deepEqual([by.name, by.account_id], ['efe@example.org', member.id])
  })

  it('tells that another decided first', async () => {
    const { id } = await ada.report()
    const responses = await Promise.all([ada.move(id, 'confirm'), bola.move(id, 'confirm')])
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
    const problem = await problemOf(responses.find(({ status }) => status === 409)!)
    assert.match(problem.detail, /is confirmed; only a reported incident can be confirmed/)
    const stale = await ada.move(id, 'retract', { version: 9 })
    assert.equal(stale.headers.get('etag'), '"1"')
    assert.equal((await problemOf(stale)).status, 412)
  })
})
