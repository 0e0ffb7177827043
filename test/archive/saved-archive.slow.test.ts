import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import type { Archive } from '../../src/archive/archive.ts'
import { SavedArchive } from '../../src/archive/saved/saved-archive.ts'
import type { IncidentChange, Store } from '../../src/store/store.ts'
import { created, NOW, retracted, updated } from '../store/fixtures.ts'
import { incidentFrom, incidentParts } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'
import { temporaryFolder } from '../support/folder.ts'
import { incidentId } from '../support/incident.ts'
import { tries } from '../support/tier.ts'
import { answersOf, COUNT, FORMS, filesIn, fill, hasText, loadFromStore, NEVER, openScene } from './saved-scene.ts'

const IDS = Array.from({ length: COUNT + 20 }, (_, number) => incidentId(number))

/** Compares without `assert.equal`, which would print an archive. */
async function assertUnused(scene: { load(): Promise<Archive | null> }): Promise<void> {
  assert.ok((await scene.load()) === null, 'the files were used')
}

const change = fc.record({ number: fc.nat(COUNT + 19), parts: fc.option(incidentParts, { freq: 4 }) })
const batches = fc.array(fc.uniqueArray(change, { maxLength: 30, selector: ({ number }) => number }), { maxLength: 5 })
type Batch = typeof batches extends fc.Arbitrary<(infer One)[]> ? One : never

/** Adds, corrects, moves and retracts incidents. */
async function write(store: Store, batch: Batch): Promise<void> {
  const changes: IncidentChange[] = []
  for (const { number, parts } of batch) {
    const before = await store.incidents.find(incidentId(number))
    const version = (before?.version ?? 0) + 1
    if (before === null && parts === null) continue
    const event = before === null ? 'incident.created' : 'incident.updated'
    changes.push(
      parts === null ? retracted(number, version) : { incident: { ...incidentFrom(parts, number), version }, event },
    )
  }
  if (changes.length > 0) await store.incidents.save(changes, NOW)
}

test('a start from saved files answers byte for byte as one from the store', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(FORMS)),
      batches,
      batches,
      batches,
      async (form, before, between, after) => {
        await using scene = await openScene(form)
        const { store } = scene
        await fill(store)
        const saved = scene.open()
        const archive = await loadFromStore(store, saved)
        // Saved twice: the second one uses slabs of the first.
        for (const part of [before, between]) {
          for (const batch of part) {
            await write(store, batch)
            archive.apply(await store.events.after(archive.head.seq, 10_000))
          }
          await saved.save(archive, store.events, NEVER)
        }
        archive.forgetMonthVersions()
        const running = answersOf(await loadFromStore(store), IDS, NOW)
        assert.ok(answersOf(archive, IDS, NOW) === running, 'the answers of the running archive differ')
        for (const batch of after) await write(store, batch)
        const loaded = await scene.load()
        assert.deepEqual(scene.reasons, [])
        const expected = answersOf(await loadFromStore(store), IDS, NOW)
        assert.ok(answersOf(loaded!, IDS, NOW) === expected, 'the answers differ')
        // And it goes on as one from the store does.
        await store.incidents.save([created(COUNT + 50)], NOW)
        loaded!.apply(await store.events.after(loaded!.head.seq, 10))
        const later = answersOf(await loadFromStore(store), [...IDS, incidentId(COUNT + 50)], NOW)
        loaded!.forgetMonthVersions()
        assert.ok(answersOf(loaded!, [...IDS, incidentId(COUNT + 50)], NOW) === later, 'the later answers differ')
      },
    ),
    { numRuns: tries(24), endOnFailure: true },
  )
})

