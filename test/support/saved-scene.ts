import assert from 'node:assert/strict'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Archive } from '../../src/archive/archive.ts'
import { SavedArchive } from '../../src/archive/saved/saved-archive.ts'
import type { Store } from '../../src/store/store.ts'
import { created, imported, NOW } from '../store/fixtures.ts'
import { openMemoryStore } from './databases/memory-store.ts'
import { temporaryFolder } from './folder.ts'

export const COUNT = 300
export const NEVER = new AbortController().signal

/** Some documents a file, and none in memory but for those in the slab that is being filled. */
export const IN_FILES = { slabBytes: 8 << 10, memoryBytes: 0 }
export const FORMS = {
  'in memory': {},
  'in files': IN_FILES,
  'some in files': { slabBytes: 8 << 10, memoryBytes: 64 << 10 },
}

export async function openScene(options: Parameters<typeof SavedArchive.open>[1] = {}) {
  const folder = await temporaryFolder()
  const store = await openMemoryStore()
  const path = join(folder.path, 'feed.db.snapshot')
  const reasons: string[] = []
  let opened: SavedArchive | null = null
  const scene = {
    store,
    path,
    reasons,
    /** Opens the folder, as a later process does. */
    open(): SavedArchive {
      scene.close()
      opened = SavedArchive.open(path, options)!
      return opened
    },
    close(): void {
      opened?.[Symbol.dispose]()
      opened = null
    },
    /** Loads as a later start does. */
    load(log: Pick<Store['events'], 'after' | 'head'> = store.events): Promise<Archive | null> {
      return scene.open().load(log, (reason) => reasons.push(String(reason)))
    },
    async save(): Promise<void> {
      const saved = scene.open()
      await saved.save(await loadFromStore(store, saved), store.events, NEVER)
    },
    async [Symbol.asyncDispose]() {
      scene.close()
      await store[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
  return scene
}

export async function loadFromStore(store: Store, saved?: SavedArchive): Promise<Archive> {
  const documents = saved?.newDocuments((error) => assert.fail(String(error)))
  return Archive.load(await store.incidents.snapshot(), documents)
}

export async function fill(store: Store, count = COUNT): Promise<void> {
  await store.incidents.save(
    Array.from({ length: count }, (_, number) => (number % 3 === 0 ? imported(number) : created(number))),
    NOW,
  )
}

export async function filesIn(path: string): Promise<string[]> {
  return (await readdir(path)).filter((name) => name !== 'lock').toSorted()
}

/** Looks into files that have no name any more as well, as long as they are open. */
export async function hasText(path: string, text: string): Promise<boolean> {
  const paths = (await filesIn(path)).map((name) => join(path, name))
  for (const fd of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${fd}`).catch(() => '')
    if (target.startsWith(`${path}/`) && target.endsWith('(deleted)')) paths.push(`/proc/self/fd/${fd}`)
  }
  for (const file of paths) if ((await readFile(file)).includes(text)) return true
  return false
}
