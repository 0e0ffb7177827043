import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { CONFIDENCE_LEVELS, SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { Icon, SeverityDot } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { severityText } from '../../../shared/text.ts'

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

const PRECISIONS = ['exact', 'settlement', 'lga', 'state'] as const

export function SeverityExplanation() {
  return explanationOf('severity', SEVERITIES, (severity) => (
    <>
      <SeverityDot severity={severity} />
      <span>
        <strong>{severityText(severity)}</strong>: {t(`common.severity_${severity}_meaning`)}
      </span>
    </>
  ))
}

export function PrecisionExplanation() {
  return explanationOf('precision', PRECISIONS, (precision) => t(`panel.precision_help_${precision}`))
}

export function ConfidenceExplanation() {
  return explanationOf('confidence', CONFIDENCE_LEVELS, (level) => t(`panel.confidence_help_${level}`))
}

/** A sentence about a field of the card, and its values with their meanings. */
function explanationOf<Value extends string>(
  field: 'severity' | 'precision' | 'confidence',
  values: readonly Value[],
  meaningOf: (value: Value) => ComponentChildren,
) {
  return (
    <Explanation title={t(`common.${field}`)}>
      <p>{t(`panel.${field}_help`)}</p>
      <ul class={field === 'severity' ? 'explanation-list' : undefined}>
        {values.map((value) => (
          <li key={value}>{meaningOf(value)}</li>
        ))}
      </ul>
    </Explanation>
  )
}
