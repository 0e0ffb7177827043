import type { ComponentChildren } from 'preact'
import { CONFIDENCE_LEVELS } from '../../../../src/domain/confidence.ts'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { severityText } from '../../../shared/text.ts'
import { Explanation } from './explanation.tsx'

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
