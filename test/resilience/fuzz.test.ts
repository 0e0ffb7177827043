import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ExclusiveGate } from '../../resilience/fuzz/exclusive-gate.ts'
import { mostly } from '../../resilience/fuzz/generators/chance.ts'
import { hostileStrings } from '../../resilience/fuzz/generators/hostile-strings.ts'
import { LearnedValues } from '../../resilience/fuzz/generators/learned-values.ts'
import { anyRequest, type FuzzRequest } from '../../resilience/fuzz/generators/requests.ts'
import { OpenApiDocument } from '../../resilience/fuzz/openapi-document.ts'
import { ResponseChecker } from '../../resilience/fuzz/response-checker.ts'
import type { FuzzResponse } from '../../resilience/fuzz/sender.ts'
import { sendAndShrink } from '../../resilience/fuzz/shrink.ts'
import { openApi } from '../../src/api/contract/openapi.ts'
import fc from '../support/fast-check.ts'

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

const TEXTS = {
  operate: 'operate-key',
  watch: 'watch-key',
  read: 'read-key',
  publishable: 'publishable-key',
  originBound: 'origin-key',
  revoked: 'revoked-key',
  expired: 'expired-key',
}
const SOURCES = {
  document,
  learned: new LearnedValues([]),
  keys: { ids: [], texts: TEXTS, admin: 'admin-key' },
  urls: ['http://127.0.0.1:1/hook'],
  aim: [],
}
const requests = anyRequest(SOURCES)

async function firstOf(seed: number): Promise<FuzzRequest> {
  let first: FuzzRequest | null = null
  const send = async (request: FuzzRequest) => {
    first = request
    return null
  }
  assert.equal(await sendAndShrink(requests, seed, send, () => true), null)
  return first!
}

describe('hostile strings', () => {
  const spoiled = [...hostileStrings(document, new LearnedValues([]), 'Bearer x')]

  it('come in every operation that takes any, and one at a time', () => {
    const reached = new Set(spoiled.map(({ operation }) => operation.id))
    const taking = document.operations.filter(({ parameters, body }) => parameters.length > 0 || body !== null)
    assert.deepEqual(
      [...reached],
      taking.map(({ id }) => id),
    )
    for (const { target, body } of spoiled)
      assert.ok(!target.includes('%00') || !body?.toString().includes('\\u0000'), target)
  })

  it('reach members at any depth, names of members, and each parameter', () => {
    const sent = (id: string, part: RegExp) =>
      spoiled.some(({ operation, target, body }) => operation.id === id && part.test(`${target} ${body ?? ''}`))
    assert.ok(sent('createKey', /"email":"\\"x\\u0000y\\"@example.org"/))
    assert.ok(sent('createSession', /"passkey":\{"id":"[^"]*\\u0000/))
    assert.ok(sent('listAccounts', /email=[^&]*%00/))
    assert.ok(sent('readWatch', /\/v1\/watches\/[^ ]*%00/))
    assert.ok(sent('createWatch', /"filter":\{.*\\ud800/))
    assert.ok(sent('createTip', /"[^"]*\\u0000[^"]*":1/))
    assert.ok(sent('createReports', /"sources":\[\{.*"publisher":"[^"]*(é{60000}|\\udc00)/))
  })
})

describe('a random request', () => {
  it('is the same for the same seed', async () => {
    const withoutTime = ({ body: _, ...request }: FuzzRequest) => request
    for (const seed of [1, 2, -3]) assert.deepEqual(withoutTime(await firstOf(seed)), withoutTime(await firstOf(seed)))
    assert.notDeepEqual(await firstOf(1), await firstOf(2))
  })

  it('goes to the operation aimed at in most cases, and an unknown one is refused', () => {
    const aimed = fc.sample(anyRequest({ ...SOURCES, aim: ['readTrends'] }), { numRuns: 300, seed: 1 })
    const hits = aimed.filter(({ target }) => target.startsWith('/v1/trends')).length
    assert.ok(hits > 150 && hits < 300, `${hits} of 300`)
    assert.throws(() => anyRequest({ ...SOURCES, aim: ['readTrend'] }), /no operation is called readTrend/)
  })

  it('that fails is shrunk to the part that makes it fail', async () => {
    const fails = ({ target }: FuzzRequest) => target.startsWith('/v1/incidents?') && target.includes('min_severity=')
    let shrunk = null
    for (let seed = 0; shrunk === null; seed++) {
      const send = async (request: FuzzRequest) => (fails(request) ? { kind: 'a 500', response: '' } : null)
      shrunk = await sendAndShrink(requests, seed, send, () => true)
    }
    const { method, target, headers, body, disconnectsEarly } = shrunk.input
    assert.match(target, /^\/v1\/incidents\?min_severity=[^&]*$/)
    assert.deepEqual([method, body, disconnectsEarly], ['GET', null, false])
    assert.deepEqual(
      headers.map(([name]) => name),
      ['authorization', 'x-forwarded-for'],
    )
  })

  it('is not shrunk if its kind of failure is known', async () => {
    let sent = 0
    const send = async () => {
      sent++
      return { kind: 'a 500', response: '' }
    }
    const failed = await sendAndShrink(requests, 1, send, () => false)
    assert.deepEqual([failed?.failure.kind, failed?.attempts, sent], ['a 500', 0, 1])
  })
})

it('shrinking keeps to the first kind of failure', async () => {
  const send = async (number: number) => ({ kind: number > 100 ? 'large' : 'small', response: '' })
  const shrunk = await sendAndShrink(fc.integer({ min: 1000, max: 10_000 }), 1, send, () => true)
  assert.deepEqual([shrunk?.input, shrunk?.failure.kind], [1000, 'large'])
})

it('a usual value is generated with the remaining probability', () => {
  const values = fc.sample(fc.noBias(mostly(fc.constant('usual'), [0.2, fc.constant('other')])), {
    seed: 1,
    numRuns: 5000,
  })
  const share = values.filter((value) => value === 'usual').length / values.length
  assert.ok(share > 0.77 && share < 0.83, String(share))
})

it('work runs beside others, or alone', async () => {
  const gate = new ExclusiveGate()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} starts`)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    log.push(`${name} ends`)
  }
  await Promise.all([
    gate.runBesideOthers(work('one')),
    gate.runBesideOthers(work('two')),
    gate.runAlone(work('three')),
    gate.runBesideOthers(work('four')),
    gate.runAlone(work('five')),
  ])
  assert.deepEqual(log.slice(0, 6), ['one starts', 'two starts', 'one ends', 'two ends', 'three starts', 'three ends'])
  const rest = log.slice(6).map((line) => line.split(' ')[0])
  assert.equal(rest[0], rest[1])
  assert.equal(rest[2], rest[3])
})

it('a failure of work that ran alone lets the others continue', async () => {
  const gate = new ExclusiveGate()
  await assert.rejects(gate.runAlone(() => Promise.reject(new Error('no'))))
  assert.equal(await gate.runBesideOthers(async () => 1), 1)
})
