import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import pino from 'pino'
import type { StartOptions } from '../../src/app.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident, incidentId } from '../support/incident.ts'

const KEEPING = { minIncidents: 10, eventsBetweenSaves: 5, firstSaveAfterMs: 0, saveAtStopMs: 1500 }
const IN_FILES = { ...KEEPING, documentBytes: 0, slabBytes: 4 << 10 }
const NAME = 'Hauwa Tsamiya'
const incidents = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => anIncident(from + index, { summary: `${NAME} was seen.` }))

async function openScene() {
  const folder = await temporaryFolder()
  const database = join(folder.path, 'feed.db')
  const operatorKey = generateKey('live', randomBytes)
  const lines: string[] = []
  const sink = new Writable({
    write(line: Buffer, _, done) {
      lines.push(String(JSON.parse(line.toString()).msg))
      done()
    },
  })
  const logger = pino({ level: 'info' }, sink)
  return {
    path: `${database}.snapshot`,
    folder: folder.path,
    operatorKey,
    lines,
    start: (settings: Record<string, string> = {}, options: StartOptions = {}): Promise<TestApp> =>
      startTestApp(
        { DATABASE_URL: `sqlite:${database}`, OPERATOR_KEY: operatorKey, ...settings },
        { keeping: KEEPING, logger, ...options },
      ),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

async function filesWith(path: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(path)) if ((await readFile(join(path, name))).includes(text)) found.push(name)
  return found
}

const isSaved = (path: string) => existsSync(join(path, 'manifest'))

describe('the archive is saved for the next start', () => {
  it('after a start and after some events; the next start uses it and follows the log', async () => {
    await using scene = await openScene()
    {
      await using app = await scene.start()
      await app.publish(incidents(0, 30))
      await until(() => isSaved(scene.path))
    }
    await using app = await scene.start()
    assert.ok(scene.lines.includes('loaded the saved archive'), scene.lines.join('; '))
    assert.equal(app.archive.size, 30)
    const response = await app.get(`/v1/incidents/${incidentId(7)}`)
    assert.equal(((await response.json()) as { summary: string }).summary, `${NAME} was seen.`)
  })

  it('at a stop, but not if it is small', async () => {
    await using scene = await openScene()
    const atStop = { ...KEEPING, firstSaveAfterMs: 600_000 }
    {
      await using app = await scene.start({}, { keeping: { ...atStop, minIncidents: 100 } })
      await app.publish(incidents(0, 30))
    }
    assert.equal(isSaved(scene.path), false)
    {
      await using app = await scene.start({}, { keeping: atStop })
      assert.equal(app.archive.size, 30)
    }
    assert.equal(isSaved(scene.path), true)
  })

  for (const [form, keeping] of Object.entries({ memory: KEEPING, files: IN_FILES }))
    it(`a redaction takes the content out of the files before it is reported as erased, with documents in ${form}`, async () => {
      await using scene = await openScene()
      await using app = await scene.start({}, { keeping })
      await app.publish(incidents(0, 30))
      await until(() => isSaved(scene.path))
      if (form === 'files') await until(() => app.archive.files.length > 0)
      else assert.equal(app.archive.files.length, 0)
      assert.notDeepEqual(await filesWith(scene.path, NAME), [])
      for (let number = 0; number < 30; number++) {
        const path = `/v1/desk/incidents/${incidentId(number)}/redact`
        const answer = await app.post(path, { words: [NAME], reason: 'Asked for.' }, scene.operatorKey)
        assert.equal(answer.status, 200, await answer.text())
      }
      await until(async () => (await app.store.redactions.list(incidentId(29)))[0]!.erasedAt !== null)
      assert.deepEqual(await filesWith(scene.path, NAME), [])
      await until(() => isSaved(scene.path))
      assert.deepEqual(await filesWith(scene.path, NAME), [])
      assert.notDeepEqual(await filesWith(scene.path, '[redacted] was seen.'), [])
    })

  it('a damaged file gives no wrong answer, and its documents come from the database', async () => {
    await using scene = await openScene()
    await using app = await scene.start({}, { keeping: IN_FILES })
    await app.publish(incidents(0, 30))
    await until(() => app.archive.files.length > 0)
    const pages = async () => {
      const answer = await app.get('/v1/incidents?order=oldest&limit=30')
      if (answer.status === 200) return ((await answer.json()) as { data: { summary: string }[] }).data
      assert.equal(answer.status, 503)
      assert.equal(((await answer.json()) as { code: string }).code, 'store_unavailable')
      return null
    }
    for (const { name } of app.archive.files)
      await writeFile(join(scene.path, name), Buffer.alloc((await stat(join(scene.path, name))).size, 'x'))
    assert.equal(await pages(), null)
    await until(async () => (await pages())?.every(({ summary }) => summary === `${NAME} was seen.`) === true)
    assert.ok(
      scene.lines.includes('a file of the saved archive is damaged; its documents are read from the database'),
      scene.lines.join('; '),
    )
  })

  it('nowhere with CACHE_DIR=none, which deletes what was saved', async () => {
    await using scene = await openScene()
    {
      await using app = await scene.start()
      await app.publish(incidents(0, 30))
      await until(() => isSaved(scene.path))
    }
    await using app = await scene.start({ CACHE_DIR: 'none' })
    assert.equal(app.archive.size, 30)
    assert.equal(existsSync(scene.path), false)
  })

  it('in CACHE_DIR, and a folder that cannot be written stops no start', async () => {
    await using scene = await openScene()
    const cache = join(scene.folder, 'cache')
    {
      await using app = await scene.start({ CACHE_DIR: cache })
      await app.publish(incidents(0, 30))
      await until(() => isSaved(join(cache, 'archive')))
      assert.equal(existsSync(scene.path), false)
    }
    const file = join(scene.folder, 'feed.db')
    await using app = await scene.start({ CACHE_DIR: file })
    assert.equal(app.archive.size, 30)
    assert.ok(scene.lines.includes('the archive cannot be saved there: starts take longer'))
  })
})
