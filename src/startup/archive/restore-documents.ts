import { setTimeout as wait } from 'node:timers/promises'
import type { Archive } from '../../archive/archive.ts'
import type { Incidents } from '../../store/store.ts'

const BATCH_SIZE = 500
/** An incident that was changed in the store gets its new document from the log meanwhile. */
const WAIT_MS = 500
const MOST_WAIT_MS = 60_000

/** Reads the documents of damaged files from the store, until none is missing. */
export async function restoreDocuments(
  archive: Archive,
  incidents: Pick<Incidents, 'current'>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let pause = WAIT_MS; !signal.aborted; pause = Math.min(MOST_WAIT_MS, 2 * pause)) {
    const ids = archive.damagedIds()
    if (ids.length === 0) return
    try {
      for (let start = 0; start < ids.length && !signal.aborted; start += BATCH_SIZE)
        for (const { id, document } of await incidents.current(ids.slice(start, start + BATCH_SIZE)))
          archive.restore(id, document)
    } catch (error) {
      onError(error)
    }
    if (archive.damagedIds().length === 0) return
    await wait(pause, undefined, { signal, ref: false }).catch(() => {})
  }
}
