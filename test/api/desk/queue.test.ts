import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { type DeskIncident, Editor } from '../../support/desk.ts'
import { aReport } from '../../support/incident.ts'
import { readStream, type StreamReader } from '../../support/readers.ts'

describe('queue', () => {
  let app: TestApp
  let ada: Editor
  let bola: Editor
  let now = Date.UTC(2026, 10, 15, 12)
  const ids: Record<string, string> = {}
  before(async () => {
    app = await startTestApp({}, { clock: () => now })
    ada = await Editor.join(app, 'Ada')
    bola = await Editor.join(app, 'Bola')
    const reports: [string, Record<string, unknown>][] = [
      ['gusau', { casualties: { abducted: 1 } }],
      [
        'gonin',
        { state: 'Kaduna', lga: 'Chikun', place: 'Gonin Gora', summary: 'Ìwọ́de at Gọnin-Gora', casualties: {} },
      ],
      ['deadly', { state: 'Kaduna', place: null, casualties: { killed: 40 }, sources: [{ publisher: 'Punch' }] }],
      ['trusted', { sources: ['Punch', 'Reuters', 'Daily Trust'].map((publisher) => ({ publisher })), casualties: {} }],
    ]
    for (const [name, changes] of reports) {
      now += 60_000
      ids[name] = (await ada.report(changes)).id
    }
  })
  after(() => app[Symbol.asyncDispose]())

  async function names(query: string, editor = ada): Promise<string[]> {
    const { data } = await editor.list(query)
    return data.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id)
  }

  describe('the queue', () => {
    it('has four orders, each paged without repeats', async () => {
      const byTime = ['gusau', 'gonin', 'deadly', 'trusted']
      assert.deepEqual(await names(''), byTime.toReversed())
      assert.deepEqual(await names('order=oldest'), byTime)
      assert.equal((await names('order=severity'))[0], 'deadly')
      assert.equal((await names('order=confidence'))[0], 'trusted')
      for (const order of ['newest', 'oldest', 'severity', 'confidence']) {
        const paged: string[] = []
        let cursor = ''
        do {
          const { data, next_cursor } = await ada.list(`order=${order}&limit=1${cursor}`)
          paged.push(...data.map(({ id }) => id))
          cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`
        } while (cursor !== '')
        assert.deepEqual(
          paged.map((id) => Object.entries(ids).find(([, known]) => known === id)![0]),
          await names(`order=${order}`),
        )
      }
    })

    it('takes the filters of the list', async () => {
      assert.deepEqual(await names('state=kaduna'), ['deadly', 'gonin'])
      assert.deepEqual(await names('state=kaduna&lga=chikun'), ['gonin'])
      assert.deepEqual(await names('severity=critical'), ['deadly'])
      assert.deepEqual(await names('near=10.41,7.42&radius_km=25'), ['gonin'])
      assert.deepEqual(await names('since=1m'), ['trusted', 'deadly'])
      assert.deepEqual(await names(`from=${new Date(now).toISOString()}`), ['trusted'])
      assert.deepEqual(await names('type=protest'), [])
    })

    it('finds words by their beginning, with case and accents folded, in summary, place and sources', async () => {
      assert.deepEqual(await names('q=GONIN%20gora'), ['gonin'])
      assert.deepEqual(await names('q=iwode'), ['gonin'])
      assert.deepEqual(await names('q=chik'), ['gonin'])
      assert.deepEqual(await names('q=reut'), ['trusted'])
      assert.deepEqual(await names('q=ora'), [])
      assert.deepEqual(await names('q=%22gonin+gora%22'), ['gonin'])
      assert.deepEqual(await names('q=%22gonin+gor%22'), [])
      assert.equal((await app.get('/v1/desk/incidents?q=%22gonin', ada.key)).status, 400)
      assert.deepEqual(await names('q=gonin%20nowhere'), [])
      assert.deepEqual(await names(`q=${encodeURIComponent("' OR nothing=1 --")}`), [])
    })

    it('filters by claim and origin, and counts the same', async () => {
      await ada.done(ids.gusau!, 'claim')
      await bola.done(ids.gonin!, 'claim')
      assert.deepEqual(await names('claimed_by=me'), ['gusau'])
      assert.deepEqual(await names('claimed_by=me', bola), ['gonin'])
      assert.deepEqual(await names('claimed_by=none'), ['trusted', 'deadly'])
      assert.deepEqual(await names(`claimed_by=${bola.accountId}`), ['gonin'])
      assert.deepEqual((await names('origin=api')).length, 4)
      assert.deepEqual(await names('origin=tip'), [])
      const counts = async () => (await (await app.get('/v1/desk/counts', ada.key)).json()) as Record<string, unknown>
      const { revision, ...rest } = await counts()
      assert.deepEqual(rest, {
        status: { reported: 4, confirmed: 0, retracted: 0, rejected: 0, merged: 0 },
        origin: { api: 4, feed: 0, tip: 0, import: 0 },
        severity: { low: 0, medium: 0, high: 3, critical: 1 },
        claimed: { me: 1, others: 1, none: 2 },
      })
      now += 16 * 60_000
      assert.deepEqual((await counts()).claimed, { me: 0, others: 0, none: 4 })
      assert.equal((await names('claimed_by=none')).length, 4)
      await ada.done(ids.trusted!, 'confirm')
      await ada.done(ids.deadly!, 'reject')
      const after = (await counts()) as { status: object; origin: object; claimed: object; revision: number }
      assert.deepEqual(after.status, { reported: 2, confirmed: 1, retracted: 0, rejected: 1, merged: 0 })
      assert.deepEqual(after.origin, { api: 2, feed: 0, tip: 0, import: 0 })
      assert.deepEqual(after.claimed, { me: 0, others: 0, none: 2 })
      assert.ok(after.revision > (revision as number))
    })

    it('searches confirmed incidents too', async () => {
      assert.deepEqual(await names('status=confirmed&q=reuters'), ['trusted'])
      assert.deepEqual(await names('status=confirmed&origin=api&order=oldest'), ['trusted'])
      assert.deepEqual(await names('status=confirmed&q=gonin'), [])
      assert.deepEqual(await names('status=rejected&q=punch'), ['deadly'])
    })

    it('pages through the confirmed ones that match', async () => {
      const made: string[] = []
      for (const place of ['Gusau', 'Maru', 'Kaura Namoda']) {
        now += 1000
        made.push((await ada.confirmed({ place })).id)
      }
      await until(() => made.every((id) => app.archive.slotOf(id) !== null))
      const found: string[] = []
      let cursor = ''
      do {
        const { data, next_cursor } = await ada.list(`status=confirmed&origin=api&order=oldest&limit=1${cursor}`)
        found.push(...data.map(({ id }) => id))
        cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`
      } while (cursor !== '')
      assert.deepEqual(found, [ids.trusted, ...made])
      const { data, has_more } = await ada.list('status=confirmed&q=kaura&order=oldest&limit=1')
      assert.deepEqual([data.map(({ id }) => id), has_more], [[made[2]], false])
      for (const id of made) await ada.done(id, 'retract')
    })

    it('refuses what it does not know', async () => {
      for (const query of [
        'order=worst',
        'status=confirmed&order=severity',
        'origin=post',
        'claimed_by=you',
        'q=--',
        `q=${'x'.repeat(201)}`,
        'q=a&q=b',
        'colour=red',
        'limit=0',
        'last_event_id=1',
      ])
        assert.equal((await problemOf(await app.get(`/v1/desk/incidents?${query}`, ada.key))).code, 'invalid_parameter')
      const { next_cursor } = await ada.list('limit=1')
      for (const query of [
        'q=gonin',
        'claimed_by=none',
        'origin=api',
        'status=rejected',
        'order=oldest',
        'state=kaduna',
      ]) {
        const other = await app.get(`/v1/desk/incidents?limit=1&${query}&cursor=${next_cursor}`, ada.key)
        assert.equal((await problemOf(other)).code, 'cursor_of_another_query', query)
      }
    })

    it('leaves out possible duplicates on request', async () => {
      const twins = [
        await ada.report({ place: 'Zaria', state: 'Kaduna' }),
        await ada.report({ place: 'Zaria', state: 'Kaduna' }),
      ]
      const found = async (query: string) =>
        (await ada.list(query)).data.find(({ id }) => id === twins[0]!.id)!.desk.possible_duplicates.length
      assert.ok((await found('')) > 0)
      assert.equal(await found('duplicates=none'), 0)
      assert.equal((await app.get('/v1/desk/incidents?duplicates=few', ada.key)).status, 400)
      for (const { id } of twins) await ada.done(id, 'reject')
    })

    it('is for editors only', async () => {
      const { text } = await app.issue({ scopes: ['read', 'watch'] })
      for (const path of ['/v1/desk/incidents', '/v1/desk/counts', '/v1/desk/stream', '/v1/admin/audit'])
        assert.equal((await problemOf(await app.get(path, text))).code, 'insufficient_scope')
      const bulk = await app.post('/v1/desk/bulk', { ids: [ids.gusau], move: 'confirm' }, text)
      assert.equal((await problemOf(bulk)).code, 'insufficient_scope')
    })
  })

  describe('bulk', () => {
    const bulk = async (body: unknown, key = ada.key) => {
      const response = await app.post('/v1/desk/bulk', body, key)
      assert.equal(response.status, 207, await response.clone().text())
      return (await response.json()) as {
        done: number
        refused: number
        data: { id: string; status: number; incident?: { status: string; undo: object }; problem?: { code: string } }[]
      }
    }

    it('answers each on its own, and a refused one affects no other', async () => {
      const made = [await ada.report(), await ada.report(), await ada.report()].map(({ id }) => id)
      await ada.done(made[1]!, 'confirm')
      await bola.done(made[2]!, 'claim')
      const { done, refused, data } = await bulk({ ids: [...made, 'inc_x'], move: 'reject', note: 'Not ours' })
      assert.deepEqual([done, refused], [1, 3])
      assert.deepEqual(
        data.map(({ status, problem }) => [status, problem?.code]),
        [
          [200, undefined],
          [409, 'not_in_this_state'],
          [409, 'claimed_by_another'],
          [404, 'not_found'],
        ],
      )
      assert.equal((await ada.history(made[0]!)).at(-1)!.note, 'Not ours')
      assert.equal((await bulk({ ids: [made[0]], move: 'reopen' })).data[0]!.incident!.status, 'reported')
      assert.equal((await bulk({ ids: [made[0]], move: 'claim' })).done, 1)
      assert.equal((await ada.read(made[0]!)).desk.claim!.by.name, 'Ada')
      assert.equal((await bulk({ ids: [made[0]], move: 'release' })).done, 1)
      assert.equal((await ada.read(made[0]!)).desk.claim, null)
      for (const move of ['claim', 'release'])
        assert.equal((await bulk({ ids: [made[2]], move })).data[0]!.problem!.code, 'claimed_by_another')
      assert.equal((await ada.read(made[2]!)).desk.claim!.by.name, 'Bola')
    })

    it('takes 200 and no more, each once', async () => {
      const made = []
      for (let batch = 0; batch < 200; batch++) made.push((await ada.report()).id)
      assert.equal((await bulk({ ids: made, move: 'confirm' })).done, 200)
      for (const ids of [[], [...made, 'inc_x'], [made[0], made[0]]]) {
        const response = await app.post('/v1/desk/bulk', { ids, move: 'confirm' }, ada.key)
        assert.equal((await problemOf(response)).status, 422)
      }
      const wrong = await app.post('/v1/desk/bulk', { ids: [made[0]], move: 'merge' }, ada.key)
      assert.equal((await problemOf(wrong)).status, 422)
    })
  })
})

