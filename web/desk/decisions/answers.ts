import type { RequestError } from '../../shared/parts/request.ts'
import type { DeskIncident, Undo } from '../api/types.ts'
import { serverNow } from '../initial-data.ts'
import { dropPairsOf, reloadPairsSoon } from '../pairs/pairs.ts'
import { refreshCounts } from '../queue/counts.ts'
import { showRows } from '../queue/decided.ts'
import { queueFilter } from '../queue/filter.ts'
import { matchesFilter } from '../queue/matches.ts'
import { dropRow, findRow, putRow, replaceRow } from '../queue/queue.ts'
import { currentId, openReport } from '../report/current.ts'
import { knownIncident, noteIncident, readDetails } from '../report/details.ts'
import { addConflict } from './conflicts.ts'
import { MOVES } from './moves.ts'
import type { Decision } from './outbox.ts'
import { showToast } from './toasts.ts'
import { forgetUndoable, noteUndo, shortened, undoRequest } from './undo.ts'

interface BulkAnswer {
  readonly data: readonly {
    readonly id: string
    readonly status: number
    readonly incident?: { readonly undo: Undo | null }
    readonly problem?: { readonly detail: string }
  }[]
}

interface Redaction {
  /** How many incidents lost content: those merged into it too. */
  readonly incidents: number
}

/** Refusals that mean: somebody else has changed it meanwhile. */
const OVERTAKEN = new Set(['stale_version', 'not_in_this_state', 'claimed_by_another', 'changed_since'])

let me = ''

export function startAnswers(accountId: string): void {
  me = accountId
}

/** An undo is sent as what the answer to its decision says. */
export function prepareDecision(decision: Decision): Decision | null {
  return decision.move === 'undo' ? undoRequest(decision) : decision
}

export function takeAnswer(decision: Decision, answer: unknown): void {
  refreshCounts()
  if (decision.path === '/v1/desk/bulk') takeBulkAnswer(decision, answer as BulkAnswer)
  else if (decision.move === 'redact') takeRedaction(decision, answer as Redaction)
  else takeSingleAnswer(decision, answer as DeskIncident)
}

function takeSingleAnswer(decision: Decision, incident: DeskIncident): void {
  const [id] = decision.ids
  if (MOVES[decision.move].leaves) noteUndo(decision.key, id!, incident.desk.undo)
  if (decision.move === 'merge') {
    // The answer is the incident that remains; the merged one has left the list.
    dropRow(id!)
    showRows([id!])
    dropPairsOf(id!)
  }
  takeIncident(incident)
  if (decision.move === 'undo') reloadPairsSoon()
  if (decision.move === 'note') showToast('done', `${MOVES.note.done}.`)
  if (currentId.get() === incident.id) void readDetails(incident.id, true)
}

/** The answer says what was erased, not what is left: the incident is read again. */
function takeRedaction({ ids }: Decision, { incidents }: Redaction): void {
  showToast('done', incidents === 1 ? 'Redacted.' : `Redacted, in ${incidents} incidents.`)
  for (const id of ids) void readDetails(id, true).then(() => replaceRow(knownIncident(id)!))
}

function takeIncident(incident: DeskIncident): void {
  noteIncident(incident)
  if (matchesFilter(incident, queueFilter.get(), me, serverNow())) putRow(incident)
  else dropRow(incident.id)
  showRows([incident.id])
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
  if (refused.length === 0) return
  const [first] = refused
  const count = refused.length === 1 ? 'One report was' : `${refused.length} reports were`
  showToast('failed', `${count} not ${MOVES[decision.move].done.toLowerCase()}: ${first!.problem?.detail ?? ''}`, {
    label: 'Open the first',
    run: () => openReport(first!.id),
  })
}

/** Brings the report back, with what the service said. */
export function takeRefusal(decision: Decision, error: RequestError): void {
  const [id] = decision.ids
  const seen = knownIncident(id!)
  for (const each of decision.ids) forgetUndoable(decision.key, each)
  showRows(decision.ids)
  const what = seen === null ? 'The decision' : `“${shortened(seen.summary)}”`
  const verb = MOVES[decision.move].done.toLowerCase()
  if (seen !== null && OVERTAKEN.has(error.code)) addConflict({ move: decision.move, seen, message: error.message })
  showToast('failed', `${what} was not ${verb}: ${error.message}`, {
    label: 'Open it',
    run: () => openReport(id!),
  })
  void readDetails(id!, true).then(() => {
    const now = knownIncident(id!)
    if (now === null) return
    if (matchesFilter(now, queueFilter.get(), me, serverNow())) putRow(now)
    else if (findRow(id!) !== undefined && currentId.get() !== id) dropRow(id!)
  })
}
