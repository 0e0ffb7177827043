import { useEffect, useRef } from 'preact/hooks'
import { CopyButton } from '../../../shared/components/copy-button.tsx'
import { Icon } from '../../../shared/components/icon.tsx'
import { createStore, useStore } from '../../../shared/store.ts'
import { initialData } from '../../initial-data.ts'
import { addressOf, currentView } from '../../view/current-view.ts'
import { filterOf } from '../../view/view.ts'
import { listCommand, watchCommand } from './curl-commands.ts'

const sharing = createStore(false)

export function openShare(): void {
  sharing.set(true)
}

/** The present view for others: as a link, as a call of the API, and as a watch. */
export function Share() {
  const isOpen = useStore(sharing)
  const view = useStore(currentView)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  const link = initialData.publicUrl + addressOf(view)
  const embed = `<iframe src="${initialData.publicUrl}${addressOf({ ...view, embed: true, incident: null })}" title="Incident Feed" width="100%" height="480" loading="lazy"></iframe>`
  const call = listCommand(initialData.publicUrl, filterOf(view))
  const watch = watchCommand(initialData.publicUrl, filterOf(view), 'My watch')
  return (
    <dialog class="share" ref={dialog} aria-labelledby="share-title" onClose={() => sharing.set(false)}>
      {isOpen && (
        <>
          <div class="share-head">
            <h2 id="share-title">Share this view</h2>
            <button type="button" class="icon-button" onClick={() => sharing.set(false)}>
              <Icon name="close" />
              <span class="hidden">Close</span>
            </button>
          </div>
          <Piece title="Link" text={link} hint="Shows the same place, time and filters." />
          <Piece title="API call" text={call} hint="Asks for the same incidents.">
            <a href="/docs#createKey">Get a key</a>
          </Piece>
          <Piece title="Watch this" text={watch} hint="Your server is told of every new incident that matches.">
            <a href="/docs">How watches work</a>
          </Piece>
          <Piece title="Embed" text={embed} hint="Puts this map into a page of yours." />
        </>
      )}
    </dialog>
  )
}

interface PieceProperties {
  readonly title: string
  readonly text: string
  readonly hint: string
  readonly children?: preact.ComponentChildren
}

function Piece({ title, text, hint, children }: PieceProperties) {
  return (
    <section class="piece">
      <h3>{title}</h3>
      <p class="quiet">
        {hint} {children}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text}>Copy</CopyButton>
    </section>
  )
}
