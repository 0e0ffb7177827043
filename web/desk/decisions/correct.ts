import { RequestError } from '../../shared/parts/request.ts'
import { correctIncident, readHistory, readIncident } from '../api/desk-api.ts'
import type { DeskIncident } from '../api/types.ts'
import { replaceRow } from '../queue/queue.ts'
import { noteIncident, readDetails } from '../report/details.ts'
import { newKey } from './outbox.ts'
import { showToast } from './toasts.ts'
import { addUndoable, noteUndo, undoLast } from './undo.ts'

const RETRY_MS = 1500

/**
 * Saves a correction and waits out an outage. A PATCH has no Idempotency-Key: if an attempt without
 * an answer was in fact saved, the next one finds another version, by the same editor.
 */
export async function saveCorrection(
  incident: DeskIncident,
  changes: object,
  me: string,
  onTrouble: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let isUncertain = false
  for (;;) {
    try {
      return finish(incident, await correctIncident(incident.id, incident.version, changes))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      if (isUncertain && error.code === 'stale_version') {
        const last = (await readHistory(incident.id)).at(-1)
        if (last?.step === 'update' && last.by.account_id === me)
          return finish(incident, await readIncident(incident.id))
      }
      if (!error.isPassing) throw error
      isUncertain = true
      onTrouble(`${error.message} Your changes are kept here and sent again.`)
      await new Promise((resolve) => setTimeout(resolve, Math.max(RETRY_MS, error.retryAfterMs)))
      if (signal.aborted) return
    }
  }
}

function finish(before: DeskIncident, after: DeskIncident): void {
  const key = newKey()
  noteIncident(after)
  replaceRow(after)
  void readDetails(after.id, true)
  if (after.desk.undo) {
    addUndoable({ key, move: 'correct', id: after.id, before })
    noteUndo(key, after.id, after.desk.undo)
  }
  showToast('done', 'Corrected.', after.desk.undo ? { label: 'Undo', key: 'u', run: undoLast } : null)
}
