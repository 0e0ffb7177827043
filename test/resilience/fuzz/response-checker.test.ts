import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OpenApiDocument } from '../../../resilience/fuzz/openapi-document.ts'
import { ResponseChecker } from '../../../resilience/fuzz/response-checker.ts'
import type { FuzzResponse } from '../../../resilience/fuzz/sender.ts'
import { openApi } from '../../../src/api/contract/openapi.ts'

const document = new OpenApiDocument(
  openApi('1', 'http://localhost') as unknown as ConstructorParameters<typeof OpenApiDocument>[0],
)
const checker = new ResponseChecker(document)
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
  last_used_at: null,
  requests_last_30_days: 0,
}

function problemIn(id: string | null, method: string, response: Partial<Omit<FuzzResponse, 'body'>>, body: unknown) {
  const operation = document.operations.find((one) => one.id === id) ?? null
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return checker.findProblem(
    { operation, method, target: '/', body: null },
    { status: 200, headers: JSON_TYPE, complete: true, ...response, body: bytes },
  )
}

describe('the response checker accepts', () => {
  const cases: [string, string | null, string, Partial<FuzzResponse>, unknown][] = [
    ['a documented response', 'revokeKey', 'DELETE', {}, KEY],
    ['a documented error', 'revokeKey', 'DELETE', { status: 404, headers: PROBLEM_TYPE }, PROBLEM],
    ['a response without a body', 'deleteWatch', 'DELETE', { status: 204, headers: {} }, ''],
    ['an error where no operation is documented', null, 'PUT', { status: 404, headers: PROBLEM_TYPE }, PROBLEM],
    [
      'the beginning of a stream',
      'readStream',
      'GET',
      { headers: { 'content-type': 'text/event-stream' }, complete: false },
      ': hello\n\nid: 1\nda',
    ],
  ]
  for (const [what, id, method, response, body] of cases)
    it(what, () => assert.equal(problemIn(id, method, response, body), null))
})

describe('the response checker finds', () => {
  const cases: [string, string | null, string, Partial<FuzzResponse>, unknown, RegExp][] = [
    ['a 500', 'revokeKey', 'DELETE', { status: 500, headers: PROBLEM_TYPE }, PROBLEM, /^status 500/],
    ['an undocumented status', 'revokeKey', 'DELETE', { status: 202 }, KEY, /status 202 is not documented/],
    [
      'an undocumented media type',
      'revokeKey',
      'DELETE',
      { headers: { 'content-type': 'text/plain' } },
      KEY,
      /as text\/plain is not documented/,
    ],
    ['a missing field', 'revokeKey', 'DELETE', {}, { ...KEY, hint: undefined }, /must have required property 'hint'/],
    ['a value of the wrong type', 'revokeKey', 'DELETE', {}, { ...KEY, name: 7 }, /\/name must be/],
    ['a value outside its enum', 'revokeKey', 'DELETE', {}, { ...KEY, kind: 'dead' }, /\/kind must be/],
    ['an invalid time', 'revokeKey', 'DELETE', {}, { ...KEY, created_at: 'soon' }, /\/created_at must match format/],
    ['a body that is not JSON', 'revokeKey', 'DELETE', {}, '{"id":', /the body is not JSON/],
    ['a body with a 204', 'deleteWatch', 'DELETE', { status: 204, headers: {} }, 'x', /a body with status 204/],
    [
      'an error that is not a problem document',
      'revokeKey',
      'DELETE',
      { status: 404 },
      PROBLEM,
      /instead of application\/problem\+json/,
    ],
    [
      'a problem document with another status',
      'revokeKey',
      'DELETE',
      { status: 403, headers: PROBLEM_TYPE },
      PROBLEM,
      /the body says 404/,
    ],
    [
      'a problem document with another request id',
      null,
      'PUT',
      { status: 404, headers: { ...PROBLEM_TYPE, 'x-request-id': 'req_2' } },
      PROBLEM,
      /request_id differs/,
    ],
    [
      'an undocumented error code',
      null,
      'PUT',
      { status: 404, headers: PROBLEM_TYPE },
      { ...PROBLEM, code: 'gone' },
      /\/code must be/,
    ],
    [
      'an invalid line in an event stream',
      'readStream',
      'GET',
      { headers: { 'content-type': 'text/event-stream' }, complete: false },
      'oops\n\n',
      /not valid in an event stream/,
    ],
    [
      'an NDJSON line that is not JSON',
      'downloadMonth',
      'GET',
      { headers: { 'content-type': 'application/x-ndjson' } },
      '{}\n{',
      /a line is not JSON/,
    ],
  ]
  for (const [what, id, method, response, body, problem] of cases)
    it(what, () => assert.match(problemIn(id, method, response, body) ?? 'nothing', problem))
})
