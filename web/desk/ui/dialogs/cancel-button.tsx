import { closeDialog } from '../../panels.ts'

export function CancelButton() {
  return (
    <button type="button" class="button" onClick={closeDialog}>
      Cancel <kbd>Esc</kbd>
    </button>
  )
}
