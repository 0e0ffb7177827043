import { createStore } from '../shared/store.ts'
import { currentId } from './report/current.ts'

/** The dialog that is open. */
export type DialogName = 'reject' | 'retract' | 'note' | 'merge' | 'redact' | 'help' | 'bulk-reject'

export const dialog = createStore<DialogName | null>(null)
/** Whether the facts of the current report are being edited. */
export const isEditing = createStore(false)
currentId.subscribe(() => isEditing.set(false))

/** On a small screen: whether the report covers the list. */
export const isReportOpen = createStore(false)

export function closeDialog(): void {
  dialog.set(null)
}
