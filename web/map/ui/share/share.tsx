import { useEffect, useRef } from 'preact/hooks'
import { CopyButton } from '../../../shared/components/copy-button.tsx'
import { Icon } from '../../../shared/components/icon.tsx'
import { createStore, useStore } from '../../../shared/store.ts'
import { initialData } from '../../initial-data.ts'
import { addressOf, currentView } from '../../view/current-view.ts'
import { filterOf } from '../../view/view.ts'
import { listCommand, watchCommand } from './curl-commands.ts'

const shareIsOpen = createStore(false)

export function openShareDialog(): void {
  shareIsOpen.set(true)
}

/** Shows the current view as a link, an API call, a watch and an embedded map. */
export function ShareDialog() {
  const isOpen = useStore(shareIsOpen)
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
    <dialog class="share" ref={dialog} aria-labelledby="share-title" onClose={() => shareIsOpen.set(false)}>
      {isOpen && (
        <>
          <div class="share-head">
            <h2 id="share-title">Share this view</h2>
            <button type="button" class="icon-button" onClick={() => shareIsOpen.set(false)}>
              <Icon name="close" />
              <span class="hidden">Close</span>
            </button>
          </div>
          <ShareSection title="Link" text={link} hint="Shows the same place, time and filters." />
          <ShareSection title="API call" text={call} hint="Asks for the same incidents.">
            <a href="/docs#createKey">Get a key</a>
          </ShareSection>
          <ShareSection title="Watch this" text={watch} hint="Your server is told of every new incident that matches.">
            <a href="/docs">How watches work</a>
          </ShareSection>
          <ShareSection title="Embed" text={embed} hint="Puts this map into a page of yours." />
        </>
      )}
    </dialog>
  )
}

interface ShareSectionProperties {
  readonly title: string
  readonly text: string
  readonly hint: string
  readonly children?: preact.ComponentChildren
}

function ShareSection({ title, text, hint, children }: ShareSectionProperties) {
  return (
    <section class="piece">
      <h3>{title}</h3>
      <p class="quiet">
        {hint} {children}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text}>Copy</CopyButton>
    </section>
  )
}
