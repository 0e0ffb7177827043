import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rank, type SearchEntry } from '../../web/docs/search.ts'
import { nextPath } from '../../web/sign-in/next-path.ts'

const ORIGIN = 'https://feed.example'

const taken = ['/desk', '/desk?status=reported&q=a%20b#top', '/', '/nigeria/kaduna', '/a//b', '/@evil.example']
for (const path of taken)
  test(`after signing in, ${path} is opened`, () => {
    assert.equal(nextPath(path, ORIGIN), path)
  })

const refused = [
  null,
  '',
  'desk',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  'https://evil.example/',
  'https://feed.example/desk',
  'javascript:alert(1)',
  ' /desk',
  '/\t/evil.example',
  '/\n/evil.example',
  '/sign-in',
  '/sign-in?next=/desk',
  '/..//evil.example',
  '/a/../..//evil.example',
  '/%2e%2e//evil.example',
]
for (const path of refused)
  test(`after signing in, ${JSON.stringify(path)} is not opened`, () => {
    assert.equal(nextPath(path, ORIGIN), null)
  })

const ENTRIES: readonly SearchEntry[] = [
  ['Webhooks', 'Guide', '/docs/webhooks', 'signature secret retry watch'],
  ['Verifying a signature', 'Webhooks', '/docs/webhooks#verifying', ''],
  ['Watch for incidents', 'POST /v1/watches', '/docs/reference/watches#createWatch', 'createWatch'],
  ['rate_limited', 'Error 429', '/docs/errors#error-rate_limited', 'Too many requests'],
]
const addresses = (question: string) => rank(ENTRIES, question).map(([, , address]) => address)

test('a word of the title comes before a word of the text', () => {
  assert.deepEqual(addresses('signature'), ['/docs/webhooks#verifying', '/docs/webhooks'])
})
test('beginnings of words suffice, and all words must be there', () => {
  assert.deepEqual(addresses('wat inc'), ['/docs/reference/watches#createWatch'])
  assert.deepEqual(addresses('watch nothing'), [])
})
test('codes, paths and ids are found however they are written', () => {
  assert.deepEqual(addresses('rate_limited'), ['/docs/errors#error-rate_limited'])
  assert.deepEqual(addresses('/v1/watches'), ['/docs/reference/watches#createWatch'])
  assert.deepEqual(addresses('429'), ['/docs/errors#error-rate_limited'])
})
test('an empty question finds nothing', () => assert.deepEqual(addresses('  '), []))
