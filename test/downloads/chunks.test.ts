import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { chunksOf, sliceChunks } from '../../src/downloads/chunks.ts'
import { csvRecord } from '../../src/formats/csv.ts'
import { geojsonFeature, LAYOUTS } from '../../src/formats/layouts.ts'
import { monthOf } from '../../src/lib/calendar.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

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

test('returns any range of the bytes', async () => {
  const chunk = fc.uint8Array({ maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), fc.nat(40), fc.nat(40), async (chunks, start, length) => {
      const whole = Buffer.concat(chunks)
      const sliced = await Array.fromAsync(sliceChunks(Readable.from(chunks), start, start + length))
      assert.deepEqual(Buffer.concat(sliced), whole.subarray(start, start + length))
    }),
  )
})
