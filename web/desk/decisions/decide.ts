import { incidentPath } from '../api/desk-api.ts'
import type { DeskIncident } from '../api/types.ts'
import { hideRows } from '../queue/decided.ts'
import { findRow } from '../queue/queue.ts'
import { clearSelection, deselect } from '../queue/selection.ts'
import { forgetClaim } from '../report/claims.ts'
import { leaveRows } from '../report/current.ts'
import type { ComparedField } from '../report/differences.ts'
import { dismissConflict } from './conflicts.ts'
import { allows, MOVES, type MoveName } from './moves.ts'
import { newKey, send } from './outbox.ts'
import { showToast } from './toasts.ts'
import { addUndoable, shortened, undoLast } from './undo.ts'

type PlainMove = Exclude<MoveName, 'merge' | 'undo' | 'redact'>

/** Decides on one incident: the next one is shown at once, the service is told behind it. */
export function decide(move: PlainMove, incident: DeskIncident, note: string | null = null): void {
  if (!allows(move, incident.status)) {
    showToast('failed', `It is ${incident.status}: it cannot be ${MOVES[move].done.toLowerCase()}.`)
    return
  }
  const body = note === null ? {} : { note }
  const path = incidentPath(incident.id, move === 'note' ? 'notes' : move)
  const version = move === 'note' ? null : incident.version
  sendDecision(move, incident, path, body, version)
}

export type Side = 'this' | 'other'

/** Merges an incident into another, with the values that were chosen for fields that differ. */
export function decideMerge(
  incident: DeskIncident,
  into: DeskIncident,
  take: Partial<Record<ComparedField, Side>>,
  note: string | null,
): void {
  const body = { into: into.id, into_version: into.version, take, ...(note === null ? {} : { note }) }
  sendDecision('merge', incident, incidentPath(incident.id, 'merge'), body, incident.version)
}

/** Takes content out of every copy of an incident. This cannot be undone. */
export function decideRedaction(incident: DeskIncident, body: object): void {
  sendDecision('redact', incident, incidentPath(incident.id, 'redact'), body, incident.version)
}

function sendDecision(
  move: Exclude<MoveName, 'undo'>,
  incident: DeskIncident,
  path: string,
  body: object,
  version: number | null,
): void {
  const { id, summary } = incident
  const key = newKey()
  dismissConflict(id)
  if (MOVES[move].leaves) {
    // The decision ends the claim: it need not be released.
    forgetClaim(id)
    leaveRows([id])
    hideRows([id])
    deselect([id])
    addUndoable({ key, move, id, before: incident })
    showToast('done', `${MOVES[move].done}: “${shortened(summary)}”`, UNDO)
  }
  send({ key, move, ids: [id], path, body, version })
}

const UNDO = { label: 'Undo', key: 'u', run: undoLast }

export type BulkMove = 'confirm' | 'reject' | 'retract' | 'reopen' | 'restore'

/** Decides on all chosen rows; each has its own answer. */
export function decideInBulk(move: BulkMove, ids: readonly string[], note: string | null): void {
  const rows = ids.map(findRow).filter((row) => row !== undefined && allows(move, row.status))
  const known = rows.map((row) => row!.id)
  if (known.length === 0) return
  const key = newKey()
  leaveRows(known)
  hideRows(known)
  clearSelection()
  for (const row of rows) addUndoable({ key, move, id: row!.id, before: row! })
  const body = { ids: known, move, ...(note === null ? {} : { note }) }
  send({ key, move, ids: known, path: '/v1/desk/bulk', body, version: null })
  const text = known.length === 1 ? '1 report' : `${known.length} reports`
  showToast('done', `${MOVES[move].done}: ${text}. u undoes the last of them.`, UNDO)
}
