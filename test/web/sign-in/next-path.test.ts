import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextPath } from '../../../web/sign-in/next-path.ts'

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
