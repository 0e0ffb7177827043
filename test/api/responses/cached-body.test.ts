import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { CachedBody } from '../../../src/api/response.ts'

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
