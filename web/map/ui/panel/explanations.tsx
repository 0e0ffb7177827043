import { CONFIDENCE_LEVELS } from '../../../../src/domain/confidence/levels.ts'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components/severity-dot.tsx'
import { t } from '../../../shared/language.ts'
import { severityText } from '../../../shared/words.ts'
import { Explanation } from './explanation.tsx'

const PRECISIONS = ['exact', 'settlement', 'lga', 'state'] as const

export function SeverityExplanation() {
  return (
    <Explanation title={t('common.severity')}>
      <p>{t('panel.severity_help')}</p>
      <ul class="explanation-list">
        {SEVERITIES.map((severity) => (
          <li key={severity}>
            <SeverityDot severity={severity} />
            <span>
              <strong>{severityText(severity)}</strong>: {t(`common.severity_${severity}_meaning`)}
            </span>
          </li>
        ))}
      </ul>
    </Explanation>
  )
}

export function PrecisionExplanation() {
  return (
    <Explanation title={t('common.precision')}>
      <p>{t('panel.precision_help')}</p>
      <ul>
        {PRECISIONS.map((precision) => (
          <li key={precision}>{t(`panel.precision_help_${precision}`)}</li>
        ))}
      </ul>
    </Explanation>
  )
}

export function ConfidenceExplanation() {
  return (
    <Explanation title={t('common.confidence')}>
      <p>{t('panel.confidence_help')}</p>
      <ul>
        {CONFIDENCE_LEVELS.map((level) => (
          <li key={level}>{t(`panel.confidence_help_${level}`)}</li>
        ))}
      </ul>
    </Explanation>
  )
}
