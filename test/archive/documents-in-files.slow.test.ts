import assert from 'node:assert/strict'
import { readlinkSync } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { Archive } from '../../src/archive/archive.ts'
import { DocumentStore } from '../../src/archive/documents/document-store.ts'
import { UnreadableDocuments } from '../../src/archive/documents/slab-file.ts'
import { monthOf } from '../../src/lib/calendar.ts'
import { machine } from '../../src/lib/runtime.ts'
import { ArchiveKeeper, restoreDocuments } from '../../src/startup/archive-keeper.ts'
import type { Store } from '../../src/store/store.ts'
import { NOW, updated } from '../store/fixtures.ts'
import { until } from '../support/app.ts'
import fc from '../support/fast-check.ts'
import { incidentId } from '../support/incident.ts'
import { tries } from '../support/tier.ts'
import { answersOf, COUNT, filesIn, fill, hasText, IN_FILES, loadFromStore, NEVER, openScene } from './saved-scene.ts'

const IDS = Array.from({ length: COUNT }, (_, number) => incidentId(number))

/** Compares as a text: the differences between two answers would take minutes to print. */
async function assertRight(archive: Archive, store: Store): Promise<void> {
  archive.forgetMonthVersions()
  assert.ok(answersOf(archive, IDS, NOW) === answersOf(await loadFromStore(store), IDS, NOW), 'the answers differ')
}

async function correct(archive: Archive, store: Store, numbers: readonly number[], version: number): Promise<void> {
  const summary = `Corrected to version ${version}.`
  await store.incidents.save(
    numbers.map((number) => updated(number, version, { summary })),
    NOW,
  )
  archive.apply(await store.events.after(archive.head.seq, 1000))
}

async function savedScene() {
  const scene = await openScene(IN_FILES)
  await fill(scene.store)
  await scene.save()
  return scene
}

const slabsIn = async (path: string) => (await filesIn(path)).filter((name) => name.startsWith('slab'))

test('most documents are in files, after a load from the store, a save and a start', async () => {
  await using scene = await savedScene()
  const archive = (await scene.load())!
  assert.ok(archive.files.length > 20, `${archive.files.length} files`)
  await assertRight(archive, scene.store)
  const saved = scene.open()
  const loaded = await loadFromStore(scene.store, saved)
  assert.ok(loaded.files.length > 20, `${loaded.files.length} files`)
  const spilled = await slabsIn(scene.path)
  await saved.save(loaded, scene.store.events, NEVER)
  const kept = new Set(await slabsIn(scene.path))
  assert.ok(
    spilled.filter((name) => kept.has(name)).length >= loaded.files.length,
    'files of the load are used by the save',
  )
  await assertRight(loaded, scene.store)
})

test('damage before a start: no wrong answer, and after restoring the right ones', async () => {
  await using scene = await savedScene()
  const good = `${scene.path}.good`
  await mkdir(good)
  const names = await filesIn(scene.path)
  for (const name of names) await copyFile(join(scene.path, name), join(good, name))
  const expected = answersOf((await scene.load())!, IDS, NOW)
  const damage = fc.record({
    name: fc.constantFrom(...names),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    kind: fc.constantFrom('flip', 'flip', 'zeros', 'truncate', 'extend'),
  })
  let met = 0
  await fc.assert(
    fc.asyncProperty(damage, async ({ name, place, kind }) => {
      for (const file of names) await copyFile(join(good, file), join(scene.path, file))
      const path = join(scene.path, name)
      const { size } = await stat(path)
      const at = Math.floor(place * size)
      if (kind === 'truncate') await truncate(path, at)
      else if (kind === 'extend') await truncate(path, size + 1)
      else {
        const bytes = await readFile(path)
        if (kind === 'flip') bytes[at]! ^= 1 << (at % 8)
        else bytes.fill(0, at, Math.min(size, at + 500))
        await writeFile(path, bytes)
      }
      scene.reasons.length = 0
      const archive = await scene.load()
      if (archive === null) return assert.equal(scene.reasons.length, 1)
      assert.ok(kind === 'flip' || kind === 'zeros', 'a file of another length was used')
      const answers = answersUnlessUnreadable(archive)
      if (answers === null) {
        met++
        await restoreDocuments(archive, scene.store.incidents, machine, NEVER, (error) => assert.fail(String(error)))
      }
      assert.ok((answers ?? answersOf(archive, IDS, NOW)) === expected, 'the answers differ')
    }),
    { numRuns: tries(60), endOnFailure: true, seed: 64 },
  )
  assert.ok(met > 2, `${met} met damage while reading`)
})

