import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ifRangeMatches, parseRange } from '../../src/api/downloads.ts'
import { problemFrom } from '../../src/api/problem.ts'
import { QueryClient } from '../../src/api/request.ts'
import { CachedBody } from '../../src/api/response.ts'
import { StoreFull, StoreUnavailable } from '../../src/store/store.ts'

describe('cached body', () => {
  const TIME = '2026-11-16T04:00:00.000Z'
  const LATER = '2031-01-02T23:59:59.999Z'
  const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Uint8Array) => Buffer.from(bytes) }

  /** A long body that ends with a time, and the position of that time. */
  function bodyWithTime(rows: number, after = '"}}'): { body: Buffer; stampAt: number } {
    const data = Array.from(
      { length: rows },
      (_, row) => `{"id":${row},"summary":"Gunmen attacked ${(row * 7919) % 10_007}"}`,
    )
    const before = `{"data":[${data.join(',')}],"meta":{"in_step_at":"`
    return { body: Buffer.from(`${before}${'0'.repeat(TIME.length)}${after}`), stampAt: Buffer.byteLength(before) }
  }

  describe('a cached body with a time', () => {
    for (const encoding of ['br', 'gzip', 'identity'] as const) {
      const decode = async (cached: CachedBody) => DECODERS[encoding](await cached.encodedAs(encoding)).toString()

      for (const [rows, after] of [
        [0, '"}}'],
        [1, '"}}'],
        [5000, '"}}'],
        [50, `"}}${' '.repeat(65_000)}`],
      ] as const) {
        it(`is stamped in ${encoding}, with ${rows} rows before and ${after.length} bytes after it`, async () => {
          const { body, stampAt } = bodyWithTime(rows, after)
          const unstamped = body.toString()
          const cached = new CachedBody(body, 'an etag', stampAt)
          for (const time of [TIME, LATER, TIME]) {
            cached.stamp(time)
            assert.equal(await decode(cached), unstamped.replace('0'.repeat(TIME.length), time))
            assert.equal(cached.body.toString(), unstamped.replace('0'.repeat(TIME.length), time))
          }
          assert.equal(cached.etag, 'an etag')
        })
      }

      it(`leaves bytes in ${encoding} alone that are being sent`, async () => {
        const { body, stampAt } = bodyWithTime(100)
        const cached = new CachedBody(body, 'an etag', stampAt)
        cached.stamp(TIME)
        const sending = Buffer.from(await cached.encodedAs(encoding))
        const bytes = await cached.encodedAs(encoding)
        cached.stamp(LATER)
        assert.ok(sending.equals(bytes))
        assert.ok(!sending.equals(await cached.encodedAs(encoding)))
      })
    }

    it('is compressed once, whatever the times', async () => {
      const { body, stampAt } = bodyWithTime(100)
      const cached = new CachedBody(body, 'an etag', stampAt)
      cached.stamp(TIME)
      const compressing = cached.encodedAs('gzip')
      assert.ok(compressing instanceof Promise)
      assert.equal(cached.encodedAs('gzip'), compressing)
      cached.stamp(LATER)
      assert.match(gunzipSync(await compressing).toString(), new RegExp(LATER))
      assert.ok(!(cached.encodedAs('gzip') instanceof Promise))
    })

    it('without a position is never changed', async () => {
      const body = Buffer.from(`{"summary":"${'0'.repeat(TIME.length)}"}`)
      const cached = new CachedBody(body)
      cached.stamp(TIME)
      assert.equal(cached.body, body)
      assert.equal(gunzipSync(await cached.encodedAs('gzip')).toString(), body.toString())
    })
  })
})

describe('problem response', () => {
  it('distinguishes a full disk from an unreachable database', () => {
    const full = problemFrom(new StoreFull('SQLITE_FULL'))
    assert.deepEqual([full.code, full.headers], ['store_full', { 'retry-after': '30' }])
    assert.match(full.message, /disk .* is full\. Nothing was written; reads still work/)
    const away = problemFrom(new StoreUnavailable('SQLITE_BUSY'))
    assert.deepEqual([away.code, away.headers], ['store_unavailable', { 'retry-after': '5' }])
  })

  it('blames a body that ends early on the client', () => {
    const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 })
    assert.equal(problemFrom(aborted).code, 'malformed_request')
  })

  it('blames an unexpected error on the service', () => {
    assert.equal(problemFrom(new TypeError('x is undefined')).code, 'internal')
    assert.equal(problemFrom(Object.assign(new Error('busy'), { statusCode: 500 })).code, 'internal')
  })
})

describe('range', () => {
  const SIZE = 1000
  const CASES: [string | undefined, ReturnType<typeof parseRange>][] = [
    [undefined, null],
    ['bytes=0-499', { start: 0, end: 500 }],
    ['bytes=500-', { start: 500, end: 1000 }],
    ['bytes=999-999', { start: 999, end: 1000 }],
    ['bytes=0-99999', { start: 0, end: 1000 }],
    ['bytes=-1', { start: 999, end: 1000 }],
    ['bytes=-5000', { start: 0, end: 1000 }],
    ['Bytes=0-0', { start: 0, end: 1 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=1000-2000', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', null],
    ['bytes=2000-1500', null],
    ['bytes=0-1,5-6', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
    ['rows=0-1', null],
  ]

  for (const [header, expected] of CASES) {
    test(`Range: ${header} of ${SIZE} bytes`, () => assert.deepEqual(parseRange(header, SIZE), expected))
  }

  test('If-Range uses the strong comparison', () => {
    assert.ok(ifRangeMatches(undefined, '"a"'))
    assert.ok(ifRangeMatches('"a"', '"a"'))
    for (const other of ['W/"a"', '"b"', 'a', 'Sun, 15 Nov 2026 05:00:00 GMT']) assert.ok(!ifRangeMatches(other, '"a"'))
  })
})

describe('asker', () => {
  function anOpenReply(): { raw: EventEmitter; asker: QueryClient } {
    const raw = Object.assign(new EventEmitter(), { destroyed: false })
    return { raw, asker: new QueryClient({} as FastifyRequest, { raw } as unknown as FastifyReply) }
  }

  test('the signal is aborted when the connection closes; many questions of one request share it', () => {
    const { raw, asker } = anOpenReply()
    const signals = Array.from({ length: 50 }, () => asker.signal())
    assert.equal(raw.listenerCount('close'), 1)
    assert.equal(signals[0]!.aborted, false)
    raw.emit('close')
    assert.ok(signals.every((signal) => signal.aborted))
  })

  test('a request whose connection is closed already is aborted at once', () => {
    const raw = Object.assign(new EventEmitter(), { destroyed: true })
    const asker = new QueryClient({} as FastifyRequest, { raw } as unknown as FastifyReply)
    assert.equal(asker.signal().aborted, true)
  })
})
