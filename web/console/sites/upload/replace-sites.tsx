import { useState } from 'preact/hooks'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { request } from '../../../shared/parts/request.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useAction } from '../../parts/use-action.ts'
import { contentTypeOf, type SiteList } from '../site-list.ts'
import { FileField } from './file-field.tsx'

interface ReplaceSitesProperties {
  readonly list: SiteList
  readonly onClose: () => void
  readonly onReplaced: () => void
}

/** Puts the sites of another file in place of all that the list has. */
export function ReplaceSites({ list, onClose, onReplaced }: ReplaceSitesProperties) {
  const [file, setFile] = useState<File | null>(null)
  const { isBusy, failure, run, clear } = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    if (file === null) return
    void run(async () => {
      await request('PUT', `/v1/sites/${list.id}`, { content: { type: contentTypeOf(file), body: file } })
      onReplaced()
    })
  }
  return (
    <Dialog title={`Replace the sites of ${list.name}`} onClose={onClose}>
      <form class="dialog-body" onSubmit={submit}>
        <p>
          All sites of the list go, and those of the file come in their place.
          {list.watches > 0 && ' Watches that use it look near the new ones from then on.'}
        </p>
        <FileField
          onChoose={(chosen) => {
            clear()
            setFile(chosen)
          }}
        />
        <FailureNote failure={failure} />
        <div class="row-of-buttons">
          <button type="submit" class="button primary" disabled={isBusy || file === null}>
            Replace them
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
