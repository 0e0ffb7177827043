import { useState } from 'preact/hooks'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { request } from '../../shared/parts/request.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useAction } from '../parts/use-action.ts'
import { originsOf } from './origins.ts'
import { type KeyEntry, keyName } from './types.ts'

export function EditKeyDialog({
  entry,
  onClose,
  onDone,
}: {
  entry: KeyEntry
  onClose: () => void
  onDone: () => void
}) {
  const [name, setName] = useState(entry.name ?? '')
  const [origins, setOrigins] = useState(entry.origins.join('\n'))
  const { isBusy, failure, run } = useAction()
  const isPublishable = entry.kind === 'publishable'
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      const body = { name: name.trim() || null, ...(isPublishable ? { origins: originsOf(origins) } : {}) }
      await request('PATCH', `/v1/keys/${entry.id}`, { body })
      onDone()
    })
  }
  return (
    <Dialog title={`Edit ${keyName(entry)}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name">
          <input
            data-first
            maxLength={100}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        {isPublishable && (
          <Field label="Origins that may use it, one in each line; none allows any">
            <textarea rows={4} value={origins} onInput={({ currentTarget }) => setOrigins(currentTarget.value)} />
          </Field>
        )}
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <button type="submit" class="button primary" disabled={isBusy}>
            Save
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
