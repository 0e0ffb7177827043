import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { ENDPOINTS } from '../../src/contract/contract.ts'
import { readStream } from '../../src/contract/stream.ts'
import { startTestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

const REQUESTS = 20_000

const NAMES = [...new Set(ENDPOINTS.flatMap(({ query = {} }) => Object.keys(query)))]

/** Texts that have broken something before, and texts that nearly mean something. */
const awkward = fc.constantFrom(
  ...[
    '',
    ' ',
    '%',
    '%00',
    '%ff',
    '\u0000',
    '\ud800',
    '‮',
    '💥',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '-0',
    '1e309',
    '0x10',
    '../../etc/passwd',
  ],
  ...[
    "' OR 1=1 --",
    '<script>',
    'Kaduna',
    'kaduna,lagos',
    'Surulere',
    'NG-KD',
    'kidnapping',
    'critical',
    '24h',
    '99999999w',
    '2026-01-01',
    '9999-12-31T23:59:59Z',
  ],
  ...[
    '7,10,8,11',
    '10.5,7.4',
    '180,90,180,90',
    '0.5',
    '50',
    '1000',
    'oldest',
    anIncident(1).id,
    ',',
    ',,,,',
    'x'.repeat(3000),
  ],
)
const text = fc.oneof(
  awkward,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double().map(String),
  fc.date({ noInvalidDate: false }).map(String),
)
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, text)
const query = fc.array(fc.tuple(name, text), { maxLength: 5 })
const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...ENDPOINTS.flatMap(({ path, aliases = [] }) => [path, ...aliases]),
      '/',
      '/docs',
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/signup/{token}',
    ),
  },
  { weight: 1, arbitrary: text.map((any) => `/${any}`) },
)
const signUp = fc.record(
  { email: fc.oneof(text, fc.constant('a@example.org')), name: text, kind: text },
  { requiredKeys: ['email'] },
)
/** What each endpoint says would be right. */
const EXAMPLES = ENDPOINTS.flatMap(({ body: declared }) => {
  const { example } = (declared ?? {}) as { example?: unknown }
  return example === undefined ? [] : [JSON.stringify(example)]
})
const body = fc.oneof(
  fc.constantFrom(...EXAMPLES),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  text,
  signUp.map((value) => JSON.stringify(value)),
  fc.constant('{"email":"a@example.org"}'),
)
const header = fc.constantFrom(
  'accept',
  'accept-encoding',
  'if-none-match',
  'origin',
  'content-type',
  'idempotency-key',
  'authorization',
  'x-forwarded-for',
  'range',
  'last-event-id',
)

const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS')
/** An endpoint by its own method as often as anything by any. */
const target = fc.oneof(
  fc.constantFrom(...ENDPOINTS).map((declared): [string, string] => [declared.method, declared.path]),
  fc.tuple(method, path),
)

const request = fc.record({
  target,
  inPath: text,
  query,
  rawQuery: fc.option(text, { freq: 6 }),
  body,
  json: fc.boolean(),
  withKey: fc.boolean(),
  headers: fc.array(
    fc.tuple(
      header,
      text.map((any) => any.replaceAll(/[^\x20-\x7e]/g, '')),
    ),
    { maxLength: 2 },
  ),
})

/** A stream has no end: its reader leaves. */
async function bodyOf(response: LightMyRequestResponse): Promise<string> {
  if (response.headers['content-type'] !== readStream.answer.contentType)
    return response.payload ?? readText(response.stream())
  response.raw.res.destroy()
  return ''
}

test(`${REQUESTS} random requests give no 5xx, and every refusal is a problem response`, async () => {
  // No name is looked up off this machine.
  const lookup: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '', 0)
  await using app = await startTestApp({ SIGNUPS_PER_HOUR: '1000000' }, { lookup })
  await app.publish(Array.from({ length: 20 }, (_, number) => anIncident(number)))
  const { text: key } = await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(request, async ({ target: [method, path], ...asked }) => {
      const url = encodeURI(path.replaceAll(/\{\w+\}/g, encodeURIComponent(asked.inPath.toWellFormed())).toWellFormed())
      const search =
        asked.rawQuery?.replaceAll(/[^\x21-\x7e]/g, '') ??
        new URLSearchParams(asked.query.map(([one, other]) => [one.toWellFormed(), other.toWellFormed()])).toString()
      const headers = Object.fromEntries([
        ...(asked.withKey ? [['authorization', `Bearer ${key}`]] : []),
        ...(asked.json ? [['content-type', 'application/json']] : []),
        ...asked.headers,
      ]) as Record<string, string>
      const response = await app.app.server.inject({
        method: method as 'GET',
        url: `${url}?${search}`,
        headers,
        ...(['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { payload: asked.body }),
        payloadAsStream: path === readStream.path,
      })
      const { statusCode } = response
      const body = await bodyOf(response)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
      assert.ok(statusCode < 500, `${statusCode}: ${body.slice(0, 500)}`)
      const isPage = String(response.headers['content-type']).startsWith('text/html')
      if (statusCode >= 400 && method !== 'HEAD' && !isPage) {
        assert.equal(response.headers['content-type'], 'application/problem+json; charset=utf-8')
        assert.equal((JSON.parse(body) as { status: number }).status, statusCode)
      }
    }),
    { numRuns: REQUESTS },
  )
  // A fuzz that only ever met one refusal would prove nothing.
  for (const status of [200, 201, 400, 401, 404, 405, 415, 422])
    assert.ok(statuses.has(status), `no ${status} among ${[...statuses.keys()]}`)
})
