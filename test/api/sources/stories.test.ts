import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newIdentifier } from '../../../src/domain/identifier.ts'
import type { IncidentCandidate } from '../../../src/domain/story.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { addUnplacedStory } from '../../support/desk.ts'

describe('unplaced stories', () => {
  let app: TestApp
  let editor: string
  let reporter: string
  before(async () => {
    app = await startTestApp()
    editor = (await app.issue({ scopes: ['read', 'report', 'review'] })).text
    reporter = (await app.issue({ scopes: ['read', 'report'] })).text
  })
  after(() => app[Symbol.asyncDispose]())

  const PATH = '/v1/desk/unplaced-stories'
  const close = (id: string, body: object, key = editor) => app.post(`${PATH}/${id}/close`, body, key)

  const addStory = (laterMs: number) => addUnplacedStory(app.store, laterMs)

  interface Page {
    readonly data: readonly { readonly id: string }[]
    readonly has_more: boolean
    readonly next_cursor: string | null
  }

  test('editors read stories without a place page by page, reporters do not', async () => {
    const ids = [await addStory(1), await addStory(2), await addStory(3)]
    const read = async (query: string) => (await (await app.get(`${PATH}?${query}`, editor)).json()) as Page
    const first = await read('limit=2')
    assert.deepEqual([first.data.map(({ id }) => id), first.has_more], [[ids[2], ids[1]], true])
    const second = await read(`limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual([second.data.map(({ id }) => id), second.next_cursor], [[ids[0]], null])
    assert.equal((await app.get(PATH, reporter)).status, 403)
    assert.equal((await close(ids[0]!, {}, reporter)).status, 403)
    assert.equal((await problemOf(await app.get(`${PATH}?cursor=x`, editor))).code, 'invalid_cursor')
    assert.equal((await problemOf(await app.get(`${PATH}?limit=0`, editor))).code, 'invalid_parameter')
  })

  test('a story is closed only with incidents that exist, and then nothing of it changes if one does not', async () => {
    const id = await addStory(4)
    const unknown = newIdentifier('incident', 0, randomBytes)
    for (const incident_ids of [[unknown], ['x'], 'x', Array.from({ length: 11 }, (_, n) => `${n}`)]) {
      const problem = await problemOf(await close(id, { incident_ids }))
      assert.equal(problem.code, 'invalid_body', JSON.stringify(incident_ids))
    }
    assert.equal((await close('itm_x', {})).status, 404)
    assert.equal((await close(newIdentifier('item', 0, randomBytes), {})).status, 404)
    assert.ok((await app.store.sources.openStories(null, 9)).some((story) => story.id === id))
    assert.equal((await close(id, {})).status, 204)
  })
})

describe('extract', () => {
  const STORY = 'Bandits on Tuesday killed nine people in Maradun, Zamfara State, and abducted 12 others.'
  let app: TestApp
  let editor: string
  before(async () => {
    app = await startTestApp()
    editor = (await app.issue({ scopes: ['read', 'review'] })).text
  })
  after(() => app[Symbol.asyncDispose]())

  async function candidates(body: object): Promise<IncidentCandidate[]> {
    const response = await app.post('/v1/desk/extract', body, editor)
    assert.equal(response.status, 200, await response.clone().text())
    return ((await response.json()) as { candidates: IncidentCandidate[] }).candidates
  }

  test('a story is read into candidates with their evidence', async () => {
    const [found, ...others] = await candidates({ text: STORY, published_at: '2026-11-11' })
    assert.deepEqual(others, [])
    assert.deepEqual(
      [found?.type, found?.state, found?.occurred_at, found?.casualties.killed, found?.casualties.abducted],
      ['banditry', 'Zamfara', '2026-11-10T00:00:00.000Z', 9, 12],
    )
    for (const { start, end, text } of found!.evidence) assert.equal(STORY.slice(start, end), text)
  })

  test('nothing found is an empty list', async () => {
    assert.deepEqual(await candidates({ text: 'The Super Eagles beat Ghana 2-0 in Uyo.' }), [])
  })

  test('a place that is a question has choices', async () => {
    const [found] = await candidates({ text: 'Gunmen killed two people in Ifelodun.' })
    assert.equal(found?.state, null)
    assert.deepEqual(found?.place_choices.map(({ state }) => state).sort(), ['Kwara', 'Osun'])
  })

  test('only editors may have stories read', async () => {
    const { text: reporter } = await app.issue({ scopes: ['read', 'report'] })
    assert.equal((await app.post('/v1/desk/extract', { text: STORY }, reporter)).status, 403)
    assert.equal((await app.post('/v1/desk/extract', { text: STORY }, null)).status, 401)
  })

  test('a story that is too long or a date that is none is refused, with the field', async () => {
    for (const [body, pointer] of [
      [{ text: 'x'.repeat(20_001) }, '/text'],
      [{ text: '' }, '/text'],
      [{ text: STORY, published_at: 'last Tuesday' }, '/published_at'],
      [{ text: STORY, langauge: 'en' }, '/langauge'],
    ] as const) {
      const response = await app.post('/v1/desk/extract', body, editor)
      const problem = await problemOf(response)
      assert.deepEqual(
        problem.errors?.map((error: { pointer?: string }) => error.pointer),
        [pointer],
      )
    }
  })
})
