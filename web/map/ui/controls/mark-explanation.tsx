import { CATEGORY_NAMES, SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { categoryText, severityText, typeText } from '../../../shared/text.ts'
import { ICONS, type IconName } from '../../canvas/style/images/icons.ts'
import { Explanation } from '../panel/explanation.tsx'

/** The numbers of the examples. */
const [IN_CLUSTER, IN_BADGE] = [12, 2]

/** Types whose icon differs from that of their category. */
const OWN_ICONS = ['hostage_release', 'military_operation'] as const

/** Explains every mark of the map: dots, discs, badges and icons. */
export function MarkExplanation() {
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
