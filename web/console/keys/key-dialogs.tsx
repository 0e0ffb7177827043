import { CreateKeyDialog } from './create-key-dialog.tsx'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { EditKeyDialog } from './edit-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import type { IssuedKeyEntry, KeyEntry } from './types.ts'

export type OpenKeyDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate'; readonly entry: KeyEntry }
  | { readonly kind: 'delete'; readonly entry: KeyEntry; readonly isOwn: boolean }

interface KeyDialogProperties {
  readonly open: OpenKeyDialog
  readonly onClose: () => void
  readonly onIssued: (key: IssuedKeyEntry) => void
  readonly onDone: () => void
}

/** The dialog that a button of the list of keys opens. */
export function KeyDialog({ open, onClose, onIssued, onDone }: KeyDialogProperties) {
  if (open.kind === 'create') return <CreateKeyDialog onClose={onClose} onIssued={onIssued} />
  if (open.kind === 'delete')
    return <DeleteKeyDialog entry={open.entry} isOwn={open.isOwn} onClose={onClose} onDone={onDone} />
  if (open.kind === 'edit') return <EditKeyDialog entry={open.entry} onClose={onClose} onDone={onDone} />
  return <RotateKeyDialog entry={open.entry} onClose={onClose} onIssued={onIssued} />
}
