import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'

interface ExplanationProperties {
  /** The word that is explained, such as `Severity`. */
  readonly title: string
  /** The words of the button, if "What does this mean?" is not clear where it stands. */
  readonly label?: string
  readonly children: ComponentChildren
}

/**
 * "What does this mean?" The browser's own popover closes with Escape and with a tap elsewhere, and
 * gives the focus back. A browser that has no popovers shows the text at once.
 */
export function Explanation({ title, label, children }: ExplanationProperties) {
  const id = useId()
  return (
    <>
      <button type="button" class="text-button what" popovertarget={id}>
        {label ?? t('common.what_does_this_mean')}
        {label === undefined && <span class="hidden"> {title}</span>}
      </button>
      <div id={id} popover="auto" class="explanation" role="dialog" aria-labelledby={`${id}-title`}>
        <div class="dialog-head">
          <strong id={`${id}-title`}>{title}</strong>
          <button type="button" class="icon-button" popovertarget={id} popovertargetaction="hide">
            <Icon name="close" />
            <span class="hidden">{t('common.close')}</span>
          </button>
        </div>
        {children}
        <p>
          <a href="/about">{t('panel.more_about')}</a>
        </p>
      </div>
    </>
  )
}