describe('stream', () => {
  let app: TestApp
  let ada: Editor
  before(async () => {
    app = await startTestApp({}, { streams: { heartbeatIntervalMs: 50 } })
    ada = await Editor.join(app, 'Ada')
  })
  after(() => app[Symbol.asyncDispose]())

  interface Change {
    revision: number
    id: string
    status: string
    claim: { by: { name: string } } | null
  }

  function changesIn({ blocks }: StreamReader): Change[] {
    return blocks
      .filter((block) => block.includes('event: desk.changed'))
      .map((block) => {
        const change = JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as Change
        assert.match(block, new RegExp(`^id: ${change.revision}$`, 'm'))
        return change
      })
  }

  describe('the stream of the desk', () => {
    it('tells of arrivals, claims, decisions and notes, and sends heartbeats', async () => {
      await using stream = await readStream(`${app.url}/v1/desk/stream`, ada.key)
      assert.equal(stream.response.status, 200)
      const seen = async (what: (change: Change) => boolean) =>
        until(() => changesIn(stream).some(what), JSON.stringify(changesIn(stream)))
      const { id } = await ada.report()
      await seen((change) => change.id === id && change.status === 'reported')
      await ada.done(id, 'claim')
      await seen((change) => change.id === id && change.claim?.by.name === 'Ada')
      await ada.done(id, 'release')
      await until(() => changesIn(stream).findLast((change) => change.id === id)!.claim === null)
      await ada.done(id, 'notes', { note: 'Seen' })
      await ada.done(id, 'confirm')
      await seen((change) => change.id === id && change.status === 'confirmed' && change.claim === null)
      await until(() => stream.blocks.some((block) => block.includes('event: heartbeat')))
      const revisions = changesIn(stream).map(({ revision }) => revision)
      assert.deepEqual(
        revisions,
        revisions.toSorted((one, other) => one - other),
      )
    })

    it('continues after the last event: what changed meanwhile comes first, once, in its current state', async () => {
      const counts = (await (await app.get('/v1/desk/counts', ada.key)).json()) as { revision: number }
      const { id } = await ada.report()
      await ada.done(id, 'reject')
      await using stream = await readStream(`${app.url}/v1/desk/stream?last_event_id=${counts.revision}`, ada.key)
      await until(() => changesIn(stream).length > 0)
      assert.deepEqual(
        changesIn(stream).map((change) => [change.id, change.status]),
        [[id, 'rejected']],
      )
      await using ahead = await readStream(`${app.url}/v1/desk/stream`, ada.key, { 'last-event-id': '999999' })
      await until(() => changesIn(ahead).length > 0)
      const { revision } = (await (await app.get('/v1/desk/counts', ada.key)).json()) as { revision: number }
      const headers = { 'last-event-id': String(revision) }
      await using again = await readStream(`${app.url}/v1/desk/stream?last_event_id=0`, ada.key, headers)
      const next = await ada.report()
      await until(() => changesIn(again).length > 0)
      assert.equal(changesIn(again)[0]!.id, next.id, 'the header has the later position')
      const wrong = await app.get('/v1/desk/stream?last_event_id=x', ada.key)
      assert.equal((await problemOf(wrong)).code, 'invalid_parameter')
    })

    it('ends when its key is revoked', async () => {
      const bola = await Editor.join(app, 'Bola')
      await using stream = await readStream(`${app.url}/v1/desk/stream`, bola.key)
      await app.delete(`/v1/admin/keys/${bola.keyId}`, ada.key)
      await stream.ended
    })
  })
})

describe('claims', () => {
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
})
