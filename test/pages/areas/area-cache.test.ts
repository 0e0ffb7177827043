import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlicedQueries } from '../../../src/archive/sliced-queries.ts'
import { AreaCache, type AreaDocument } from '../../../src/pages/areas/content/area-cache.ts'
import { anEvent, emptyArchive } from '../../support/archive.ts'
import { anAsker } from '../../support/asker.ts'
import { anIncident } from '../../support/incident.ts'

interface TextDocument extends AreaDocument {
  readonly text: string
}

const write = (text: string, { size = 100, validUntil = Number.POSITIVE_INFINITY } = {}) =>
  // biome-ignore lint/correctness/useYield: a document that needs one step
  function* () {
    return { text, size, validUntil }
  }
const showing = ({ state }: { state: string }) => ['NG', state]

test('a document is kept until an event of its area, or until its time is over', async () => {
  const archive = await emptyArchive()
  const cache = new AreaCache<TextDocument>(new SlicedQueries(), showing, ['en', 'ha'])
  const textOf = async (code: string, form: string, text: string, now = 0, validUntil = 1000) =>
    (await cache.getDocument(archive, code, form, now, anAsker, write(text, { validUntil }))).text
  for (const code of ['NG', 'NG-KD', 'NG-LA'])
    for (const form of ['en', 'ha']) assert.equal(await textOf(code, form, `${code} ${form}`), `${code} ${form}`)
  assert.equal(await textOf('NG-KD', 'en', 'again'), 'NG-KD en')
  archive.apply([anEvent(1, anIncident(1))])
  assert.equal(await textOf('NG-LA', 'en', 'again'), 'NG-LA en')
  assert.equal(await textOf('NG-LA', 'ha', 'again'), 'NG-LA ha')
  assert.equal(await textOf('NG-KD', 'en', 'again'), 'again')
  assert.equal(await textOf('NG-KD', 'ha', 'again'), 'again')
  assert.equal(await textOf('NG', 'ha', 'again'), 'again')
  assert.equal(await textOf('NG-LA', 'en', 'tomorrow', 1000, 2000), 'tomorrow')
  assert.equal(await textOf('NG-LA', 'ha', 'other archive'), 'NG-LA ha')
  const other = await emptyArchive()
  assert.equal((await cache.getDocument(other, 'NG-LA', 'ha', 0, anAsker, write('new'))).text, 'new')
})

test('documents and their keys stay within the bound', async () => {
  const archive = await emptyArchive()
  const cache = new AreaCache<TextDocument>(new SlicedQueries(), showing, ['en'], 100_000)
  for (let number = 0; number < 300; number++)
    await cache.getDocument(archive, `NG-${number}`, 'en', 0, anAsker, write('', { size: 3000 }))
  assert.ok(cache.size > 90_000 && cache.size <= 100_000, `${cache.size} bytes`)
})
