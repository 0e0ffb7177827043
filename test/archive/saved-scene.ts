import assert from 'node:assert/strict'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { renderIncidentList } from '../../src/api/incidents/incidents.ts'
import { renderStatistics } from '../../src/api/statistics.ts'
import { TileRenderer } from '../../src/api/tiles.ts'
import { Archive, type ArchiveView } from '../../src/archive/archive.ts'
import { SavedArchive } from '../../src/archive/saved/saved-archive.ts'
import { EVERYTHING, type Filter } from '../../src/filter/filter.ts'
import { LAYOUTS } from '../../src/formats/layouts.ts'
import { places } from '../../src/geo/places.ts'
import { runToEnd, type Steps } from '../../src/lib/steps.ts'
import type { Store } from '../../src/store/store.ts'
import { created, imported, NOW } from '../store/fixtures.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'

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
    load(log: Pick<Store['events'], 'after' | 'head' | 'linkOf'> = store.events): Promise<Archive | null> {
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

/**
 * Looks for a text, and for it in lower case as words are kept; into files that have no name any
 * more as well, as long as they are open.
 */
export async function hasText(path: string, text: string): Promise<boolean> {
  const paths = (await filesIn(path)).map((name) => join(path, name))
  for (const fd of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${fd}`).catch(() => '')
    if (target.startsWith(`${path}/`) && target.endsWith('(deleted)')) paths.push(`/proc/self/fd/${fd}`)
  }
  for (const file of paths) {
    const bytes = await readFile(file)
    if (bytes.includes(text) || bytes.includes(text.toLowerCase())) return true
  }
  return false
}

const renderer = new TileRenderer(places)
const list = (view: ArchiveView, filter: Filter, now: number, layout = LAYOUTS.json) =>
  renderIncidentList(
    view,
    { filter, order: 'newest', limit: 1000, cursor: null, format: null, fields: null },
    now,
    layout,
  )

const QUESTIONS: Record<string, (view: ArchiveView, now: number) => Steps<unknown>> = {
  list: (view, now) => list(view, EVERYTHING, now),
  filtered: (view, now) => list(view, { ...EVERYTHING, severities: ['high'], states: ['NG-KD'] }, now),
  words: (view, now) => list(view, { ...EVERYTHING, words: ['number'] }, now),
  'a beginning and a phrase': (view, now) => list(view, { ...EVERYTHING, words: ['"number 12"', 'x'] }, now),
  csv: (view, now) => list(view, EVERYTHING, now, LAYOUTS.csv),
  states: (view, now) =>
    renderStatistics(view, { groups: ['state'], timeZone: 'UTC', filter: EVERYTHING }, places, now),
  hours: (view, now) =>
    renderStatistics(view, { groups: ['type', 'hour'], timeZone: 'UTC', filter: EVERYTHING }, places, now),
  tile: (view, now) => renderer.renderTile(view, { z: 3, x: 4, y: 3 }, EVERYTHING, now),
}

/**
 * Everything that an archive answers, as text: two archives with the same text are the same to a
 * client.
 */
export function answersOf(archive: Archive, ids: readonly string[], now: number): string {
  const answers = Object.values(QUESTIONS).map((ask) => runToEnd(ask(archive.view, now)))
  const months = archive.months().map(({ month, incidents }) => {
    const pinned = archive.pinMonth(month)
    const documents = Array.from({ length: pinned.size }, (_, index) => Buffer.from(pinned.at(index)).toString())
    return [month, incidents, archive.monthVersion(month), documents]
  })
  const single = ids.map((id) => {
    const slot = archive.slotOf(id)
    const fields =
      slot === null ? null : [archive.indexedFieldsOf(slot), archive.radiusKmOf(slot), archive.incidentOf(slot)]
    return [id, fields, archive.isRetracted(id), archive.mergedInto(id)]
  })
  return JSON.stringify([archive.head, archive.size, archive.newestPublishedAt, answers, months, single], (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
}
