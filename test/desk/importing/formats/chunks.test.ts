import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Position, type Row, UnreadableFile } from '../../../../src/desk/importing/formats/format.ts'
import { FORMATS, type FormatName } from '../../../../src/desk/importing/import.ts'
import fc from '../../../support/fast-check.ts'
import {
  acledRow,
  collectionOf,
  csvOf,
  featureOf,
  foreignFeature,
  incidents,
  ndjsonOf,
  ownRow,
  plainRow,
  rowsOf,
  ucdpRow,
} from './fixtures.ts'

const text = 'a, "b"\nÖn'
const FILES: Record<FormatName, readonly string[]> = {
  ucdp: [csvOf([1, 2, 3, 4].map((id) => ucdpRow({ id, where_description: id % 2 === 0 ? text : 'x' })))],
  acled: [
    csvOf(
      [1, 2, 3, 4].map((id) => acledRow({ event_id_cnty: `NIG${id}`, notes: text })),
      '\n',
    ),
  ],
  csv: [
    csvOf([1, 2, 3, 4].map((id) => plainRow({ source_id: id, place: text }))),
    csvOf(incidents(3).map(ownRow)),
    csvOf(
      [1, 2, 3].map((id) => plainRow({ source_id: id, place: 'x' })),
      '\r',
    ),
  ],
  geojson: [
    collectionOf(incidents(3).map(featureOf)),
    `\ufeff${incidents(3)
      .map((incident) => `\u001e${JSON.stringify(featureOf(incident), null, 1)}\n`)
      .join('')}`,
    JSON.stringify([1, 2, 3].map((id) => foreignFeature({ source_id: `acme:${id}`, place: text }))),
    [1, 2].map((page) => collectionOf([foreignFeature({ source_id: `acme:${page}` })])).join('\n'),
  ],
  ndjson: [
    ndjsonOf(incidents(4)),
    ndjsonOf(incidents(3)).replaceAll('\n', '\r\n\r\n'),
    ndjsonOf(incidents(3)).replaceAll('\n', '\r'),
  ],
}

const BYTES = Buffer.from('"",\n\r;\0{}[]:\\\x1e\xe9x', 'latin1')
const edit = fc.record({
  at: fc.nat(),
  remove: fc.integer({ min: 0, max: 3 }),
  insert: fc.array(fc.constantFrom(...BYTES), { maxLength: 3 }),
})

function edited(file: string, edits: readonly { at: number; remove: number; insert: number[] }[]): Buffer {
  let bytes = Buffer.from(file)
  for (const { at, remove, insert } of edits) {
    const place = at % (bytes.length + 1)
    bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(insert), bytes.subarray(place + remove)])
  }
  return bytes
}

/** The result of reading: the rows, or the reason why the file cannot be read. */
async function reading(
  name: FormatName,
  bytes: Buffer,
  lengths: readonly number[],
  after?: Position,
): Promise<Row[] | string> {
  try {
    return await rowsOf(FORMATS[name], bytes, { after }, lengths)
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
}

const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 })

for (const name of Object.keys(FILES) as FormatName[]) {
  suite(`${name}, whole and damaged`, () => {
    const file = fc.record({
      file: fc.constantFrom(...FILES[name]),
      edits: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 4, arbitrary: fc.array(edit, { maxLength: 3 }) },
      ),
      lengths,
      resumed: fc.nat(),
    })

    test('reads the same rows with any chunk sizes, and from any row on', async () => {
      await fc.assert(
        fc.asyncProperty(file, async ({ file, edits, lengths, resumed }) => {
          const bytes = edited(file, edits)
          const whole = await reading(name, bytes, [bytes.length + 1])
          assert.deepEqual(await reading(name, bytes, lengths), whole)
          if (typeof whole === 'string' || whole.length < 2) return
          const last = resumed % (whole.length - 1)
          assert.deepEqual(await reading(name, bytes, lengths, whole[last]!), whole.slice(last + 1))
        }),
        { numRuns: 200 },
      )
    })

    test('numbers rows upwards, with offsets that grow to the end of the file', async () => {
      for (const file of FILES[name]) {
        const rows = await rowsOf(FORMATS[name], file)
        assert.deepEqual(
          rows.filter(({ kind }) => kind === 'rejected'),
          [],
        )
        for (const [index, { row, offset }] of rows.entries()) {
          const before = rows[index - 1] ?? { row: 0, offset: 0 }
          assert.ok(row > before.row && offset > before.offset && offset <= Buffer.byteLength(file))
        }
      }
    })
  })
}
