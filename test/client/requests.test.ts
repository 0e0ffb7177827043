import assert from 'node:assert/strict'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { backOffMs, delayBeforeRetry, retryAfterSeconds } from '../../client/src/http/retry.ts'
import {
  IncidentFeed,
  NetworkError,
  PositionLostError,
  ProblemError,
  seqOf,
  TimeoutError,
} from '../../client/src/index.ts'
import { receive } from '../support/receivers.ts'

type Answer = (response: ServerResponse) => void

const ok: Answer = (response) => response.end('{"data":[],"has_more":false,"next_cursor":null}')
const cut: Answer = (response) => response.destroy()
const silent: Answer = () => {}
const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body)
const problem = (code: number, name: string): Answer =>
  status(code, { 'content-type': 'application/problem+json' }, JSON.stringify({ code: name, detail: 'No.' }))

/**
 * A service that gives these answers, one after the other, and the headers of what it was asked.
 */
async function answering(answers: readonly Answer[]) {
  const asked: { method: string; headers: IncomingHttpHeaders }[] = []
  const receiver = await receive((request, response) => {
    request.resume()
    asked.push({ method: request.method!, headers: request.headers })
    answers[Math.min(asked.length, answers.length) - 1]!(response)
  })
  const feed = new IncidentFeed({ key: 'inf_live_x', baseUrl: `http://127.0.0.1:${receiver.port}/`, timeoutMs: 30_000 })
  return { feed, asked, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() }
}

test('a read is repeated after a cut, a 503 and a 429, and then answered', async () => {
  await using service = await answering([
    cut,
    status(503, { 'retry-after': '0' }),
    status(429, { 'retry-after': '0' }),
    ok,
  ])
  assert.deepEqual((await service.feed.incidents.page()).data, [])
  assert.equal(service.asked.length, 4)
  assert.equal(service.asked[3]!.headers.authorization, 'Bearer inf_live_x')
})

test('a POST is repeated with the same key, which differs from call to call', async () => {
  await using service = await answering([cut, problem(409, 'idempotency_key_in_use'), ok, ok, ok])
  await service.feed.watches.retry('wat_1')
  await service.feed.watches.retry('wat_1')
  await service.feed.watches.retry('wat_1', { idempotencyKey: 'mine' })
  const keys = service.asked.map(({ headers }) => headers['idempotency-key'])
  assert.deepEqual([keys[0], keys[1]], [keys[2], keys[2]])
  assert.match(keys[0] as string, /^[0-9a-f]{32}$/)
  assert.notEqual(keys[3], keys[0])
  assert.equal(keys[4], 'mine')
})

test('a POST that only reads has no key, and is repeated too', async () => {
  await using service = await answering([cut, ok])
  await service.feed.incidents.page({ route: { line: [[7, 9], [7, 10]], buffer_km: 5 } }) // biome-ignore format: a line
  assert.deepEqual(
    service.asked.map(({ headers }) => headers['idempotency-key']),
    [undefined, undefined],
  )
})

test('a PATCH whose answer was lost is not repeated; one that was refused for the pace is', async () => {
  await using lost = await answering([cut, ok])
  await assert.rejects(lost.feed.watches.update('wat_1', { status: 'paused' }), NetworkError)
  assert.equal(lost.asked.length, 1)
  await using paced = await answering([status(429, { 'retry-after': '0' }), ok])
  await paced.feed.watches.update('wat_1', { status: 'paused' })
  assert.equal(paced.asked.length, 2)
})

test('a DELETE whose answer was lost has deleted', async () => {
  await using service = await answering([cut, problem(404, 'not_found')])
  assert.equal(await service.feed.watches.delete('wat_1'), undefined)
  await using missing = await answering([problem(404, 'not_found')])
  await assert.rejects(missing.feed.watches.delete('wat_1'), { status: 404, code: 'not_found' })
})

test('what is wrong with the request is thrown at once', async () => {
  await using service = await answering([problem(403, 'insufficient_scope')])
  await assert.rejects(service.feed.me(), { name: 'ProblemError', code: 'insufficient_scope', detail: 'No.' })
  assert.equal(service.asked.length, 1)
})

test('a wait that is too long is left to the caller, who is told its length', async () => {
  await using service = await answering([status(429, { 'retry-after': '3600' })])
  await assert.rejects(service.feed.me(), { status: 429, retryAfterSeconds: 3600, code: null })
  assert.equal(service.asked.length, 1)
})

