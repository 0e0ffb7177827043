import { RequestError, request } from '../shared/parts/request.ts'
import { createStore } from '../shared/store.ts'
import { forgetClaim } from './claims.ts'
import { type DeskIncident, incidentPath, readHistory, readIncident, type Undo } from './desk-api.ts'
import { refreshCounts } from './live.ts'
import { allows, type Decision, MOVES, type MoveName, newKey, send, startOutbox } from './outbox.ts'
import { dropPairsOf, reloadPairsSoon } from './pairs.ts'
import { isSignedOut, personId } from './person.ts'
import {
  clearSelection,
  deselect,
  dropRow,
  findRow,
  hideRows,
  isInQueue,
  placeRow,
  putRow,
  replaceRow,
  showRows,
} from './queue.ts'
import { currentId, knownIncident, leaveRows, noteIncident, openReport, readDetails } from './report.ts'
import { showToast } from './toasts.tsx'
import { addUndoable, forgetUndoable, noteUndo, shortened, UNDO, undoRequest } from './undo.ts'
import type { ComparedField } from './words.ts'

/** Sends what is decided, first what an earlier page has left. */
export function startDecisions(): void {
  startOutbox(personId(), {
    // An undo is sent as what the answer to its decision says.
    prepare: (decision) => (decision.move === 'undo' ? undoRequest(decision) : decision),
    done: takeAnswer,
    refused: takeRefusal,
    signedOut: () => isSignedOut.set(true),
  })
}

type PlainMove = Exclude<MoveName, 'merge' | 'undo' | 'redact'>

/** Decides on one incident: the next one is shown at once, the service is told behind it. */
export function decide(move: PlainMove, incident: DeskIncident, note: string | null = null): void {
  if (!allows(move, incident.status)) {
    showToast('failed', `It is ${incident.status}: it cannot be ${MOVES[move].done.toLowerCase()}.`)
    return
  }
  sendDecision(move, incident, note === null ? {} : { note })
}

export type Side = 'this' | 'other'

/** Merges an incident into another, with the values that were chosen for fields that differ. */
export function decideMerge(
  incident: DeskIncident,
  into: DeskIncident,
  take: Partial<Record<ComparedField, Side>>,
  note: string | null,
): void {
  sendDecision('merge', incident, {
    into: into.id,
    into_version: into.version,
    take,
    ...(note === null ? {} : { note }),
  })
}

/** Takes content out of every copy of an incident. This cannot be undone. */
export function decideRedaction(incident: DeskIncident, body: object): void {
  sendDecision('redact', incident, body)
}

function sendDecision(move: Exclude<MoveName, 'undo'>, incident: DeskIncident, body: object): void {
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
  const path = incidentPath(id, move === 'note' ? 'notes' : move)
  send({ key, move, ids: [id], path, body, version: move === 'note' ? null : incident.version })
}

const BULK_PATH = '/v1/desk/bulk'
export type BulkMove = 'confirm' | 'reject' | 'retract' | 'reopen' | 'restore'

/** Decides on all chosen rows; each has its own answer. */
export function decideInBulk(move: BulkMove, chosen: readonly string[], note: string | null): void {
  const rows = chosen.flatMap((id) => findRow(id) ?? []).filter(({ status }) => allows(move, status))
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  const key = newKey()
  leaveRows(ids)
  hideRows(ids)
  clearSelection()
  for (const row of rows) addUndoable({ key, move, id: row.id, before: row })
  const body = { ids, move, ...(note === null ? {} : { note }) }
  send({ key, move, ids, path: BULK_PATH, body, version: null })
  const text = ids.length === 1 ? '1 report' : `${ids.length} reports`
  showToast('done', `${MOVES[move].done}: ${text}. u undoes the last of them.`, UNDO)
}

interface BulkAnswer {
  readonly data: readonly {
    readonly id: string
    readonly status: number
    readonly incident?: { readonly undo: Undo | null }
    readonly problem?: { readonly detail: string }
  }[]
}

/** The number of incidents that lost content, those merged into the redacted one too. */
interface Redaction {
  readonly incidents: number
}

function takeAnswer(decision: Decision, answer: unknown): void {
  refreshCounts()
  if (decision.path === BULK_PATH) takeBulkAnswer(decision, answer as BulkAnswer)
  else if (decision.move === 'redact') takeRedaction(decision, answer as Redaction)
  else takeSingleAnswer(decision, answer as DeskIncident)
}

