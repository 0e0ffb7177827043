import { open, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Archive } from '../../../src/archive/archive.ts'
import { UnreadableDocuments } from '../../../src/archive/documents/slab-file.ts'
import { SavedArchive } from '../../../src/archive/saved/saved-archive.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { machine } from '../../../src/lib/runtime.ts'
import { restoreDocuments } from '../../../src/startup/archive-keeper.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { writeHistory } from '../../harness/databases.ts'
import type { ScenarioResult } from '../../scenario.ts'

/** All documents are read from files, but for those in the one that is being filled. */
const DOCUMENTS_IN_FILES = { slabBytes: 64 << 10, memoryBytes: 0 }
const WITHDRAWN = 'Withdrawn: the name of a witness.'
/** More than one file has. */
const CORRECTIONS = 100
const NEVER = new AbortController().signal

/**
 * Flips bits in the files of a running archive, and withdraws what one of them holds, again and
 * again.
 */
export async function damageAndErase(rounds: number, incidents: number): Promise<ScenarioResult> {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'feed.db')
  const path = `${file}.snapshot`
  const random = seededRandom(64)
  await writeHistory(`sqlite:${file}`, incidents, 64)
  await using store = await openStore(`sqlite:${file}`)
  using saved = SavedArchive.open(path, DOCUMENTS_IN_FILES)!
  const fail = (reason: unknown) => {
    throw new Error('documents cannot be written to files', { cause: reason })
  }
  const archive = await Archive.load(await store.incidents.snapshot(), saved.newDocuments(fail))
  let [refused, wrong, unrestored, left] = [0, 0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const first = Math.floor(random() * (archive.size - CORRECTIONS))
    const ids = Array.from({ length: CORRECTIONS }, (_, index) => archive.idOf(first + index))
    await correct(archive, store, ids, WITHDRAWN)
    // Most are then read from files.
    await saved.save(archive, store.events, NEVER)
    await correct(archive, store, ids, 'Corrected.')
    await saved.erase(archive)
    left += (await filesWith(path, WITHDRAWN)).length
    const expected = await contentsOf(store)
    const { files } = archive
    await flipOneBit(join(path, files[Math.floor(random() * files.length)]!.name), random)
    const found = readAll(archive)
    refused += found.refused
    wrong += countWrong(found.documents, expected)
    await restoreDocuments(archive, store.incidents, machine, NEVER, fail)
    const restored = readAll(archive)
    unrestored += restored.refused + countWrong(restored.documents, expected)
  }
  return {
    setup: `SQLite, ${incidents.toLocaleString('en')} incidents, documents in files`,
    times: rounds,
    counts: null,
    checks: [
      {
        name: 'a damaged document is refused, never returned',
        passed: wrong === 0 && refused > 0,
        observed: `${wrong} returned, ${refused} refused`,
      },
      {
        name: 'it is read from the database again',
        passed: unrestored === 0,
        observed: unrestored === 0 ? 'always' : `${unrestored} not`,
      },
      { name: 'what was withdrawn is in no file', passed: left === 0, observed: `in ${left} files` },
    ],
  }
}

async function correct(archive: Archive, store: Store, ids: readonly string[], summary: string): Promise<void> {
  const changes = ids.map((id) => {
    const incident = archive.incidentOf(archive.slotOf(id)!)
    return { incident: { ...incident, version: incident.version + 1, summary }, event: 'incident.updated' as const }
  })
  await store.incidents.save(changes, Date.now())
  archive.apply(await store.events.after(archive.head.seq, 2 * ids.length))
}

async function contentsOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>()
  for await (const { bytes, ends } of (await store.incidents.snapshot()).chunks) {
    let start = 0
    for (const end of ends) {
      const document = Buffer.from(bytes.subarray(start, end)).toString()
      documents.set((JSON.parse(document) as { id: string }).id, document)
      start = end
    }
  }
  return documents
}

function readAll(archive: Archive): { documents: ReadonlyMap<string, string>; refused: number } {
  const documents = new Map<string, string>()
  let refused = 0
  for (let slot = 0; slot < archive.size; slot++) {
    const id = archive.idOf(slot)
    try {
      documents.set(id, Buffer.from(archive.documentOf(archive.slotOf(id)!)).toString())
    } catch (error) {
      if (!(error instanceof UnreadableDocuments)) throw error
      refused++
    }
  }
  return { documents, refused }
}

function countWrong(documents: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): number {
  return Array.from(documents).filter(([id, document]) => document !== expected.get(id)).length
}

async function flipOneBit(path: string, random: () => number): Promise<void> {
  await using handle = await open(path, 'r+')
  const { size } = await handle.stat()
  const place = Math.floor(random() * size)
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place)
  buffer[0]! ^= 1 << Math.floor(random() * 8)
  await handle.write(buffer, 0, 1, place)
}

/** Also looks into files without a name, which are open. */
async function filesWith(path: string, text: string): Promise<string[]> {
  const paths = (await readdir(path)).map((name) => join(path, name))
  for (const fd of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${fd}`).catch(() => '')
    if (target.startsWith(`${path}/`) && target.endsWith('(deleted)')) paths.push(`/proc/self/fd/${fd}`)
  }
  const found = await Promise.all(paths.map(async (one) => (await readFile(one)).includes(text)))
  return paths.filter((_, index) => found[index])
}
