import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { chunksOf, sliceChunks } from '../../src/downloads/chunks.ts'
import { GzipFiles, gzipChunks, MonthFileCache, WrittenFiles } from '../../src/downloads/month-file-cache.ts'
import { FILE_FORMATS, type MonthEntry, type MonthFile, MonthFiles } from '../../src/downloads/month-files.ts'
import { csvRecord } from '../../src/formats/csv.ts'
import { geojsonFeature, LAYOUTS } from '../../src/formats/layouts.ts'
import { monthOf } from '../../src/lib/calendar.ts'
import { until } from '../support/app.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const JANUARY = Date.UTC(2026, 0, 10)
const MARCH = Date.UTC(2026, 2, 10)
const LONG = 60_000

const at = (number: number, time: number, changes = {}) =>
  anIncident(number, { published_at: new Date(time + number * 1000).toISOString(), ...changes })

async function filled(count: number) {
  const archive = await emptyArchive()
  const incidents = Array.from({ length: count }, (_, number) => at(number, number % 2 === 0 ? JANUARY : MARCH))
  archive.apply(incidents.map((incident, index) => anEvent(index + 1, incident)))
  return { archive, files: new MonthFiles(archive) }
}

const contentOf = async (file: MonthFile) => Buffer.concat(await Array.fromAsync(file.chunks('a test')))

const isComplete = (entries: readonly MonthEntry[]) =>
  entries.every(({ files }) => FILE_FORMATS.every((format) => files[format] !== null))

test('lists the sizes and hashes of the bytes that are downloaded', async () => {
  const { files } = await filled(30)
  const index = await files.listMonths(LONG)
  assert.deepEqual(
    index.map(({ month, incidents }) => [month, incidents]),
    [
      [monthOf(MARCH), 15],
      [monthOf(JANUARY), 15],
    ],
  )
  for (const { month, files: digests } of index) {
    for (const format of FILE_FORMATS) {
      const file = (await files.openMonth(month, format))!
      const bytes = await contentOf(file)
      assert.deepEqual(digests[format], {
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
    }
  }
})

test('an event changes only the files of its month', async () => {
  const { archive, files } = await filled(30)
  const before = await files.listMonths(LONG)
  archive.apply([anEvent(31, at(1, MARCH, { version: 2, summary: 'Corrected.' }), 'incident.updated')])
  const after = await files.listMonths(LONG)
  assert.deepEqual(after[1], before[1])
  for (const format of FILE_FORMATS) assert.notEqual(after[0]!.files[format]!.sha256, before[0]!.files[format]!.sha256)
})

test('lists unknown digests as null when it must not wait, and knows them later', async () => {
  const { files } = await filled(3000)
  const first = await files.listMonths(0)
  assert.deepEqual([first.length, isComplete(first)], [2, false])
  await until(async () => isComplete(await files.listMonths(0)))
})

test('an opened file stays unchanged when its month changes', async () => {
  const { archive, files } = await filled(30)
  const file = (await files.openMonth(monthOf(JANUARY), 'csv'))!
  archive.apply([anEvent(31, at(2, JANUARY, { version: 2, status: 'retracted' }), 'incident.retracted')])
  const bytes = await contentOf(file)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256)
  assert.notEqual((await files.openMonth(monthOf(JANUARY), 'csv'))!.sha256, file.sha256)
})

test('a file that was opened before is the same, and another one after a change', async () => {
  const { archive, files } = await filled(3000)
  for (const format of FILE_FORMATS) {
    const [first, second] = [
      await files.openMonth(monthOf(MARCH), format),
      await files.openMonth(monthOf(MARCH), format),
    ]
    const content = await contentOf(first!)
    assert.ok(content.length > 500_000)
    assert.ok((await contentOf(second!)).equals(content))
  }
  archive.apply([anEvent(3001, at(1, MARCH, { version: 2, summary: 'Corrected.' }), 'incident.updated')])
  for (const format of FILE_FORMATS) {
    const content = await contentOf((await files.openMonth(monthOf(MARCH), format))!)
    assert.ok(content.includes('Corrected.'), format)
  }
})

test('a month without incidents has no file', async () => {
  const { files } = await filled(3)
  assert.equal(await files.openMonth(monthOf(Date.UTC(2026, 1, 1)), 'ndjson'), null)
})

test('stopping ends the computation of digests', async () => {
  const { files } = await filled(3000)
  const index = files.listMonths(LONG)
  files[Symbol.dispose]()
  assert.equal(isComplete(await index), false)
})

test('the cache keeps no more memory than it counts', () => {
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

async function* streamOf(chunks: readonly Uint8Array[]) {
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
      assert.ok((await joined(files.read('month.csv', 1, () => streamOf(chunks)))).equals(whole))
      assert.ok((await joined(files.read('month.csv', 1, neverAgain))).equals(whole))
      assert.equal(files.size > 0, whole.length > 0)
    }),
    { numRuns: 60 },
  )
})

