import { claimReport, foreignClaim } from './claims.ts'
import { decide, decideInBulk } from './decisions.ts'
import type { DeskIncident } from './desk-api.ts'
import { allows } from './outbox.ts'
import { currentPair, movePair, type Pair } from './pairs.ts'
import { selection, toggleSelected } from './queue.ts'
import { currentId, detailsOf, knownIncident, mergeCandidates, moveBy, readDetails } from './report.ts'
import type { ShortcutName } from './shortcuts.ts'
import { showToast } from './toasts.tsx'
import { dismissPair, undoLast } from './undo.ts'
import { dialog, isEditing, view } from './view.ts'

type Action = (incident: DeskIncident) => void

/** Keys that do something to the current report. */
const ON_REPORT: Partial<Record<ShortcutName, Action>> = {
  confirm: confirmReports,
  reject: (incident) => openRejection(incident),
  merge: (incident) => {
    if (!allows('merge', incident.status)) refuse(incident, 'merged')
    else if (incident.desk.possible_duplicates === null) void openMergeOnceRead(incident)
    else openMerge(incident)
  },
  edit: (incident) => {
    if (incident.status !== 'reported' && incident.status !== 'confirmed') refuse(incident, 'corrected')
    else if (!isClaimedByAnother(incident)) {
      void claimReport(incident.id)
      isEditing.set(true)
    }
  },
  place: () => document.querySelector<HTMLElement>('.place-point')?.focus(),
  note: () => dialog.set('note'),
  redact: () => dialog.set('redact'),
  select: ({ id }) => toggleSelected(id),
}

/** Keys that work without a report. */
const ANYWHERE: Partial<Record<ShortcutName, () => void>> = {
  next: () => moveBy(1),
  previous: () => moveBy(-1),
  undo: undoLast,
  search: () => document.querySelector<HTMLInputElement>('#queue-search')?.select(),
  help: () => dialog.set('help'),
}

/** Keys of the list of pairs. */
const ON_PAIRS: Partial<Record<ShortcutName, () => void>> = {
  next: () => movePair(1),
  previous: () => movePair(-1),
  merge: () => currentOpenPair() !== null && dialog.set('merge'),
  reject: () => {
    const pair = currentOpenPair()
    if (pair !== null) dismissPair(pair)
  },
  undo: undoLast,
  help: () => dialog.set('help'),
}

function currentOpenPair(): Pair | null {
  const pair = currentPair()
  return pair?.dismissed_at === null ? pair : null
}

export function runShortcut(name: ShortcutName): void {
  if (view.get() === 'duplicates') ON_PAIRS[name]?.()
  if (view.get() !== 'queue') return
  ANYWHERE[name]?.()
  const id = currentId.get()
  const incident = id === null ? null : knownIncident(id)
  if (incident !== null) ON_REPORT[name]?.(incident)
}

function openMerge(incident: DeskIncident): void {
  if (mergeCandidates(incident).length === 0) showToast('done', 'No possible duplicate was found.')
  else dialog.set('merge')
}

async function openMergeOnceRead({ id }: DeskIncident): Promise<void> {
  await readDetails(id)
  if (currentId.get() !== id) return
  const { incident, failure } = detailsOf(id)
  if (failure !== null) showToast('failed', failure.message)
  else if (incident !== null) openMerge(incident)
}

function confirmReports(incident: DeskIncident): void {
  const chosen = [...selection.get()]
  if (chosen.length > 0) decideInBulk('confirm', chosen, null)
  else if (!allows('confirm', incident.status)) refuse(incident, 'confirmed')
  else if (!isClaimedByAnother(incident)) decide('confirm', incident)
}

function openRejection(incident: DeskIncident): void {
  if (selection.get().size > 0) dialog.set('bulk-reject')
  else if (allows('reject', incident.status)) {
    if (!isClaimedByAnother(incident)) dialog.set('reject')
  } else if (allows('retract', incident.status)) dialog.set('retract')
  else refuse(incident, 'rejected')
}

/** The service would refuse it: nobody else decides while a colleague has claimed a report. */
export function isClaimedByAnother(incident: DeskIncident): boolean {
  const claim = foreignClaim(incident)
  if (claim === null) return false
  showToast('failed', `${claim.by.name} is working on this report. Take it over first, or go on with the next.`)
  return true
}

function refuse({ status }: DeskIncident, done: string): void {
  showToast('failed', `It is ${status}: it cannot be ${done}.`)
}
