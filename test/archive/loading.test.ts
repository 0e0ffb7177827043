import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Archive } from '../../src/archive/archive.ts'
import { Columns, Dictionary } from '../../src/archive/columns/columns.ts'
import { countAt, decimalAt, FieldScanner, TextNumbers, timeAt } from '../../src/archive/loading/field-scanner.ts'
import { scanChunk, scanInThreads } from '../../src/archive/loading/scan.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { indexedFieldsOf } from '../../src/filter/filter.ts'
import type { DocumentChunk } from '../../src/store/store.ts'
import { EPOCH, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { anEvent, aSnapshot, emptyArchive } from '../support/archive.ts'
import fc, { anyText } from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { tries } from '../support/tier.ts'
import { answersOf } from './saved-scene.ts'

/** Reads the document between other bytes, as in a chunk; null if it has to be parsed. */
function scan(document: string) {
  const bytes = Buffer.from(`"lat":5,${document}{"id":"`)
  const columns = new Columns()
  // In a slot that has had another incident.
  columns.set(1, 'x'.repeat(26), { ...indexedFieldsOf(anIncident(7)), killed: 70_000, dataset: 'other' })
  const isRead = new FieldScanner(bytes, columns).scan(1, 8, bytes.length - 7)
  return isRead ? { id: `inc_${columns.suffixOf(1)}`, fields: columns.indexedFieldsOf(1) } : null
}

/** Texts that try to look like fields. */
const text = fc.oneof(
  anyText(),
  fc.constantFrom(
    '"lat":1',
    '\\"lat":1',
    '","occurred_at":"1999-01-01T00:00:00.000Z',
    '{"id":"x"',
    '\\',
    '"',
    '\\\\"confidence":0,',
    '"published_at":"2001-01-01"',
    '"casualties":{"killed":7,"injured":8,"abducted":9}',
  ),
)

test('the fields read from the bytes equal those of the parsed document, whatever its texts contain', () => {
  fc.assert(
    fc.property(incidentParts, text, text, text, fc.nat(1000), (parts, summary, place, publisher, number) => {
      const plain = incidentFrom(parts, number)
      const incident: Incident = {
        ...plain,
        summary,
        location: { ...plain.location, place },
        sources: [{ url: place, publisher, published_at: '2000-01-01T00:00:00.000Z' }],
        confidence_reasons: [{ reason: summary, value: publisher, weight: 0.1 }],
      }
      assert.deepEqual(scan(JSON.stringify(incident)), { id: incident.id, fields: indexedFieldsOf(incident) })
    }),
    { numRuns: tries(2000) },
  )
})

test('reads where an incident comes from, with an attribution or without', () => {
  const plain = anIncident(1)
  const { casualties, ...rest } = plain
  const { occurred_at, ...after } = rest
  for (const credit of [
    { dataset: 'ucdp' },
    { dataset: 'ucdp', attribution: 'The "dataset": ucdp, [2026]' },
    { attribution: '"dataset":"acled"' },
  ]) {
    const head = Object.fromEntries(Object.entries(after).slice(0, Object.keys(after).indexOf('sources') + 1))
    const tail = Object.fromEntries(Object.entries(after).slice(Object.keys(after).indexOf('sources') + 1))
    const incident = { ...head, ...credit, casualties, occurred_at, ...tail } as Incident
    assert.deepEqual(scan(JSON.stringify(incident)), { id: incident.id, fields: indexedFieldsOf(incident) })
  }
})

test('a document in another form is left to a parser', () => {
  const incident = anIncident(1, { lga: null, location: { ...anIncident().location, lga_code: null } })
  const turned = Object.fromEntries(Object.entries(incident).toReversed())
  for (const document of [
    JSON.stringify(incident, null, 2),
    JSON.stringify(turned),
    JSON.stringify(incident).replace('NG-KD', 'NG\\u002dKD'),
    JSON.stringify(incident).replace('"injured":2', '"injured":20e-1'),
    JSON.stringify(incident).replace('"id":"inc_', '"id":"inc\\u005f'),
    JSON.stringify(incident).replace('"precision":"', '"precision":"un'),
  ]) {
    assert.equal(scan(document), null, document)
    if (document.includes('"un')) continue
    const bytes = Buffer.from(document)
    const chunk = scanChunk({ bytes, ends: Uint32Array.of(bytes.length) })
    const columns = new Columns()
    columns.append(0, chunk.columns)
    assert.equal(`inc_${columns.suffixOf(0)}`, incident.id)
    assert.deepEqual(columns.indexedFieldsOf(0), indexedFieldsOf(incident))
  }
})

test('a document that is not public has no fields', () => {
  const bytes = Buffer.from(JSON.stringify(anIncident(1, { status: 'reported', published_at: null })))
  assert.throws(() => scanChunk({ bytes, ends: Uint32Array.of(bytes.length) }), /is not published/)
})

/** The value between others, as in a document. */
const within = (json: string) => Buffer.from(`:${json},"next":"1`)

test('numbers are read as JSON.parse reads them, or not at all', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.integer({ min: -180_000_000, max: 180_000_000 }).map((units) => units / 1e6),
    fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  )
  fc.assert(
    fc.property(number, (value) => {
      const json = JSON.stringify(value)
      const read = decimalAt(within(json), 1)
      assert(Object.is(read, JSON.parse(json)) || (Number.isNaN(read) && json.includes('e')), `${json} was ${read}`)
    }),
    { numRuns: tries(5000) },
  )
  for (const json of ['null', '"1"', '1e3', '', '5.', '1.2.3', '--1'])
    assert.equal(decimalAt(within(json), 1), Number.NaN, json)
})

