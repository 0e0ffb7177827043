import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { severityText } from '../../../shared/text.ts'
import { theme } from '../../../shared/theme.ts'
import { currentView } from '../../view/current-view.ts'
import { MarkExplanation } from './mark-explanation.tsx'
import { StateLegend } from './state-legend.tsx'

/** Explains the marks on the map. */
export function Legend() {
  const { layer } = useStore(currentView)
  const isDark = useStore(theme) === 'dark'
  if (layer === 'states') return <StateLegend />
  if (layer === 'heat') return <p class="legend">{t(isDark ? 'map.legend_heat_brighter' : 'map.legend_heat_darker')}</p>
  return (
    <section class="legend" aria-label={t('map.legend_marks')}>
      <ul>
        {SEVERITIES.map((severity) => (
          <li key={severity}>
            <SeverityDot severity={severity} />
            {severityText(severity)}
          </li>
        ))}
      </ul>
      <MarkExplanation />
    </section>
  )
}
