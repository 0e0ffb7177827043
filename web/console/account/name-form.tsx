import { useState } from 'preact/hooks'
import { Field } from '../../shared/parts/field.tsx'
import { request } from '../../shared/parts/request.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useAction } from '../parts/use-action.ts'
import { readPerson } from '../person.ts'

/** Changes the name of the account; an empty one takes it away. */
export function NameForm({ name: before }: { name: string | null }) {
  const [name, setName] = useState(before ?? '')
  const [isSaved, setSaved] = useState(false)
  const { isBusy, failure, run } = useAction()
  const isChanged = name.trim() !== (before ?? '')
  const submit = async (event: Event) => {
    event.preventDefault()
    const saved = await run(async () => {
      await request('PATCH', '/v1/me', { body: { name: name.trim() || null } })
      await readPerson()
    })
    setSaved(saved)
  }
  return (
    <form class="name-form" onSubmit={submit}>
      <div class="row-of-buttons">
        <Field label="Name">
          <input
            maxLength={100}
            autocomplete="name"
            placeholder="none"
            value={name}
            onInput={({ currentTarget }) => {
              setSaved(false)
              setName(currentTarget.value)
            }}
          />
        </Field>
        <button type="submit" class="button" disabled={isBusy || !isChanged}>
          Save the name
        </button>
      </div>
      <p role="status" class="quiet">
        {isSaved && !isChanged ? 'Saved.' : ''}
      </p>
      <FailureNote failure={failure} />
    </form>
  )
}
