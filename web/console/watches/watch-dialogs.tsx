import { useState } from 'preact/hooks'
import { request } from '../../shared/parts/request.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { show } from '../view.ts'
import { newSecret } from './new-secret.ts'
import type { WatchEntry } from './types.ts'

export type WatchQuestion = 'rotate' | 'delete'

interface WatchDialogProperties {
  readonly question: WatchQuestion
  readonly watch: WatchEntry
  readonly onClose: () => void
  readonly onDone: () => void
}

export function WatchDialog({ question, ...properties }: WatchDialogProperties) {
  return question === 'rotate' ? <RotateDialog {...properties} /> : <DeleteDialog {...properties} />
}

type DialogProperties = Omit<WatchDialogProperties, 'question'>

function RotateDialog({ watch, onClose, onDone }: DialogProperties) {
  const [revoke, setRevoke] = useState(false)
  const rotate = async () => {
    const { secret } = await request<{ secret: string }>('POST', `/v1/watches/${watch.id}/rotate-secret`, {
      body: { revoke },
      idempotencyKey: crypto.randomUUID(),
    })
    newSecret.set({ watchId: watch.id, secret })
    onDone()
  }
  return (
    <ConfirmDialog title={`New secret for ${watch.name}`} action="Make it" onConfirm={rotate} onClose={onClose}>
      <p>Messages carry signatures of both secrets for 24 hours, so that your endpoint can change over in peace.</p>
      <label class="check-line">
        <input type="checkbox" checked={revoke} onChange={({ currentTarget }) => setRevoke(currentTarget.checked)} />
        The old secret has leaked: end it at once
      </label>
    </ConfirmDialog>
  )
}

function DeleteDialog({ watch, onClose }: DialogProperties) {
  const remove = async () => {
    await request('DELETE', `/v1/watches/${watch.id}`)
    show('watches')
  }
  return (
    <ConfirmDialog title={`Delete ${watch.name}`} action="Delete it" isDangerous onConfirm={remove} onClose={onClose}>
      <p>Nothing more is sent, and the log of its deliveries is deleted. To stop for a while, pause it.</p>
    </ConfirmDialog>
  )
}
