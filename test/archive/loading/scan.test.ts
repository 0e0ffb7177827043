import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Archive } from '../../../src/archive/archive.ts'
import { scanInThreads } from '../../../src/archive/loading/scan.ts'
import type { DocumentChunk } from '../../../src/store/store.ts'
import { EPOCH, incidentFrom, incidentParts } from '../../support/arbitrary.ts'
import { anEvent, aSnapshot, emptyArchive } from '../../support/archive.ts'
import fc from '../../support/fast-check.ts'
import { answersOf } from '../saved-scene.ts'

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