test('events during a save are not in it, and are followed afterwards', async () => {
  await using scene = await openScene()
  const { store } = scene
  await fill(store)
  {
    const saved = scene.open()
    const archive = await loadFromStore(store, saved)
    const saving = saved.save(archive, store.events, NEVER)
    for (let version = 2; version < 30; version++) {
      await store.incidents.save(
        [10, 100, 200].map((number) => updated(number, version, { summary: `Corrected ${version} times.` })),
        NOW,
      )
      archive.apply(await store.events.after(archive.head.seq, 10))
    }
    await saving
    assert.ok(saved.seq! >= COUNT && saved.seq! < archive.head.seq, `saved at ${saved.seq}`)
  }
  const loaded = await scene.load()
  assert.deepEqual(scene.reasons, [])
  assert.ok(answersOf(loaded!, IDS, NOW) === answersOf(await loadFromStore(store), IDS, NOW))
})

/** Rewrites the manifest with a right checksum. */
async function editManifest(path: string, edit: (manifest: Record<string, unknown>) => unknown): Promise<void> {
  const [, text] = (await readFile(join(path, 'manifest'), 'utf8')).split('\n')
  const edited = JSON.stringify(edit(JSON.parse(text!)))
  await writeFile(join(path, 'manifest'), `${crc32(edited)}\n${edited}`)
}

async function flipBit(path: string, at: number): Promise<void> {
  const bytes = await readFile(path)
  bytes[at]! ^= 1 << (at % 8)
  await writeFile(path, bytes)
}

describe('files that cannot be used are deleted, for a reason that is told', () => {
  const damages: Record<string, { damage: (path: string) => Promise<unknown>; reason: RegExp }> = {
    'a missing slab': { damage: async (path) => rm(join(path, await fileOf(path, 'slab'))), reason: /ENOENT/ },
    'a missing file of columns': {
      damage: async (path) => rm(join(path, await fileOf(path, 'index'))),
      reason: /ENOENT/,
    },
    'an empty list': { damage: (path) => writeFile(join(path, 'manifest'), ''), reason: /list of files is damaged/ },
    'a list of something else': {
      damage: (path) => writeFile(join(path, 'manifest'), '5\n{}'),
      reason: /list of files is damaged/,
    },
    'a newer layout': {
      damage: (path) => editManifest(path, (manifest) => ({ ...manifest, layout: 5 })),
      reason: /layout 5; this build reads 4/,
    },
    'an older layout': {
      damage: (path) => editManifest(path, (manifest) => ({ ...manifest, layout: 1 })),
      reason: /layout 1/,
    },
    'other columns': {
      damage: (path) => editManifest(path, (manifest) => ({ ...manifest, columns: 'x' })),
      reason: /other columns/,
    },
    'other types': {
      damage: (path) =>
        editManifest(path, (manifest) => ({
          ...manifest,
          dictionaries: { ...(manifest.dictionaries as object), types: ['protest', 'kidnapping'] },
        })),
      reason: /types have other numbers/,
    },
    'slabs in another order': {
      damage: (path) => editManifest(path, (manifest) => ({ ...manifest, slabs: [] })),
      reason: /outside of the files/,
    },
    'fewer columns': {
      damage: (path) =>
        editManifest(path, (manifest) => {
          const { name, sections } = manifest.index as { name: string; sections: unknown[] }
          return { ...manifest, index: { name, sections: sections.slice(1) } }
        }),
      reason: /other columns/,
    },
    'another number of incidents': {
      damage: (path) => editManifest(path, (manifest) => ({ ...manifest, incidents: COUNT - 1 })),
      reason: /another length/,
    },
  }
  for (const [name, { damage, reason }] of Object.entries(damages)) {
    test(name, async () => {
      await using scene = await openScene()
      await fill(scene.store)
      await scene.save()
      await damage(scene.path)
      await assertUnused(scene)
      assert.match(scene.reasons.join(), reason)
      assert.deepEqual(await filesIn(scene.path), [])
    })
  }
})

async function fileOf(path: string, kind: string): Promise<string> {
  return (await filesIn(path)).find((name) => name.startsWith(kind))!
}

