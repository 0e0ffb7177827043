/**
 * Saves the archive of the SQLite file in the first argument into the folder in the second, again
 * and again, with some corrections before each save, until it is killed.
 */
import { Archive } from '../../../src/archive/archive.ts'
import { SavedArchive } from '../../../src/archive/saved/saved-archive.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { openStore } from '../../../src/store/open.ts'

const CORRECTIONS = 20
const DOCUMENTS_IN_FILES = { slabBytes: 256 << 10, memoryBytes: 1 << 20 }
const [, , file, folder] = process.argv
const random = seededRandom(process.pid)
const { signal } = new AbortController()
const store = await openStore(`sqlite:${file}`)
const saved = SavedArchive.open(folder!, DOCUMENTS_IN_FILES)!
const fail = (reason: unknown) => {
  throw new Error('the saved archive cannot be used', { cause: reason })
}
const archive =
  (await saved.load(store.events, fail)) ??
  (await Archive.load(await store.incidents.snapshot(), saved.newDocuments(fail)))
for (;;) {
  const slots = new Set(Array.from({ length: CORRECTIONS }, () => Math.floor(random() * archive.size)))
  const incidents = [...slots].map((slot) => archive.incidentOf(archive.slotOf(archive.idOf(slot))!))
  await store.incidents.save(
    incidents.map((incident) => ({
      incident: {
        ...incident,
        version: incident.version + 1,
        summary: `Corrected to version ${incident.version + 1}.`,
      },
      event: 'incident.updated',
    })),
    Date.now(),
  )
  archive.apply(await store.events.after(archive.head.seq, 1000))
  await saved.save(archive, store.events, signal)
  process.send?.('saved')
}
