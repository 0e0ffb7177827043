import type { ComponentChildren } from 'preact'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { FailureNote } from './failure-note.tsx'
import { useAction } from './use-action.ts'

interface ConfirmDialogProperties {
  readonly title: string
  /** What happens then. */
  readonly children: ComponentChildren
  readonly action: string
  readonly isDangerous?: boolean
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({
  title,
  children,
  action,
  isDangerous = false,
  onConfirm,
  onClose,
}: ConfirmDialogProperties) {
  const { isBusy, failure, run } = useAction()
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        {children}
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <button
            type="button"
            class={isDangerous ? 'button danger' : 'button primary'}
            disabled={isBusy}
            onClick={() => run(onConfirm)}
          >
            {action}
          </button>
          <button type="button" class="button" data-first onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  )
}
