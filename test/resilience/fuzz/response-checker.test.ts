import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Document } from '../../../resilience/fuzz/openapi-document.ts'
import { Judge } from '../../../resilience/fuzz/response-checker.ts'
import type { FuzzAnswer } from '../../../resilience/fuzz/sender.ts'
import { openApi } from '../../../src/contract/openapi.ts'

const document = new Document(openApi('1', 'http://localhost') as unknown as ConstructorParameters<typeof Document>[0])
const judge = new Judge(document)
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const PROBLEM_TYPE = { 'content-type': 'application/problem+json', 'x-request-id': 'req_1' }
const PROBLEM = {
  type: '/docs#error-not_found',
  title: 'Not found',
  status: 404,
  detail: 'There is no such key.',
  code: 'not_found',
  request_id: 'req_1',
}
const KEY = {
  id: 'key_1',
  kind: 'live',
  name: null,
  hint: 'abcd',
  scopes: ['read'],
  origins: [],
  created_at: '2026-01-01T00:00:00Z',
  expires_at: null,
  revoked_at: null,
}

function faultOf(id: string | null, method: string, answer: Partial<Omit<FuzzAnswer, 'body'>>, body: unknown) {
  const operation = document.operations.find((one) => one.id === id) ?? null
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return judge.faultIn({ operation, method }, { status: 200, headers: JSON_TYPE, whole: true, ...answer, body: bytes })
}

describe('the judge lets pass', () => {
  const cases: [string, string | null, string, Partial<FuzzAnswer>, unknown][] = [
    ['what the document has', 'revokeKey', 'DELETE', {}, KEY],
    ['a refusal that it names', 'revokeKey', 'DELETE', { status: 404, headers: PROBLEM_TYPE }, PROBLEM],
    ['an answer without a body', 'deleteWatch', 'DELETE', { status: 204, headers: {} }, ''],
    ['a refusal where it has nothing', null, 'PUT', { status: 404, headers: PROBLEM_TYPE }, PROBLEM],
    [
      'the beginning of a stream',
      'readStream',
      'GET',
      { headers: { 'content-type': 'text/event-stream' }, whole: false },
      ': hello\n\nid: 1\nda',
    ],
  ]
  for (const [what, id, method, answer, body] of cases)
    it(what, () => assert.equal(faultOf(id, method, answer, body), null))
})

describe('the judge notices', () => {
  const cases: [string, string | null, string, Partial<FuzzAnswer>, unknown, RegExp][] = [
    ['a 500', 'revokeKey', 'DELETE', { status: 500, headers: PROBLEM_TYPE }, PROBLEM, /^a 500/],
    ['a status', 'revokeKey', 'DELETE', { status: 202 }, KEY, /202 that the document does not name/],
    ['a type', 'revokeKey', 'DELETE', { headers: { 'content-type': 'text/plain' } }, KEY, /as text\/plain/],
    [
      'a field that is missing',
      'revokeKey',
      'DELETE',
      {},
      { ...KEY, hint: undefined },
      /must have required property 'hint'/,
    ],
    ['a value of another type', 'revokeKey', 'DELETE', {}, { ...KEY, name: 7 }, /\/name must be/],
    ['a value that is not in its list', 'revokeKey', 'DELETE', {}, { ...KEY, kind: 'dead' }, /\/kind must be/],
    [
      'a time that is none',
      'revokeKey',
      'DELETE',
      {},
      { ...KEY, created_at: 'soon' },
      /\/created_at must match format/,
    ],
    ['a body that is not JSON', 'revokeKey', 'DELETE', {}, '{"id":', /not JSON/],
    ['a body where there is none', 'deleteWatch', 'DELETE', { status: 204, headers: {} }, 'x', /a body with a 204/],
    ['a refusal as JSON', 'revokeKey', 'DELETE', { status: 404 }, PROBLEM, /not as a problem/],
    [
      'a refusal of another status',
      'revokeKey',
      'DELETE',
      { status: 403, headers: PROBLEM_TYPE },
      PROBLEM,
      /whose body says 404/,
    ],
    [
      'a refusal with another id',
      null,
      'PUT',
      { status: 404, headers: { ...PROBLEM_TYPE, 'x-request-id': 'req_2' } },
      PROBLEM,
      /request id/,
    ],
    [
      'a code that is not in the list',
      null,
      'PUT',
      { status: 404, headers: PROBLEM_TYPE },
      { ...PROBLEM, code: 'gone' },
      /\/code must be/,
    ],
    [
      'a line that no stream has',
      'readStream',
      'GET',
      { headers: { 'content-type': 'text/event-stream' }, whole: false },
      'oops\n\n',
      /no event stream/,
    ],
    [
      'a line that is not JSON',
      'downloadMonth',
      'GET',
      { headers: { 'content-type': 'application/x-ndjson' } },
      '{}\n{',
      /line that is not JSON/,
    ],
  ]
  for (const [what, id, method, answer, body, fault] of cases)
    it(what, () => assert.match(faultOf(id, method, answer, body) ?? 'nothing', fault))
})