test('an error page of a proxy is a ProblemError without a code', async () => {
  await using service = await answering([status(502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>')])
  await assert.rejects(service.feed.me({ maxRetries: 0 }), (error) => {
    assert.ok(error instanceof ProblemError)
    assert.deepEqual([error.status, error.code, error.errors], [502, null, []])
    return true
  })
})

test('a stream goes on with the id of its last event, and ends if the service has lost it', async () => {
  const event = (id: string) =>
    `id: ${id}\nevent: incident.created\ndata: ${JSON.stringify({ seq: 7, position: id })}\n\n`
  const lost = { code: 'position_lost', detail: 'No.', resume_after: '5.BBBBBBBBBBB' }
  await using service = await answering([
    status(200, { 'content-type': 'text/event-stream' }, event('7.AAAAAAAAAAA')),
    status(410, { 'content-type': 'application/problem+json' }, JSON.stringify(lost)),
  ])
  const stream = service.feed.stream({}, { after: 6, reconnectMs: 1 })
  assert.equal((await stream.next()).value!.position, '7.AAAAAAAAAAA')
  await assert.rejects(stream.next(), (error) => {
    assert.ok(error instanceof PositionLostError)
    assert.deepEqual([error.resumeAfter, seqOf(error.resumeAfter)], ['5.BBBBBBBBBBB', 5])
    return true
  })
  assert.deepEqual(
    service.asked.map(({ headers }) => headers['last-event-id']),
    ['6', '7.AAAAAAAAAAA'],
  )
})

test('a list that was begun before a loss has no position to go on from', async () => {
  await using service = await answering([problem(410, 'position_lost')])
  await assert.rejects(service.feed.incidents.page({ cursor: 'x' }), { name: 'ProblemError', code: 'position_lost' })
})

test('silence ends with a TimeoutError, an abort with the reason given', async () => {
  await using service = await answering([silent])
  await assert.rejects(service.feed.me({ timeoutMs: 500, maxRetries: 1 }), TimeoutError)
  assert.equal(service.asked.length, 2)
  const reason = new Error('the page was left')
  await assert.rejects(service.feed.me({ signal: AbortSignal.abort(reason) }), reason)
  assert.equal(service.asked.length, 2)
  const controller = new AbortController()
  const pending = service.feed.me({ signal: controller.signal })
  controller.abort(reason)
  await assert.rejects(pending, reason)
})

test('an abort ends the wait before a retry', async () => {
  await using service = await answering([status(429, { 'retry-after': '59' })])
  const controller = new AbortController()
  const pending = service.feed.me({ signal: controller.signal })
  while (service.asked.length === 0) await new Promise(setImmediate)
  controller.abort()
  await assert.rejects(pending, { name: 'AbortError' })
})

test('nobody at the address is a NetworkError that says so', async () => {
  await using service = await answering([ok])
  await service[Symbol.asyncDispose]()
  await assert.rejects(service.feed.me({ maxRetries: 0 }), (error) => {
    assert.ok(error instanceof NetworkError)
    assert.match(error.message, /ECONNREFUSED/)
    return true
  })
})

test('the pauses grow, by chance, up to a bound, and honour Retry-After', () => {
  const failed = { status: 503, code: null, retryAfterSeconds: null }
  const pauses = [1, 2, 3, 4, 5, 6].map((attempts) => delayBeforeRetry(failed, attempts, true, () => 1))
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 8000])
  assert.equal(
    backOffMs(3, 500, 8000, () => 0),
    1000,
  )
  assert.equal(
    delayBeforeRetry({ ...failed, retryAfterSeconds: 5 }, 1, true, () => 0),
    5000,
  )
  assert.equal(
    delayBeforeRetry(failed, 1, false, () => 0),
    null,
  )
  assert.equal(
    delayBeforeRetry({ ...failed, code: 'starting' }, 1, false, () => 0),
    250,
  )
  const now = Date.parse('2026-05-01T06:00:00Z')
  const headers = ['7', 'Fri, 01 May 2026 06:00:10 GMT', 'Fri, 01 May 2026 05:00:00 GMT', 'soon', null]
  assert.deepEqual(headers.map((header) => retryAfterSeconds(header, now)), [7, 10, 0, null, null]) // biome-ignore format: a table
})
