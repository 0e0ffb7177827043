import { CATEGORY_NAMES, SEVERITIES } from '../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../shared/components.tsx'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { categoryText, numberText, severityText, typeText } from '../../shared/text.ts'
import { theme } from '../../shared/theme.ts'
import { ICONS, type IconName } from '../canvas/style/icons.ts'
import { stateCounts } from '../data/state-counts.ts'
import { classColours, stateClasses } from '../state-classes.ts'
import { currentView } from '../view/current-view.ts'
import { Explanation } from './panel/explanation.tsx'

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

/** The numbers of the examples. */
const [IN_CLUSTER, IN_BADGE] = [12, 2]

/** Types whose icon differs from that of their category. */
const OWN_ICONS = ['hostage_release', 'military_operation'] as const

/** Explains every mark of the map: dots, discs, badges and icons. */
function MarkExplanation() {
  return (
    <Explanation title={t('map.legend_marks')} label={t('map.legend_all')}>
      <ul class="explanation-list mark-list">
        {SEVERITIES.map((severity) => (
          <li key={severity}>
            <SeverityDot severity={severity} />
            {severityText(severity)}
          </li>
        ))}
        <li>
          <span class="mark-cluster">{IN_CLUSTER}</span>
          {t('map.legend_cluster', { count: IN_CLUSTER })}
        </li>
        <li>
          <span class="mark-cluster dashed">{IN_CLUSTER}</span>
          {t('map.legend_dashed')}
        </li>
        <li>
          <span class="mark-badge">+{IN_BADGE}</span>
          {t('map.legend_badge', { count: IN_BADGE })}
        </li>
      </ul>
      <p>{t('map.legend_icons')}</p>
      <ul class="explanation-list mark-list">
        {CATEGORY_NAMES.map((category) => (
          <li key={category}>
            <IncidentIcon name={category} />
            {categoryText(category)}
          </li>
        ))}
        {OWN_ICONS.map((type) => (
          <li key={type}>
            <IncidentIcon name={type} />
            {typeText(type)}
          </li>
        ))}
      </ul>
      <p>{t('map.legend_recent')}</p>
    </Explanation>
  )
}

/** The same outline as on the map, in a disc. */
function IncidentIcon({ name }: { name: IconName }) {
  return (
    <svg class={`mark-icon ${name}`} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <circle cx="12" cy="12" r="10" />
      <path d={ICONS[name]} transform="translate(5 5) scale(.875)" />
    </svg>
  )
}

/** Explains the colours of the layer "By state", with their numbers. */
function StateLegend() {
  const counts = useStore(stateCounts)
  const currentTheme = useStore(theme)
  if (counts === null) return <p class="legend">{t('map.legend_counting')}</p>
  const classes = stateClasses(counts.values())
  if (classes.length === 0) return <p class="legend">{t('map.legend_no_incidents')}</p>
  const colours = classColours(currentTheme, classes.length)
  return (
    <section class="legend state-legend" aria-label={t('map.legend_by_state')}>
      <p>{t('map.legend_by_state')}</p>
      <ul>
        {classes.map(({ from, to }, index) => (
          <li key={from}>
            <svg class="swatch" viewBox="0 0 18 12" width="18" height="12" aria-hidden="true">
              <rect width="18" height="12" rx="2" fill={colours[index]} />
            </svg>
            {from === to ? numberText(from) : `${numberText(from)}–${numberText(to)}`}
          </li>
        ))}
      </ul>
      <p class="quiet">{t(currentTheme === 'dark' ? 'map.legend_brighter_is_more' : 'map.legend_darker_is_more')}</p>
    </section>
  )
}
