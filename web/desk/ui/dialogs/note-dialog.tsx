import { useState } from 'preact/hooks'
import { Field } from '../../../shared/parts/field.tsx'
import type { DeskIncident } from '../../api/types.ts'
import { decide } from '../../decisions/decide.ts'
import { closeDialog } from '../../panels.ts'
import { CancelButton } from './cancel-button.tsx'
import { Dialog } from './dialog.tsx'

export function NoteDialog({ incident }: { incident: DeskIncident }) {
  const [text, setText] = useState('')
  const save = () => {
    closeDialog()
    if (text.trim() !== '') decide('note', incident, text.trim())
  }
  return (
    <Dialog title="Write a note">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="For colleagues; kept in the history, never published" wide>
          <textarea
            data-first
            rows={4}
            maxLength={1000}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              save()
            }}
          />
        </Field>
        <div class="row-of-buttons">
          <button type="submit" class="button primary">
            Save the note <kbd>Ctrl Enter</kbd>
          </button>
          <CancelButton />
        </div>
      </form>
    </Dialog>
  )
}
