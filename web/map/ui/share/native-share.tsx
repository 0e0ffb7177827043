import { useState } from 'preact/hooks'
import { CopyButton, Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'

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
