import { useEffect, useRef, useState } from 'preact/hooks'
import { CopyButton, Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { createStore, useStore } from '../../../shared/store.ts'
import { currentQuestion } from '../../data/current-question.ts'
import { listQuery } from '../../data/question.ts'
import { initialData, serverNow } from '../../initial-data.ts'
import { addressOf, currentView } from '../../view/current-view.ts'
import { filterOf } from '../../view/view.ts'
import { listCommand, watchCommand } from './curl-commands.ts'

const shareIsOpen = createStore(false)

export function openShareDialog(): void {
  shareIsOpen.set(true)
}

/** Shows the current view as a link, an API call, a watch, an embedded map and on paper. */
export function ShareDialog() {
  const isOpen = useStore(shareIsOpen)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog class="share" ref={dialog} aria-labelledby="share-title" onClose={() => shareIsOpen.set(false)}>
      {isOpen && (
        <>
          <div class="dialog-head">
            <h2 id="share-title">{t('share.title')}</h2>
            <button type="button" class="icon-button" onClick={() => shareIsOpen.set(false)}>
              <Icon name="close" />
              <span class="hidden">{t('common.close')}</span>
            </button>
          </div>
          <ShareSections />
        </>
      )}
    </dialog>
  )
}

function ShareSections() {
  const view = useStore(currentView)
  const question = useStore(currentQuestion)
  const { publicUrl } = initialData
  const address = addressOf(view)
  const embedded = `${publicUrl}${addressOf({ ...view, embed: true, incident: null })}`
  const embed = `<iframe src="${embedded}" title="Incident Feed" width="100%" height="480" loading="lazy"></iframe>`
  return (
    <>
      <NativeShare title={document.title} url={publicUrl + address} />
      <ShareSection title={t('share.link')} text={publicUrl + address} hint={t('share.link_hint')} />
      <section class="piece">
        <h3>{t('share.paper')}</h3>
        <p class="quiet">{t('share.paper_hint')}</p>
        <a class="button" href={`/briefing${new URL(address, publicUrl).search}`} target="_blank" rel="noopener">
          {t('share.open_briefing')}
        </a>
      </section>
      <ShareSection
        title={t('share.call')}
        text={listCommand(publicUrl, listQuery(question), question)}
        hint={t('share.call_hint')}
      >
        <a href="/console">{t('share.get_key')}</a>
      </ShareSection>
      <ShareSection
        title={t('share.watch')}
        text={watchCommand(publicUrl, filterOf(view, serverNow()), view, t('share.watch_name'))}
        hint={t('share.watch_hint')}
      >
        <a href="/docs">{t('share.how_watches_work')}</a>
      </ShareSection>
      <ShareSection title={t('share.embed')} text={embed} hint={t('share.embed_hint')} />
    </>
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
      <CopyButton text={text}>{t('common.copy')}</CopyButton>
    </section>
  )
}

interface NativeShareProperties {
  readonly title: string
  readonly url: string
}

/** Opens the phone's own share sheet; a browser without one copies the link. */
export function NativeShare({ title, url }: NativeShareProperties) {
  const [failed, setFailed] = useState(false)
  if (typeof navigator.share !== 'function' || failed) return <CopyButton text={url}>{t('share.copy_link')}</CopyButton>
  const share = async () => {
    try {
      await navigator.share({ title, url })
    } catch (error) {
      // Closing the sheet without a choice is no failure.
      if ((error as Error).name === 'AbortError') return
      console.info('The share sheet could not be opened:', error)
      setFailed(true)
    }
  }
  return (
    <button type="button" class="button" onClick={share}>
      <Icon name="share" /> {t('share.native')}
    </button>
  )
}
