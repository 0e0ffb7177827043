import { type DialogProperties, Dialog as SharedDialog } from '../../../shared/parts/dialog.tsx'
import { closeDialog } from '../../panels.ts'

/** The dialog that is open at the desk: there is one at a time. */
export function Dialog(properties: Omit<DialogProperties, 'onClose'>) {
  return <SharedDialog {...properties} onClose={closeDialog} />
}
