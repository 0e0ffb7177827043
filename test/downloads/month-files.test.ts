import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { FILE_FORMATS, type MonthEntry, type MonthFile, MonthFiles } from '../../src/downloads/month-files.ts'
import { monthOf } from '../../src/lib/calendar.ts'
import { until } from '../support/app.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
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