test('a file of another version is written, and replaces the one before', async () => {
  const files = new WrittenFiles()
  const read = async (version: number, text: string) =>
    (await joined(files.read('month.csv', version, () => streamOf([Buffer.from(text)])))).toString()
  assert.equal(await read(1, 'one'), 'one')
  assert.equal(await read(2, 'two'), 'two')
  assert.equal(await read(2, 'not read'), 'two')
  assert.equal(await read(1, 'one again'), 'one again')
})

test('a written file that was not read to its end is not kept, and one that is too large neither', async () => {
  const files = new WrittenFiles()
  const text = Buffer.from('a'.repeat(400_000))
  for await (const part of files.read('left.csv', 1, () => streamOf([text, text]))) {
    assert.ok(part.length > 0)
    break
  }
  assert.equal(files.size, 0)
  const random = randomBytes(5 << 20)
  assert.ok((await joined(files.read('large.csv', 1, () => streamOf([random])))).equals(random))
  assert.equal(files.size, 0)
  await joined(files.read('left.csv', 1, () => streamOf([text])))
  assert.ok(files.size > 0, 'it can be gathered again after it was left')
})

test('of many slow readers only some have their file gathered, and all get it whole', async () => {
  const files = new WrittenFiles()
  const content = (number: number) => randomBytes(200_000).fill(number, 0, 100)
  const contents = Array.from({ length: 8 }, (_, number) => content(number))
  const readers = contents.map((bytes, number) =>
    files.read(`${number}.csv`, 1, () => streamOf([bytes.subarray(0, 150_000), bytes.subarray(150_000)])),
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
  assert.equal((await joined(files.read('month.csv', 1, () => streamOf([Buffer.from('b')])))).toString(), 'b')
})

const HEADER_BYTES = 10
const TRAILER_BYTES = 8
const atOnce = <Result>(compression: () => Promise<Result>) => compression()

test('any content is one gzip member, which a reader of gzip reads back', async () => {
  const chunk = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(20_000))
    .map(([pattern, times]) => Buffer.concat(Array(times).fill(pattern)))
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), async (chunks) => {
      const packed = await joined(gzipChunks(streamOf(chunks), atOnce))
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
    return streamOf([Buffer.from(text)])
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

test('a gzip file that was not read to its end is not kept, and one that is too large neither', async () => {
  const files = new GzipFiles(atOnce)
  const text = Buffer.from('a'.repeat(400_000))
  for await (const part of files.read('left.csv', '1', () => streamOf([text, text]))) {
    assert.ok(part.length > 0)
    break
  }
  assert.equal(files.size, 0)
  const random = Buffer.alloc(5 << 20)
  for (let at = 0, state = 1; at < random.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    random[at] = state >>> 24
  }
  assert.ok(gunzipSync(await joined(files.read('large.csv', '1', () => streamOf([random])))).equals(random))
  assert.equal(files.size, 0)
  await joined(files.read('left.csv', '1', () => streamOf([text])))
  assert.ok(files.size > 0, 'it can be gathered again after it was left')
})

test('what cannot be read fails the download, and the next one works', async () => {
  const files = new GzipFiles(atOnce)
  const failing = async function* () {
    yield Buffer.from('a')
    throw new Error('lost')
  }
  await assert.rejects(joined(files.read('month.csv', '1', failing)), { message: 'lost' })
  const again = await joined(files.read('month.csv', '1', () => streamOf([Buffer.from('a')])))
  assert.equal(gunzipSync(again).toString(), 'a')
})

const INCIDENTS = Array.from({ length: 700 }, (_, number) =>
  anIncident(number, { summary: number === 300 ? 'ẹ'.repeat(100_000) : `Number ${number}, ẹ̀kọ́.` }),
)
const archive = await emptyArchive()
archive.apply(INCIDENTS.map((incident, index) => anEvent(index + 1, incident)))
const pinned = archive.pinMonth(monthOf(Date.parse(INCIDENTS[0]!.published_at!)))

test('the chunks of a file add up to the whole, and none is large', () => {
  const textOf = (format: 'ndjson' | 'csv' | 'geojson') => {
    const chunks = [...chunksOf(pinned, LAYOUTS[format])]
    assert.ok(chunks.length > 3)
    assert.equal(chunks.filter((chunk) => chunk.length > 200_000).length, 1, 'only the one with the long summary')
    return Buffer.concat(chunks).toString()
  }
  assert.equal(textOf('ndjson'), INCIDENTS.map((incident) => `${JSON.stringify(incident)}\n`).join(''))
  const [header, ...records] = textOf('csv').split('\r\n')
  assert.match(header!, /^id,type,/)
  assert.deepEqual(records, [...INCIDENTS.map(csvRecord), ''])
  assert.equal(
    textOf('geojson'),
    `{"type":"FeatureCollection","features":[${INCIDENTS.map(geojsonFeature).join(',')}]}`,
  )
})

test('any range of the bytes of a file is returned', async () => {
  const chunk = fc.uint8Array({ maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), fc.nat(40), fc.nat(40), async (chunks, start, length) => {
      const whole = Buffer.concat(chunks)
      const sliced = await Array.fromAsync(sliceChunks(Readable.from(chunks), start, start + length))
      assert.deepEqual(Buffer.concat(sliced), whole.subarray(start, start + length))
    }),
  )
})