function answersUnlessUnreadable(archive: Archive): string | null {
  try {
    return answersOf(archive, IDS, NOW)
  } catch (error) {
    assert.ok(error instanceof UnreadableDocuments, String(error))
    return null
  }
}

test('damage to a running service is told once a file, and the next save has whole files', async () => {
  await using scene = await savedScene()
  const saved = scene.open()
  const archive = (await saved.load(scene.store.events, (reason) => assert.fail(String(reason))))!
  const told: unknown[] = []
  archive.onDamage((error) => told.push(error))
  const [first, second] = archive.files
  await truncate(join(scene.path, first!.name), 100)
  await writeFile(join(scene.path, second!.name), 'x'.repeat(second!.bytes))
  for (let round = 0; round < 3; round++) {
    for (const id of IDS) {
      try {
        archive.incidentOf(archive.slotOf(id)!)
      } catch (error) {
        assert.ok(error instanceof UnreadableDocuments, String(error))
      }
    }
  }
  assert.equal(told.length, 2)
  assert.ok(archive.damagedIds().length > 5)
  // One of them is corrected meanwhile: the store has a newer version, which the log brings.
  const [id] = archive.damagedIds()
  await scene.store.incidents.save([updated(IDS.indexOf(id!), 2, { summary: 'Corrected meanwhile.' })], NOW)
  const restoring = restoreDocuments(archive, scene.store.incidents, machine, NEVER, (error) =>
    assert.fail(String(error)),
  )
  setTimeout(async () => archive.apply(await scene.store.events.after(archive.head.seq, 10)), 100)
  await restoring
  assert.deepEqual(archive.damagedIds(), [])
  await assertRight(archive, scene.store)
  await saved.save(archive, scene.store.events, NEVER)
  const names = await slabsIn(scene.path)
  assert.ok(!names.includes(first!.name) && !names.includes(second!.name), 'damaged files are not saved')
  await assertRight((await scene.load())!, scene.store)
  assert.deepEqual(scene.reasons, [])
})

test('files deleted under a running service are read on, and written again by the next save', async () => {
  await using scene = await savedScene()
  const saved = scene.open()
  const archive = (await saved.load(scene.store.events, (reason) => assert.fail(String(reason))))!
  for (const name of await filesIn(scene.path)) await rm(join(scene.path, name))
  await assertRight(archive, scene.store)
  await correct(archive, scene.store, [1, 2], 2)
  await saved.save(archive, scene.store.events, NEVER)
  await assertRight(archive, scene.store)
  const later = await scene.load()
  assert.deepEqual(scene.reasons, [])
  await assertRight(later!, scene.store)
})

test('a folder that is gone, or without room, keeps the documents in memory', async () => {
  await using scene = await savedScene()
  const saved = scene.open()
  const archive = (await saved.load(scene.store.events, (reason) => assert.fail(String(reason))))!
  await rename(scene.path, `${scene.path}.moved`)
  await correct(archive, scene.store, [3], 2)
  await assert.rejects(saved.save(archive, scene.store.events, NEVER), { code: 'ENOENT' })
  await assertRight(archive, scene.store)
  const full: unknown[] = []
  const documents = saved.newDocuments((error) => full.push(error))
  const loaded = await Archive.load(await scene.store.incidents.snapshot(), documents)
  assert.equal(full.length, 1)
  assert.equal(loaded.files.length, 0)
  await assertRight(loaded, scene.store)
  await rename(`${scene.path}.moved`, scene.path)
})

async function openFiles(path: string): Promise<number> {
  return (await readdir('/proc/self/fd')).filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path)
    } catch {
      return false
    }
  }).length
}

test('a hundred saves with corrections leave no file open that is not in use', async () => {
  await using scene = await savedScene()
  const saved = scene.open()
  const archive = (await saved.load(scene.store.events, (reason) => assert.fail(String(reason))))!
  for (let version = 2; version < 102; version++) {
    const numbers = Array.from({ length: 20 }, (_, index) => (version * 7 + index * 13) % COUNT)
    const versions = await scene.store.incidents.current(numbers.map((number) => incidentId(number)))
    const changes = versions.map(({ document }) => {
      const { version: stored } = JSON.parse(document) as { version: number }
      const number = IDS.indexOf((JSON.parse(document) as { id: string }).id)
      return updated(number, stored + 1, { summary: `Corrected in round ${version}.` })
    })
    await scene.store.incidents.save(changes, NOW)
    archive.apply(await scene.store.events.after(archive.head.seq, 1000))
    await saved.save(archive, scene.store.events, NEVER)
    // The lock is one more.
    assert.equal(await openFiles(scene.path), archive.files.length + 1, `in round ${version}`)
  }
  assert.ok((await filesIn(scene.path)).length < 100, 'mostly dead files are taken back')
  await assertRight(archive, scene.store)
  scene.close()
  assert.equal(await openFiles(scene.path), 0)
})

