import { useState } from 'preact/hooks'
import { RequestError, request } from '../../shared/parts/request.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { hasSessionEnded } from '../person.ts'
import { type KeyEntry, keyName } from './types.ts'

interface DeleteKeyDialogProperties {
  readonly entry: KeyEntry
  /** Whether this page is signed in with the key. */
  readonly isOwn: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

export function DeleteKeyDialog({ entry, isOwn, onClose, onDone }: DeleteKeyDialogProperties) {
  const [isLast, setLast] = useState(false)
  const remove = async () => {
    try {
      await request('DELETE', `/v1/keys/${entry.id}${isLast ? '?confirm=last' : ''}`)
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 'last_key')) throw error
      setLast(true)
      return
    }
    if (isOwn) hasSessionEnded.set(true)
    onDone()
  }
  return (
    <ConfirmDialog
      title={`Delete ${keyName(entry)}`}
      action={isLast ? 'Delete my last key' : 'Delete it'}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <p>Programs that use it are refused from now on. This cannot be taken back.</p>
      {isOwn && <p>This page is signed in with it: you will have to sign in again.</p>}
      <div role="status">
        {isLast && (
          <p>
            <strong>It is your last key.</strong> Without one you come back only by a mailed link or a passkey; if you
            have neither, make another key first.
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}
