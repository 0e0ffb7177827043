import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newIdentifier } from '../../../src/domain/identifier.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { addUnplacedStory } from '../../support/desk.ts'

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