function takeSingleAnswer(decision: Decision, incident: DeskIncident): void {
  const id = decision.ids[0]!
  if (MOVES[decision.move].leaves) noteUndo(decision.key, id, incident.desk.undo)
  if (decision.move === 'merge') {
    // The answer is the incident that remains; the merged one has left the list.
    dropRow(id)
    showRows([id])
    dropPairsOf(id)
  }
  noteIncident(incident)
  placeRow(incident)
  showRows([incident.id])
  if (decision.move === 'undo') reloadPairsSoon()
  if (decision.move === 'note') showToast('done', `${MOVES.note.done}.`)
  if (currentId.get() === incident.id) void readDetails(incident.id, true)
}

/** The answer says what was erased, not what is left: the incident is read again. */
function takeRedaction({ ids }: Decision, { incidents }: Redaction): void {
  showToast('done', incidents === 1 ? 'Redacted.' : `Redacted, in ${incidents} incidents.`)
  for (const id of ids) void readDetails(id, true).then(() => replaceRow(knownIncident(id)!))
}

function takeBulkAnswer(decision: Decision, { data }: BulkAnswer): void {
  const refused = data.filter(({ status }) => status !== 200)
  for (const { id, incident } of data) {
    if (incident === undefined) {
      forgetUndoable(decision.key, id)
      continue
    }
    noteUndo(decision.key, id, incident.undo)
    dropRow(id)
  }
  showRows(decision.ids)
  const [first] = refused
  if (first === undefined) return
  const count = refused.length === 1 ? 'One report was' : `${refused.length} reports were`
  showToast('failed', `${count} not ${MOVES[decision.move].done.toLowerCase()}: ${first.problem?.detail ?? ''}`, {
    label: 'Open the first',
    run: () => openReport(first.id),
  })
}

/** Refusals that mean: somebody else has changed it meanwhile. */
const OVERTAKEN = new Set(['stale_version', 'not_in_this_state', 'claimed_by_another', 'changed_since'])

/** Brings the report back, with what the service said. */
function takeRefusal(decision: Decision, error: RequestError): void {
  const { ids, key, move } = decision
  const id = ids[0]!
  const seen = knownIncident(id)
  for (const each of ids) forgetUndoable(key, each)
  showRows(ids)
  const what = seen === null ? 'The decision' : `“${shortened(seen.summary)}”`
  if (seen !== null && OVERTAKEN.has(error.code))
    conflicts.set(new Map(conflicts.get()).set(id, { move, seen, message: error.message }))
  showToast('failed', `${what} was not ${MOVES[move].done.toLowerCase()}: ${error.message}`, {
    label: 'Open it',
    run: () => openReport(id),
  })
  void readDetails(id, true).then(() => {
    const now = knownIncident(id)
    if (now === null) return
    if (isInQueue(now)) putRow(now)
    else if (findRow(id) !== undefined && currentId.get() !== id) dropRow(id)
  })
}

/** A decision that was refused because somebody else was faster. */
interface Conflict {
  readonly move: MoveName
  /** The incident as the editor saw it. */
  readonly seen: DeskIncident
  readonly message: string
}

/** Conflicts by the id of their incident. */
export const conflicts = createStore<ReadonlyMap<string, Conflict>>(new Map())

export function dismissConflict(id: string): void {
  const left = new Map(conflicts.get())
  if (left.delete(id)) conflicts.set(left)
}

const RETRY_MS = 1500

/**
 * Saves a correction of facts and waits out an outage. A PATCH has no Idempotency-Key: if an
 * attempt without an answer was in fact saved, the next one finds another version, by the same
 * editor.
 */
export async function saveCorrection(
  incident: DeskIncident,
  changes: object,
  onTrouble: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { id, version } = incident
  let isUncertain = false
  for (;;) {
    try {
      return takeCorrection(
        incident,
        await request<DeskIncident>('PATCH', incidentPath(id), { body: changes, version }),
      )
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      if (isUncertain && error.code === 'stale_version') {
        const last = (await readHistory(id)).at(-1)
        if (last?.step === 'update' && last.by.account_id === personId())
          return takeCorrection(incident, await readIncident(id))
      }
      if (!error.isPassing) throw error
      isUncertain = true
      onTrouble(`${error.message} Your changes are kept here and sent again.`)
      await new Promise((resolve) => setTimeout(resolve, Math.max(RETRY_MS, error.retryAfterMs)))
      if (signal.aborted) return
    }
  }
}

function takeCorrection(before: DeskIncident, after: DeskIncident): void {
  const { undo } = after.desk
  noteIncident(after)
  replaceRow(after)
  void readDetails(after.id, true)
  if (undo) {
    const key = newKey()
    addUndoable({ key, move: 'correct', id: after.id, before })
    noteUndo(key, after.id, undo)
  }
  showToast('done', 'Corrected.', undo ? UNDO : null)
}