test('counts are read, null too', () => {
  for (const [json, count] of [
    ['0', 0],
    ['12', 12],
    ['null', null],
    ['-1', Number.NaN],
    ['1.5', Number.NaN],
    ['2e1', Number.NaN],
    ['1234567890123456', Number.NaN],
  ] as const)
    assert.equal(countAt(within(json), 1), count, json)
})

test('times are read as Date.parse reads them', () => {
  const bytesOf = (text: string) => Buffer.from(`"${text}","next":"1`)
  const read = (text: string) => timeAt(bytesOf(text), 1, text.length + 12)
  fc.assert(
    fc.property(fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      assert.equal(read(date.toISOString()), date.getTime())
      const inSeconds = date.toISOString().replace(/\.\d+Z/, 'Z')
      assert.equal(read(inSeconds), Date.parse(inSeconds))
    }),
    { numRuns: tries(5000) },
  )
  for (const text of [
    '2026-02-29T00:00:00.000Z',
    '2026-02-31T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00+',
    '2026-01-01T00:00:00.000+01:00',
    '2026-01-01',
    'yesterday',
    '2026-01-0\\u0031T00:00:00Z',
  ])
    assert.equal(read(text), Date.parse(text), text)
})

function reading(dictionary: Dictionary) {
  const numbers = new TextNumbers(dictionary)
  return (json: string) => {
    const bytes = Buffer.from(json)
    return numbers.numberAt(bytes, 1, bytes.length)
  }
}

test('texts are read up to their quote, whether seen before or not', () => {
  const dictionary = new Dictionary(['NG-KN', ''])
  const read = reading(dictionary)
  for (const text of ['NG-KD', 'NG-KD', 'NG-KN', 'NG-KN', '', 'a longer text', 'NG-KD'])
    assert.equal(dictionary.textOf(read(`"${text}","x"`)), text)
  assert.deepEqual(dictionary.texts, ['NG-KN', '', 'NG-KD', 'a longer text'])
})

test('escapes, other bytes and a text without an end are left to a parser', () => {
  const dictionary = new Dictionary()
  for (const json of ['"a\\n"', '"Ọ̀ṣun"', '"unended']) assert.equal(reading(dictionary)(json), -1, json)
  assert.equal(dictionary.size, 0)
})

test('two texts with the same hash stay two', () => {
  // FNV-1a without an offset has the same hash for a text and for it after zero bytes.
  const dictionary = new Dictionary()
  const read = reading(dictionary)
  const texts = ['\0Kaduna', 'Kaduna', '\0Kaduna', 'Kaduna']
  assert.deepEqual(
    texts.map((text) => dictionary.textOf(read(`"${text}"`))),
    texts,
  )
})

test('more texts than there are entries keep their numbers', () => {
  const dictionary = new Dictionary()
  const read = reading(dictionary)
  for (let round = 0; round < 2; round++)
    for (let number = 0; number < 9000; number++) assert.equal(read(`"text ${number}"`), number)
})

const incidents = fc
  .sample(incidentParts, { numRuns: 400, seed: 64 })
  .map(incidentFrom)
  .toSorted((one, other) => (`${one.published_at}${one.id}` < `${other.published_at}${other.id}` ? -1 : 1))
const NOW = EPOCH + 20 * 86_400_000
const ids = incidents.map(({ id }) => id)

async function chunksIn(threadFrom: number): Promise<unknown[]> {
  const chunks: unknown[] = []
  for await (const chunk of scanInThreads(aSnapshot(incidents, 30).chunks, threadFrom))
    chunks.push({ ...chunk, bytes: Buffer.from(chunk.bytes) })
  return chunks
}

test('threads read the same from documents as this one does', async () => {
  const here = await chunksIn(Number.POSITIVE_INFINITY)
  assert.equal(here.length, 14)
  assert.deepEqual(await chunksIn(0), here)
  assert.deepEqual(await chunksIn(100), here)
})

test('a loaded archive answers as one that has followed the log, in whichever order the documents come', async () => {
  const followed = await emptyArchive()
  followed.apply(incidents.map((incident, index) => anEvent(index + 1, incident)))
  followed.forgetMonthVersions()
  const expected = JSON.parse(answersOf(followed, ids, NOW)) as unknown[]
  for (const given of [incidents, incidents.toReversed()]) {
    const loaded = await Archive.load(aSnapshot(given, 70))
    const found = JSON.parse(answersOf(loaded, ids, NOW)) as unknown[]
    // The first is the head, which a snapshot of the test does not date; answers have its time.
    assert.deepEqual(found.slice(1, 3), expected.slice(1, 3))
    assert.deepEqual(found.slice(4), expected.slice(4))
  }
})

test('a document that cannot be read ends the load with its error, and the threads with it', async () => {
  async function* chunks(): AsyncGenerator<DocumentChunk> {
    yield { bytes: Buffer.from('{"id":'), ends: Uint32Array.of(6) }
  }
  const scanned = scanInThreads(chunks(), 0)
  await assert.rejects(Array.fromAsync(scanned), SyntaxError)
  await assert.rejects(Archive.load({ ...aSnapshot([]), chunks: chunks() }), SyntaxError)
})
