import { request } from '../../shared/parts/request.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { type IssuedKeyEntry, type KeyEntry, keyName } from './types.ts'

export function RotateKeyDialog({
  entry,
  onClose,
  onIssued,
}: {
  entry: KeyEntry
  onClose: () => void
  onIssued: (key: IssuedKeyEntry) => void
}) {
  const rotate = async () =>
    onIssued(
      await request<IssuedKeyEntry>('POST', `/v1/keys/${entry.id}/rotate`, { idempotencyKey: crypto.randomUUID() }),
    )
  return (
    <ConfirmDialog title={`Replace ${keyName(entry)}`} action="Replace it" onConfirm={rotate} onClose={onClose}>
      <p>You get a new key that may do the same. The old one works for another 24 hours, then it ends.</p>
    </ConfirmDialog>
  )
}
