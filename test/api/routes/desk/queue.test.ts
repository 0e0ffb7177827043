import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../../../support/app.ts'
import { Editor } from '../../../support/desk.ts'

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
    ['gonin', { state: 'Kaduna', lga: 'Chikun', place: 'Gonin Gora', summary: 'Ìwọ́de at Gọnin-Gora', casualties: {} }],
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
