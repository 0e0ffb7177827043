import assert from 'node:assert/strict'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { Archive } from '../../../src/archive/archive.ts'
import { ArchiveKeeper } from '../../../src/startup/archive-keeper.ts'
import { NOW, updated } from '../../store/fixtures.ts'
import { until } from '../../support/app.ts'
import { incidentId } from '../../support/incident.ts'
import { answersOf, filesIn, fill, IN_FILES, loadFromStore, NEVER, openScene } from '../saved-scene.ts'

const COUNT = 60
const IDS = Array.from({ length: COUNT }, (_, number) => incidentId(number))
const OPERATIONS = ['write', 'writeFile', 'datasync', 'sync'] as const
const FULL = { code: 'ENOSPC' }

/**
 * From the given operation on, files take no more: the first write takes a part, as the system
 * does. Returns how many operations there were.
 */
async function fillDisk(t: TestContext, path: string, after: number): Promise<{ readonly operations: number }> {
  await using handle = await open(join(path, 'lock'))
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  const counted = { operations: 0 }
  for (const name of OPERATIONS) {
    const original = prototype[name] as (this: FileHandle, ...given: unknown[]) => Promise<unknown>
    const full = async function (this: FileHandle, ...given: unknown[]) {
      counted.operations++
      if (counted.operations === after + 1 && name === 'write') {
        const [bytes, at, length, position] = given as [Uint8Array, number, number, number]
        return original.call(this, bytes, at, Math.ceil(length / 2), position)
      }
      if (counted.operations > after) throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), FULL)
      return original.apply(this, given)
    }
    t.mock.method(prototype, name, full as never)
  }
  return counted
}

async function smallScene() {
  const scene = await openScene(IN_FILES)
  await fill(scene.store, COUNT)
  await scene.save()
  return scene
}

test('a disk that gets full at any moment of a save leaves the one before, and no other file', async (t) => {
  await using scene = await smallScene()
  const saved = scene.open()
  const archive = (await saved.load(scene.store.events, (reason) => assert.fail(String(reason))))!
  await scene.store.incidents.save([updated(3, 2), updated(30, 2), updated(59, 2)], NOW)
  archive.apply(await scene.store.events.after(archive.head.seq, 10))
  archive.forgetMonthVersions()
  const before = answersOf(archive, IDS, NOW)
  const files = await filesIn(scene.path)
  let moments = 0
  for (; ; moments++) {
    const counted = await fillDisk(t, scene.path, moments)
    const result = await saved.save(archive, scene.store.events, NEVER).then(
      () => null,
      (error: unknown) => error,
    )
    t.mock.restoreAll()
    assert.ok(answersOf(archive, IDS, NOW) === before, `the answers differ after operation ${moments}`)
    if (result === null) {
      assert.ok(counted.operations <= moments)
      break
    }
    assert.equal((result as NodeJS.ErrnoException).code, FULL.code)
    assert.deepEqual(await filesIn(scene.path), files, `after operation ${moments}`)
  }
  assert.ok(moments > 20, `${moments} moments`)
  const later = (await scene.load())!
  assert.deepEqual(scene.reasons, [])
  assert.ok(answersOf(later, IDS, NOW) === before)
})

test('a disk that gets full while the store is loaded leaves documents in memory, and no part of a file', async (t) => {
  await using scene = await smallScene()
  const expected = answersOf(await loadFromStore(scene.store), IDS, NOW)
  for (const after of [0, 1, 3]) {
    const saved = scene.open()
    await saved.discard()
    await fillDisk(t, scene.path, after)
    const told: unknown[] = []
    const documents = saved.newDocuments((error) => told.push(error))
    const loaded = await Archive.load(await scene.store.incidents.snapshot(), documents)
    t.mock.restoreAll()
    assert.deepEqual(
      told.map((error) => (error as NodeJS.ErrnoException).code),
      [FULL.code],
    )
    assert.ok(loaded.files.length <= after)
    assert.deepEqual(await filesIn(scene.path), loaded.files.map(({ name }) => name).toSorted())
    assert.ok(answersOf(loaded, IDS, NOW) === expected, `the answers differ after ${after}`)
    // Once there is room again, everything is saved.
    await saved.save(loaded, scene.store.events, NEVER)
    assert.ok(answersOf((await scene.load())!, IDS, NOW) === expected)
  }
  assert.deepEqual(scene.reasons, [])
})

test('a service on a full disk goes on, and says that the archive could not be saved', async (t) => {
  await using scene = await smallScene()
  const expected = answersOf(await loadFromStore(scene.store), IDS, NOW)
  await fillDisk(t, scene.path, 2)
  const lines: { msg: string; err?: { code: string } }[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  // Nothing is saved yet, so that a save is due at once.
  await scene.open().discard()
  scene.close()
  await using keeper = ArchiveKeeper.open(
    scene.path,
    { store: scene.store, logger },
    { minIncidents: 10, firstSaveAfterMs: 0, documentBytes: 0, slabBytes: IN_FILES.slabBytes },
  )
  const archive = await keeper.load()
  await until(() => lines.some(({ msg }) => msg.startsWith('the archive could not be saved')))
  assert.deepEqual(
    lines.filter(({ err }) => err !== undefined).map(({ msg, err }) => [msg.split(';')[0], err!.code]),
    [
      ['older documents cannot be written to files and stay in memory', FULL.code],
      ['the archive could not be saved', FULL.code],
    ],
  )
  assert.ok(answersOf(archive, IDS, NOW) === expected)
  t.mock.restoreAll()
})
