import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { IncidentCandidate } from '../../../../src/domain/story.ts'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'

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