test('a download that holds withdrawn documents is cut, and one that does not goes on', async () => {
  await using scene = await savedScene()
  await scene.store.incidents.save([updated(5, 2, { summary: 'Hauwa Tsamiya was seen.' })], NOW)
  await scene.save()
  const saved = scene.open()
  const archive = (await saved.load(scene.store.events, (reason) => assert.fail(String(reason))))!
  const { month } = archive.months().at(-1)!
  const held = archive.pinMonth(month)
  assert.equal(month, monthOf(Date.parse(archive.incidentOf(archive.slotOf(incidentId(5))!).published_at!)))
  const texts = () => Array.from({ length: held.size }, (_, index) => Buffer.from(held.at(index)).toString())
  const before = texts()
  await correct(archive, scene.store, [5], 3)
  assert.deepEqual(texts(), before)
  await saved.erase(archive)
  assert.equal(await hasText(scene.path, 'Tsamiya'), false)
  assert.throws(texts, UnreadableDocuments)
  await restoreDocuments(archive, scene.store.incidents, machine, NEVER, (error) => assert.fail(String(error)))
  await assertRight(archive, scene.store)
  const other = archive.pinMonth(month)
  await saved.erase(archive)
  assert.ok(!Buffer.from(other.at(5)).includes('Tsamiya'))
})

test('a reader of an earlier moment goes on while its documents are saved and moved to files', async () => {
  await using scene = await openScene(IN_FILES)
  await fill(scene.store)
  const saved = scene.open()
  // Everything in memory at first: the save moves it.
  const documents = new DocumentStore(IN_FILES.slabBytes)
  const archive = await Archive.load(await scene.store.incidents.snapshot(), documents)
  const { view } = archive
  const slots = IDS.map((id) => archive.slotOf(id)!)
  const before = JSON.stringify(slots.map((slot) => view.incidentOf(slot)))
  {
    using _pin = archive.pin()
    await correct(archive, scene.store, [1, 50, 100, 299], 2)
    await saved.save(archive, scene.store.events, NEVER)
    await correct(archive, scene.store, [2, 51, 101, 298], 2)
    await saved.save(archive, scene.store.events, NEVER)
    assert.equal(JSON.stringify(slots.map((slot) => view.incidentOf(slot))), before)
  }
  await saved.save(archive, scene.store.events, NEVER)
  assert.ok(archive.files.length > 20, `${archive.files.length} files`)
  await assertRight(archive, scene.store)
})

const FEW = 60
const FEW_IDS = Array.from({ length: FEW }, (_, number) => incidentId(number))
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
  await fill(scene.store, FEW)
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
  const before = answersOf(archive, FEW_IDS, NOW)
  const files = await filesIn(scene.path)
  let moments = 0
  for (; ; moments++) {
    const counted = await fillDisk(t, scene.path, moments)
    const result = await saved.save(archive, scene.store.events, NEVER).then(
      () => null,
      (error: unknown) => error,
    )
    t.mock.restoreAll()
    assert.ok(answersOf(archive, FEW_IDS, NOW) === before, `the answers differ after operation ${moments}`)
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
  assert.ok(answersOf(later, FEW_IDS, NOW) === before)
})

test('a disk that gets full while the store is loaded leaves documents in memory, and no part of a file', async (t) => {
  await using scene = await smallScene()
  const expected = answersOf(await loadFromStore(scene.store), FEW_IDS, NOW)
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
    assert.ok(answersOf(loaded, FEW_IDS, NOW) === expected, `the answers differ after ${after}`)
    // Once there is room again, everything is saved.
    await saved.save(loaded, scene.store.events, NEVER)
    assert.ok(answersOf((await scene.load())!, FEW_IDS, NOW) === expected)
  }
  assert.deepEqual(scene.reasons, [])
})

test('a service on a full disk goes on, and says that the archive could not be saved', async (t) => {
  await using scene = await smallScene()
  const expected = answersOf(await loadFromStore(scene.store), FEW_IDS, NOW)
  await fillDisk(t, scene.path, 2)
  const lines: { msg: string; err?: { code: string } }[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  // Nothing is saved yet, so that a save is due at once.
  await scene.open().discard()
  scene.close()
  await using keeper = ArchiveKeeper.open(
    scene.path,
    { store: scene.store, runtime: machine, logger },
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
  assert.ok(answersOf(archive, FEW_IDS, NOW) === expected)
  t.mock.restoreAll()
})
