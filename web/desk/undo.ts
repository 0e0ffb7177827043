import { RequestError, request } from '../shared/parts/request.ts'
import { type DeskIncident, incidentPath, type Undo } from './desk-api.ts'
import { type Decision, MOVES, type MoveName, newKey, send } from './outbox.ts'
import { dropPair, type Pair, pairKey, reloadPairs } from './pairs.ts'
import { hideRows, putRow, queueFilter, showRows } from './queue.ts'
import { noteIncident, openReport } from './report.ts'
import { showToast } from './toasts.tsx'

/** A decision of this page that can be taken back. */
interface Undoable {
  readonly key: string
  readonly move: MoveName | 'correct'
  readonly id: string
  /** The incident before the decision. */
  readonly before: DeskIncident
}

const MAX_UNDOABLE = 50

/** Newest last. */
let undoable: readonly Undoable[] = []

/** Ways to undo each answered decision, by its key and incident. */
const ways = new Map<string, Undo>()

/** The button of a toast that takes the last decision back. */
export const UNDO = { label: 'Undo', key: 'u', run: undoLast }

export function addUndoable(entry: Undoable): void {
  undoable = [...undoable, entry].slice(-MAX_UNDOABLE)
}

export function noteUndo(key: string, id: string, undo: Undo | null | undefined): void {
  if (undo) ways.set(`${key} ${id}`, undo)
  else forgetUndoable(key, id)
}

export function forgetUndoable(key: string, id: string): void {
  undoable = undoable.filter((entry) => entry.key !== key || entry.id !== id)
}

/** The request that undoes an earlier decision; null if that one was refused or is unknown. */
export function undoRequest(decision: Decision): Decision | null {
  const undo = ways.get(`${decision.undoes} ${decision.ids[0]}`)
  return undo === undefined ? null : { ...decision, path: undo.path, body: { step: undo.step } }
}

/** Takes back the last decision of this page, on a report or a pair, which is shown again. */
export function undoLast(): void {
  const last = undoable.at(-1)
  const pair = dismissed.at(-1)
  // Keys begin with the time.
  if (pair !== undefined && (last === undefined || last.key <= pair.key)) {
    undoDismissal()
    return
  }
  if (last === undefined) {
    showToast('done', 'There is nothing to undo.')
    return
  }
  undoable = undoable.slice(0, -1)
  send({ key: newKey(), move: 'undo', ids: [last.id], path: '', body: {}, version: null, undoes: last.key })
  const { before } = last
  // A confirmation cannot be unsent: undoing it retracts the incident.
  const returns = last.move !== 'confirm' && last.move !== 'correct'
  if (returns && before.status === queueFilter.get().status) {
    putRow(before)
    showRows([before.id])
  } else if (last.move !== 'correct') hideRows([before.id])
  openReport(before.id)
  const done = last.move === 'correct' ? 'Correction' : MOVES[last.move].done
  showToast('done', `Undone: ${done.toLowerCase()} “${shortened(before.summary)}”`)
}

export function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 58).trimEnd()}…`
}

type Two = Pick<Pair, 'incident' | 'other'>

interface DismissedPair {
  readonly key: string
  readonly pair: Two
  /** Settles once the service has answered; false if it refused. */
  readonly done: Promise<boolean>
}

const dismissed: DismissedPair[] = []

/** Keeps that two are not the same: they leave the list at once. */
export function dismissPair(pair: Two): void {
  dropPair(pairKey(pair))
  const key = newKey()
  dismissed.push({ key, pair, done: sendPair(pair, 'dismiss', key) })
  showToast('done', `Not the same: “${shortened(pair.incident.summary)}”`, UNDO)
}

/** Offers two again that were told apart. */
export async function offerPair(pair: Two): Promise<void> {
  dropPair(pairKey(pair))
  const isDone = await sendPair(pair, 'offer', newKey())
  if (isDone) showToast('done', `Offered again: “${shortened(pair.incident.summary)}”`)
}

function undoDismissal(): void {
  const last = dismissed.pop()!
  // Undone only once it is done: the requests must not pass each other.
  void last.done.then(async (isDone) => {
    if (isDone) await offerPair(last.pair)
    reloadPairs()
  })
}

async function sendPair({ incident, other }: Two, move: 'dismiss' | 'offer', idempotencyKey: string): Promise<boolean> {
  const path = incidentPath(incident.id, `duplicates/${encodeURIComponent(other.id)}/${move}`)
  const seen = move === 'dismiss' ? { version: incident.version, other_version: other.version } : {}
  try {
    noteIncident(await request<DeskIncident>('POST', path, { body: seen, idempotencyKey }))
    return true
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    showToast('failed', error.message)
    reloadPairs()
    return false
  }
}