test('one flipped bit, or one missing or additional byte, in any file at any place is found', async () => {
  await using scene = await openScene()
  await fill(scene.store)
  await scene.save()
  const good = `${scene.path}.good`
  await mkdir(good)
  const names = await filesIn(scene.path)
  for (const name of names) await copyFile(join(scene.path, name), join(good, name))
  const damage = fc.record({
    name: fc.constantFrom(...names),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    kind: fc.constantFrom('flip', 'truncate', 'extend'),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ name, place, kind }) => {
      for (const file of names) await copyFile(join(good, file), join(scene.path, file))
      const path = join(scene.path, name)
      const { size } = await stat(path)
      const at = Math.floor(place * size)
      if (kind === 'flip') await flipBit(path, at)
      else if (kind === 'truncate') await truncate(path, at)
      else await truncate(path, size + 1)
      scene.reasons.length = 0
      await assertUnused(scene)
      assert.equal(scene.reasons.length, 1)
    }),
    { numRuns: tries(120), endOnFailure: true },
  )
  for (const file of names) await copyFile(join(good, file), join(scene.path, file))
  assert.ok((await scene.load()) !== null, scene.reasons.join())
})

describe('files of another log are not used', () => {
  const copyOf = async (path: string, to: string) => {
    await mkdir(to)
    for (const name of await filesIn(path)) await copyFile(join(path, name), join(to, name))
  }

  test('of another database with as many events', async () => {
    await using scene = await openScene()
    await using other = await openScene()
    await fill(scene.store)
    await scene.save()
    await other.store.incidents.save(
      Array.from({ length: COUNT }, (_, number) => created(number + 1000)),
      NOW,
    )
    await copyOf(scene.path, other.path)
    await assertUnused(other)
    assert.match(other.reasons.join(), /another database/)
  })

  test('of a database that was put back, and has written as much since', async () => {
    await using scene = await openScene()
    await using other = await openScene()
    for (const { store } of [scene, other]) await fill(store)
    await scene.store.incidents.save([updated(1, 2, { summary: 'Lost.' })], NOW)
    await scene.save()
    await other.store.incidents.save([updated(2, 2, { summary: 'Written instead.' })], NOW)
    await copyOf(scene.path, other.path)
    await assertUnused(other)
    assert.match(other.reasons.join(), /another database/)
  })

  test('of a database that was put back to an earlier event', async () => {
    await using scene = await openScene()
    await using other = await openScene()
    for (const { store } of [scene, other]) await fill(store)
    await scene.store.incidents.save([updated(1, 2)], NOW)
    await scene.save()
    await copyOf(scene.path, other.path)
    await assertUnused(other)
    assert.match(other.reasons.join(), /they are of event 301, and the log ends at 300/)
  })

  test('but those of a log that went on elsewhere are, if it has all that they have', async () => {
    await using scene = await openScene()
    await fill(scene.store)
    await scene.save()
    await scene.store.chain.fork(null, NOW)
    assert.ok((await scene.load()) !== null, scene.reasons.join())
    await scene.store.incidents.save([updated(1, 2)], NOW)
    assert.equal((await scene.load())?.head.seq, COUNT + 1, scene.reasons.join())
  })

  test('of a log that has gone far ahead: loading all is faster', async () => {
    await using scene = await openScene()
    await fill(scene.store)
    await scene.save()
    for (let version = 2; version < 6; version++)
      await scene.store.incidents.save(
        Array.from({ length: 30 }, (_, number) => updated(number, version)),
        NOW,
      )
    await assertUnused(scene)
    assert.match(scene.reasons.join(), /120 events old/)
  })
})

test('an aborted save leaves the one before, and nothing else', async () => {
  await using scene = await openScene()
  const { store } = scene
  await fill(store)
  await scene.save()
  const seen = new Set<boolean>()
  for (let turns = 0, version = 2; seen.size < 2; turns += 1 + turns, version++) {
    const saved = scene.open()
    const archive = await saved.load(store.events, (reason) => assert.fail(String(reason)))
    const [seq, files] = [saved.seq, await filesIn(scene.path)]
    await store.incidents.save([updated(1, version)], NOW)
    archive!.apply(await store.events.after(archive!.head.seq, 10))
    const stop = new AbortController()
    const saving = saved.save(archive!, store.events, stop.signal)
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    await saving.catch((error: unknown) => assert.equal((error as Error).name, 'AbortError'))
    const isSaved = saved.seq !== seq
    seen.add(isSaved)
    if (!isSaved) assert.deepEqual(await filesIn(scene.path), files)
    else assert.equal((await filesIn(scene.path)).length, files.length)
  }
})

