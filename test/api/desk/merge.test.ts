import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { type DeskIncident, Editor, eventsOf } from '../../support/desk.ts'
import type { StreamedChange } from '../../support/readers.ts'
import { openMember, signIn } from '../../support/sign-in.ts'

describe('merge', () => {
  let app: TestApp
  let ada: Editor
  let bola: Editor
  before(async () => {
    app = await startTestApp()
    ada = await Editor.join(app, 'Ada')
    bola = await Editor.join(app, 'Bola')
  })
  after(() => app[Symbol.asyncDispose]())

  const ELEVEN = { sources: [{ publisher: 'Punch' }], casualties: { abducted: 11 } }
  const EIGHTEEN = {
    sources: [{ publisher: 'Daily Trust' }],
    casualties: { killed: 3, abducted: 18 },
    type: 'banditry',
    summary: 'Bandits kill three and abduct eighteen.',
    occurred_at: '2026-05-02',
    time_precision: 'day',
  }

  describe('a merge', () => {
    it('drops no toll: the figures of both are kept by source, and the chosen ones hold', async () => {
      const into = await ada.report(ELEVEN)
      const other = await ada.report(EIGHTEEN)
      const kept = await ada.done(other.id, 'merge', { into: into.id })
      assert.deepEqual(kept.casualties, { killed: null, injured: null, abducted: 11 })
      assert.deepEqual(kept.casualties_reported, [
        { source: 'Punch', killed: null, injured: null, abducted: 11 },
        { source: 'Daily Trust', killed: 3, injured: null, abducted: 18 },
      ])
      assert.deepEqual(kept.desk.merged_from, [other.id])
      assert.equal(kept.type, 'kidnapping')
      await ada.done(other.id, 'unmerge')
      const take = { casualties: 'this', type: 'this', summary: 'this', occurred_at: 'this' }
      const taken = await ada.done(other.id, 'merge', { into: into.id, take, note: 'The same attack' })
      assert.deepEqual(taken.casualties, { killed: 3, injured: null, abducted: 18 })
      assert.deepEqual([taken.type, taken.category], ['banditry', 'armed_conflict'])
      assert.deepEqual([taken.summary, taken.time_precision], [EIGHTEEN.summary, 'day'])
      const step = (await ada.history(into.id)).at(-1)!
      assert.deepEqual([step.step, step.other, step.note], ['absorb', other.id, 'The same attack'])
      assert.deepEqual(
        step.changes.find(({ field }) => field === 'casualties'),
        {
          field: 'casualties',
          old: { killed: null, injured: null, abducted: 11 },
          new: { killed: 3, injured: null, abducted: 18 },
        },
      )
    })

    it('of two confirmed ones gives the survivor a version; the other leads there', async () => {
      const into = await ada.confirmed(ELEVEN)
      const other = await ada.confirmed(EIGHTEEN)
      const survivor = await ada.done(other.id, 'merge', { into: into.id })
      assert.deepEqual([survivor.id, survivor.version, survivor.status], [into.id, 2, 'confirmed'])
      assert.deepEqual(await eventsOf(app, other.id), ['incident.created', 'incident.retracted'])
      assert.deepEqual(await eventsOf(app, into.id), ['incident.created', 'incident.updated'])
      await until(() => app.archive.slotOf(other.id) === null)
      for (const path of [`/v1/incidents/${other.id}`, `/incidents/${other.id}`, `/v1/incidents/${other.id}/history`]) {
        const response = await app.get(path)
        assert.equal(response.status, 301, path)
        assert.equal(response.headers.get('location'), `/v1/incidents/${into.id}`)
        assert.equal((await problemOf(response)).code, 'merged')
      }
      const page = await app.get(`/incidents/${other.id}`, null, { accept: 'text/html' })
      assert.deepEqual([page.status, page.headers.get('location')], [301, `/incidents/${into.id}`])
      const changes = (await (await app.get('/v1/changes?limit=1000')).json()) as { data: StreamedChange[] }
      const ofOther = changes.data.filter(({ incident_id }) => incident_id === other.id)
      assert.deepEqual(
        ofOther.map((change) => [change.event, change.incident, (change as { merged_into?: string }).merged_into]),
        [
          ['incident.created', null, undefined],
          ['incident.retracted', null, into.id],
        ],
      )
    })

    it('is undone whole: both are as they were, and both are public again', async () => {
      const into = await ada.confirmed(ELEVEN)
      const other = await ada.confirmed(EIGHTEEN)
      const merged = await ada.done(other.id, 'merge', { into: into.id, take: { casualties: 'this' } })
      assert.deepEqual([merged.desk.undo!.move, merged.desk.undo!.undoes], ['unmerge', 'absorb'])
      const { step, path } = merged.desk.undo!
      const undone = await app.post(path, { step }, ada.key)
      assert.equal(undone.status, 200, await undone.clone().text())
      const plain = ({ version: _, updated_at: __, desk: ___, ...rest }: Awaited<ReturnType<Editor['read']>>) => rest
      assert.deepEqual(plain(await ada.read(into.id)), plain(into))
      assert.deepEqual(plain(await ada.read(other.id)), plain(other))
      assert.deepEqual((await ada.read(other.id)).desk.merged_into, null)
      assert.deepEqual((await ada.read(into.id)).desk.merged_from, [])
      await until(() => app.archive.slotOf(other.id) !== null)
      assert.equal((await app.get(`/v1/incidents/${other.id}`)).status, 200)
      assert.deepEqual(await eventsOf(app, other.id), ['incident.created', 'incident.retracted', 'incident.updated'])
    })

    it('is not undone after a later change of the survivor, which the answer names', async () => {
      const into = await ada.report(ELEVEN)
      const other = await ada.report(EIGHTEEN)
      await ada.done(other.id, 'merge', { into: into.id })
      await bola.corrected(into.id, { casualties: { killed: 4 } })
      const problem = await problemOf(await ada.move(other.id, 'unmerge'))
      assert.deepEqual([problem.status, problem.code], [409, 'changed_since'])
      assert.match(problem.detail, /by the step update \(.*casualties.*\) of Bola/)
      assert.equal((await ada.read(other.id)).status, 'merged')
    })

    it('in a circle is refused, also of two editors at the same moment', async () => {
      const one = await ada.report(ELEVEN)
      const two = await ada.report(EIGHTEEN)
      await ada.done(one.id, 'merge', { into: two.id })
      const problem = await problemOf(await ada.move(two.id, 'merge', { into: one.id }))
      assert.deepEqual([problem.status, problem.code], [409, 'not_in_this_state'])
      assert.match(problem.detail, /in a circle/)
      for (let round = 0; round < 5; round++) {
        const [a, b] = [await ada.report(ELEVEN), await ada.report(EIGHTEEN)]
        const responses = await Promise.all([
          ada.move(a.id, 'merge', { into: b.id }),
          bola.move(b.id, 'merge', { into: a.id }),
        ])
        assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
        const refused = responses.find(({ status }) => status === 409)!
        assert.match((await problemOf(refused)).detail, /already merged into|in a circle/)
        const statuses = [(await ada.read(a.id)).status, (await ada.read(b.id)).status]
        assert.deepEqual(statuses.sort(), ['merged', 'reported'])
      }
    })

    it('of a confirmed incident into a report is refused, and into one that was merged elsewhere', async () => {
      const report = await ada.report(ELEVEN)
      const confirmed = await ada.confirmed(EIGHTEEN)
      const upside = await problemOf(await ada.move(confirmed.id, 'merge', { into: report.id }))
      assert.match(upside.detail, /is confirmed and .* only reported/)
      await ada.done(report.id, 'merge', { into: confirmed.id })
      const third = await ada.report()
      const elsewhere = await problemOf(await ada.move(third.id, 'merge', { into: report.id }))
      assert.ok(elsewhere.detail.includes(`was merged into ${confirmed.id}`), elsewhere.detail)
    })

    it('of an incident that another has changed is refused by version', async () => {
      const into = await ada.report(ELEVEN)
      const other = await ada.report(EIGHTEEN)
      await bola.corrected(into.id, { casualties: { killed: 1 } })
      for (const body of [
        { into: into.id, into_version: 1 },
        { into: into.id, version: 7 },
      ]) {
        const response = await ada.move(other.id, 'merge', body)
        assert.equal(response.headers.get('etag'), 'into_version' in body ? '"2"' : '"1"')
        assert.equal((await problemOf(response)).status, 412)
      }
    })

    it('answers with the possible duplicates that are left', async () => {
      const twin = { place: 'Kajuru', state: 'Kaduna', occurred_at: '2026-06-01T08:00:00Z' }
      const [into, other, third] = [await ada.report(twin), await ada.report(twin), await ada.report(twin)]
      assert.deepEqual(third.desk.possible_duplicates.map(({ id }) => id).sort(), [into.id, other.id].sort())
      const { desk } = await ada.done(other.id, 'merge', { into: into.id })
      assert.deepEqual(
        desk.possible_duplicates.map(({ id }) => id),
        [third.id],
      )
    })

    it('keeps a severity that was chosen, and knows which sources are official', async () => {
      const into = await ada.report(ELEVEN)
      const sources = [{ publisher: 'Daily Trust' }, { publisher: 'Nigeria Police Force', official: true }]
      const other = await ada.report({ severity: 'low', sources })
      assert.deepEqual([into.severity, other.severity, other.desk.official_sources], ['critical', 'low', [1]])
      const kept = await ada.done(other.id, 'merge', { into: into.id, take: { severity: 'this' } })
      assert.deepEqual([kept.severity, kept.desk.official_sources], ['low', [2]])
      assert.equal((await ada.corrected(into.id, { casualties: { killed: 50 } })).severity, 'low')
    })

    it('names wrong fields', async () => {
      const [one, two] = [await ada.report(), await ada.report()]
      for (const take of [{ colour: 'this' }, { casualties: 'mine' }])
        assert.equal((await problemOf(await ada.move(one.id, 'merge', { into: two.id, take }))).status, 422)
    })
  })
})

describe('undo', () => {
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

  const undo = ({ desk }: DeskIncident, editor = ada) =>
    app.post(desk.undo!.path, { step: desk.undo!.step }, editor.key)

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
})
