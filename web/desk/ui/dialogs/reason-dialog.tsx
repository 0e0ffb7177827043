import { useState } from 'preact/hooks'
import { Field } from '../../../shared/parts/field.tsx'
import { closeDialog } from '../../panels.ts'
import { CancelButton } from './cancel-button.tsx'
import { Dialog } from './dialog.tsx'

interface ReasonDialogProperties {
  readonly title: string
  readonly verb: string
  /** Each is chosen with its number. */
  readonly reasons: readonly string[]
  readonly onChoose: (reason: string | null) => void
}

/** Asks for a reason: a number takes a usual one, or it is written. */
export function ReasonDialog({ title, verb, reasons, onChoose }: ReasonDialogProperties) {
  const [text, setText] = useState('')
  const choose = (reason: string) => {
    closeDialog()
    onChoose(reason.trim() || null)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return
    const reason = reasons[Number(event.key) - 1]
    if (reason === undefined) return
    event.preventDefault()
    choose(reason)
  }
  return (
    <Dialog title={title} onKeyDown={keys}>
      <ol class="reason-list">
        {reasons.map((reason, index) => (
          <li key={reason}>
            <button
              type="button"
              class="choice"
              {...(index === 0 ? { 'data-first': '' } : {})}
              onClick={() => choose(reason)}
            >
              <kbd>{index + 1}</kbd> {reason}
            </button>
          </li>
        ))}
      </ol>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          choose(text)
        }}
      >
        <Field label="Another reason (kept in the history, not published)" wide>
          <input value={text} maxLength={1000} onInput={(event) => setText(event.currentTarget.value)} />
        </Field>
        <div class="row-of-buttons">
          <button type="submit" class="button primary">
            {verb}
          </button>
          <CancelButton />
        </div>
      </form>
    </Dialog>
  )
}