for (const [name, form] of Object.entries(FORMS))
  test(`what was replaced is nowhere after erasing, nor in what is saved next, ${name}`, async () => {
    await using scene = await openScene(form)
    await fill(scene.store)
    await scene.store.incidents.save(
      [5, 290].map((number) => updated(number, 2, { summary: 'Hauwa Tsamiya was seen.' })),
      NOW,
    )
    const saved = scene.open()
    const archive = await loadFromStore(scene.store, saved)
    await saved.save(archive, scene.store.events, NEVER)
    assert.equal(await hasText(scene.path, 'Tsamiya'), true)
    await scene.store.incidents.save(
      [5, 290].map((number) => updated(number, 3, { summary: 'Somebody was seen.' })),
      NOW,
    )
    // A reader that holds the earlier state must not bring it back.
    using _pin = archive.pin()
    archive.apply(await scene.store.events.after(archive.head.seq, 10))
    await saved.erase(archive)
    assert.equal(await hasText(scene.path, 'Tsamiya'), false)
    assert.deepEqual(
      (await filesIn(scene.path)).filter((file) => !file.startsWith('slab')),
      [],
    )
    await saved.save(archive, scene.store.events, NEVER)
    assert.equal(await hasText(scene.path, 'Tsamiya'), false)
    assert.equal(await hasText(scene.path, 'Somebody was seen'), true)
    archive.forgetMonthVersions()
    const expected = answersOf(await loadFromStore(scene.store), IDS, NOW)
    assert.ok(answersOf(archive, IDS, NOW) === expected, 'the answers differ')
    assert.ok(answersOf((await scene.load())!, IDS, NOW) === expected, 'the answers after a start differ')
  })

test('what is saved after everything was deleted is whole', async () => {
  await using scene = await openScene()
  await fill(scene.store)
  {
    const saved = scene.open()
    const archive = await loadFromStore(scene.store)
    await saved.save(archive, scene.store.events, NEVER)
    await saved.discard()
    await saved.save(archive, scene.store.events, NEVER)
  }
  assert.ok((await scene.load()) !== null, scene.reasons.join())
})

for (const [name, form] of Object.entries(FORMS))
  test(`a start that meets a redaction erases what it withdrew, and loads the redacted archive, ${name}`, async () => {
    await using scene = await openScene(form)
    await fill(scene.store)
    await scene.store.incidents.save(
      [5, 290].map((number) => updated(number, 2, { summary: 'Hauwa Tsamiya was seen.' })),
      NOW,
    )
    await scene.save()
    await scene.store.incidents.save(
      [5, 290].map((number) => updated(number, 3, { summary: 'Somebody was seen.' })),
      NOW,
    )
    const { store } = scene
    const log = {
      head: store.events.head,
      linkOf: store.events.linkOf,
      after: async (seq: number, limit: number) =>
        (await store.events.after(seq, limit)).map((event) => ({ ...event, redacted: event.seq > COUNT + 2 })),
    }
    const loaded = await scene.load(log)
    assert.equal(loaded!.incidentOf(loaded!.slotOf(incidentId(5))!).summary, 'Somebody was seen.')
    assert.equal(await hasText(scene.path, 'Tsamiya'), false)
    assert.ok(!(await filesIn(scene.path)).includes('manifest'))
    assert.ok(answersOf(loaded!, IDS, NOW) === answersOf(await loadFromStore(store), IDS, NOW))
  })

test('two processes do not use one folder', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'snapshot')
  {
    using first = SavedArchive.open(path)
    assert.notEqual(first, null)
    assert.equal(SavedArchive.open(path), null)
  }
  using again = SavedArchive.open(path)
  assert.notEqual(again, null)
  assert.equal((await stat(path)).mode & 0o777, 0o700)
  assert.equal((await stat(join(path, 'lock'))).mode & 0o777, 0o600)
})
