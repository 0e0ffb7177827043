import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { numberText } from '../../../shared/text.ts'
import { theme } from '../../../shared/theme.ts'
import { stateCounts } from '../../data/state-counts.ts'
import { classColours, stateClasses } from '../../state-classes.ts'

/** Explains the colours of the layer "By state", with their numbers. */
export function StateLegend() {
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
