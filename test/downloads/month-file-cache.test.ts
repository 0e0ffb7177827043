import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { GzipFiles, gzipChunks, MonthFileCache, WrittenFiles } from '../../src/downloads/month-file-cache.ts'
import fc from '../support/fast-check.ts'

test('keeps no more memory than it counts', () => {
  const files = new MonthFileCache()
  const chunk = new Uint8Array(1000)
  const gathered = files.gather('month.csv', 1)!
  gathered.add(chunk.subarray(0, 100))
  gathered.add(Buffer.from('a'.repeat(50)))
  gathered.keep()
  const parts = files.partsOf('month.csv', 1)!
  assert.equal(files.size, 150)
  assert.deepEqual(
    parts.map(({ buffer }) => buffer.byteLength),
    [100, 50],
  )
  chunk.fill(7)
  assert.ok(parts[0]!.every((byte) => byte === 0))
})

async function* chunksOf(chunks: readonly Uint8Array[]) {
  yield* chunks
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}

test('any content is the same when it is kept', async () => {
  const chunk = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(20_000))
    .map(([pattern, times]) => Buffer.concat(Array(times).fill(pattern)))
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), async (chunks) => {
      const files = new WrittenFiles()
      const neverAgain = () => assert.fail('it is kept')
      const whole = Buffer.concat(chunks)
      assert.ok((await joined(files.read('month.csv', 1, () => chunksOf(chunks)))).equals(whole))
      assert.ok((await joined(files.read('month.csv', 1, neverAgain))).equals(whole))
      assert.equal(files.size > 0, whole.length > 0)
    }),
    { numRuns: 60 },
  )
})

test('a file of another version is written, and replaces the one before', async () => {
  const files = new WrittenFiles()
  const read = async (version: number, text: string) =>
    (await joined(files.read('month.csv', version, () => chunksOf([Buffer.from(text)])))).toString()
  assert.equal(await read(1, 'one'), 'one')
  assert.equal(await read(2, 'two'), 'two')
  assert.equal(await read(2, 'not read'), 'two')
  assert.equal(await read(1, 'one again'), 'one again')
})

test('a file that was not read to its end is not kept, and one that is too large neither', async () => {
  const files = new WrittenFiles()
  const text = Buffer.from('a'.repeat(400_000))
  for await (const part of files.read('left.csv', 1, () => chunksOf([text, text]))) {
    assert.ok(part.length > 0)
    break
  }
  assert.equal(files.size, 0)
  const random = randomBytes(5 << 20)
  assert.ok((await joined(files.read('large.csv', 1, () => chunksOf([random])))).equals(random))
  assert.equal(files.size, 0)
  await joined(files.read('left.csv', 1, () => chunksOf([text])))
  assert.ok(files.size > 0, 'it can be gathered again after it was left')
})

test('of many slow readers only some have their file gathered, and all get it whole', async () => {
  const files = new WrittenFiles()
  const content = (number: number) => randomBytes(200_000).fill(number, 0, 100)
  const contents = Array.from({ length: 8 }, (_, number) => content(number))
  const readers = contents.map((bytes, number) =>
    files.read(`${number}.csv`, 1, () => chunksOf([bytes.subarray(0, 150_000), bytes.subarray(150_000)])),
  )
  const firsts = await Promise.all(readers.map((reader) => reader.next()))
  for (const [number, reader] of readers.entries()) {
    const whole = Buffer.concat([firsts[number]!.value as Uint8Array, await joined(reader)])
    assert.ok(whole.equals(contents[number]!))
  }
  assert.ok(files.size > 4 * 200_000 && files.size < 5 * 200_000, `${files.size} bytes are kept`)
})

test('what cannot be written fails the download, and the next one works', async () => {
  const files = new WrittenFiles()
  const failing = async function* () {
    yield Buffer.from('a')
    throw new Error('lost')
  }
  await assert.rejects(joined(files.read('month.csv', 1, failing)), { message: 'lost' })
  assert.equal((await joined(files.read('month.csv', 1, () => chunksOf([Buffer.from('b')])))).toString(), 'b')
})

const HEADER_BYTES = 10
const TRAILER_BYTES = 8
const atOnce = <Result>(compression: () => Promise<Result>) => compression()

test('any content is one member, which a reader of gzip reads back', async () => {
  const chunk = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(20_000))
    .map(([pattern, times]) => Buffer.concat(Array(times).fill(pattern)))
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), async (chunks) => {
      const packed = await joined(gzipChunks(chunksOf(chunks), atOnce))
      assert.ok(gunzipSync(packed).equals(Buffer.concat(chunks)))
      // Browsers stop at the end of the first member.
      const deflated = packed.subarray(HEADER_BYTES)
      const { engine } = inflateRawSync(deflated, { info: true }) as unknown as { engine: { bytesWritten: number } }
      assert.equal(engine.bytesWritten, deflated.length - TRAILER_BYTES)
    }),
    { numRuns: 60 },
  )
})

test('a file is compressed once, until its content is another', async () => {
  const files = new GzipFiles(atOnce)
  let reads = 0
  const read = (text: string) => () => {
    reads++
    return chunksOf([Buffer.from(text)])
  }
  const content = async (sha256: string, text: string) =>
    gunzipSync(await joined(files.read('month.csv', sha256, read(text)))).toString()
  assert.equal(await content('1', 'one'), 'one')
  assert.equal(await content('1', 'one'), 'one')
  assert.equal(reads, 1)
  assert.equal(await content('2', 'two'), 'two')
  assert.equal(await content('2', 'two'), 'two')
  assert.equal(reads, 2)
})

test('a file that was not read to its end is not kept, and one that is too large neither', async () => {
  const files = new GzipFiles(atOnce)
  const text = Buffer.from('a'.repeat(400_000))
  for await (const part of files.read('left.csv', '1', () => chunksOf([text, text]))) {
    assert.ok(part.length > 0)
    break
  }
  assert.equal(files.size, 0)
  const random = Buffer.alloc(5 << 20)
  for (let at = 0, state = 1; at < random.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    random[at] = state >>> 24
  }
  assert.ok(gunzipSync(await joined(files.read('large.csv', '1', () => chunksOf([random])))).equals(random))
  assert.equal(files.size, 0)
  await joined(files.read('left.csv', '1', () => chunksOf([text])))
  assert.ok(files.size > 0, 'it can be gathered again after it was left')
})

test('what cannot be read fails the download, and the next one works', async () => {
  const files = new GzipFiles(atOnce)
  const failing = async function* () {
    yield Buffer.from('a')
    throw new Error('lost')
  }
  await assert.rejects(joined(files.read('month.csv', '1', failing)), { message: 'lost' })
  const again = await joined(files.read('month.csv', '1', () => chunksOf([Buffer.from('a')])))
  assert.equal(gunzipSync(again).toString(), 'a')
})
