import { createStore } from '../shared/store.ts'
import { queueFilter } from './queue.ts'
import { writeFilter } from './queue-filter.ts'
import { currentId, openReport } from './report.ts'

/** The parts of the desk, with the scope that each needs. */
export const VIEWS = {
  queue: { label: 'Queue', scope: 'review' },
  proposals: { label: 'Proposed sources', scope: 'review' },
  duplicates: { label: 'Duplicates', scope: 'review' },
  stories: { label: 'Stories without a place', scope: 'review' },
  file: { label: 'New report', scope: 'report' },
  sources: { label: 'Sources', scope: 'admin' },
  publishers: { label: 'Publishers', scope: 'admin' },
  members: { label: 'Members', scope: 'admin' },
  audit: { label: 'Audit log', scope: 'admin' },
  account: { label: 'Your account', scope: null },
} as const
export type ViewName = keyof typeof VIEWS

export const view = createStore<ViewName>(viewInAddress())

function viewInAddress(): ViewName {
  const name = new URLSearchParams(location.search).get('view')
  return name !== null && Object.hasOwn(VIEWS, name) ? (name as ViewName) : 'queue'
}

/** Keeps the address in step with what is shown, so that a reload and a link show the same. */
export function startAddress(): void {
  const write = () => {
    const address = new URLSearchParams()
    if (view.get() !== 'queue') address.set('view', view.get())
    else {
      writeFilter(queueFilter.get(), address)
      const id = currentId.get()
      if (id !== null) address.set('report', id)
    }
    const search = address.toString()
    history.replaceState(null, '', search === '' ? location.pathname : `?${search}`)
  }
  view.subscribe(write)
  queueFilter.subscribe(write)
  currentId.subscribe(write)
}

/** The dialog that is open. */
export type DialogName = 'reject' | 'retract' | 'note' | 'merge' | 'redact' | 'help' | 'bulk-reject'

export const dialog = createStore<DialogName | null>(null)
/** Whether the facts of the current report are being edited. */
export const isEditing = createStore(false)
currentId.subscribe(() => isEditing.set(false))

/** On a small screen: whether the report covers the list. */
export const isReportOpen = createStore(false)

/** Leaves another view for the report of an incident. */
export function showReport(id: string): void {
  openReport(id)
  isReportOpen.set(true)
  view.set('queue')
}

export function closeDialog(): void {
  dialog.set(null)
}
