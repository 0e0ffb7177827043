import { AREA_PAGES_PATH } from '../../../../../src/domain/places.ts'
import { trendText } from '../../../../../src/i18n/trend-text.ts'
import { inLanguage, t } from '../../../../shared/language.ts'
import { useStore } from '../../../../shared/store.ts'
import { incidentCountText, numberText } from '../../../../shared/text.ts'
import { chosenArea, STATE_CODE_LENGTH } from '../../../data/area-trend.ts'
import type { Figures } from '../../../data/figures/figures.ts'
import { usePageState } from '../../../data/figures/page-figures.ts'
import { usePlaceName } from '../../../data/place-names.ts'
import { useAreaTrend } from '../../../data/use-area-trend.ts'
import { changeView, currentView } from '../../../view/current-view.ts'
import { useNow } from '../../use-now.ts'
import { windowText } from '../../window-text.ts'

/** Says how many incidents the list has, in which time and which part of the map. */
export function ListHead() {
  const { box: chosenBox } = useStore(currentView)
  const { figures, figuresAreOld, loading } = usePageState()
  const now = useNow()
  const box = figures?.question.box ?? null
  return (
    <div class="list-head" aria-busy={loading || figuresAreOld} data-old={figures !== null && figuresAreOld}>
      <h1>
        {figures === null
          ? t('panel.counting')
          : t('panel.headline', {
              incidents: incidentCountText(figures.total.count),
              window: windowText(figures.question.window, now),
            })}
      </h1>
      {figures !== null && <CasualtyTotals figures={figures.total} />}
      <ChosenArea />
      {box !== null && (
        <p class="quiet list-area">
          {t(chosenBox === null ? 'panel.in_view' : 'panel.in_box')}{' '}
          <button type="button" class="text-button" onClick={() => changeView({ camera: null, box: null })}>
            {t('panel.all_of_nigeria')}
          </button>
        </p>
      )}
    </div>
  )
}

/** Compares the one state or LGA of the list with the usual, and leads to its page. */
function ChosenArea() {
  const chosen = chosenArea(useStore(currentView))
  const name = usePlaceName(chosen)
  const trend = useAreaTrend()
  if (chosen === null || name === null) return null
  const state = chosen.slice(0, STATE_CODE_LENGTH)
  // The server finds the page by codes as well.
  const path = `${AREA_PAGES_PATH}/${state}${chosen === state ? '' : `/${chosen}`}`
  return (
    <p class="list-area">
      {trend !== null && (
        <>
          {name}: {trendText(trend, t)} {trend.isHigher && <strong>{t('areas.trend_higher')}</strong>}{' '}
        </>
      )}
      <a href={inLanguage(path)}>{t('areas.more_about', { place: name })}</a>
    </p>
  )
}

function CasualtyTotals({ figures: { killed, injured, abducted } }: { figures: Figures }) {
  const parts = [
    killed !== null && t('common.killed', { count: numberText(killed) }),
    injured !== null && t('common.injured', { count: numberText(injured) }),
    abducted !== null && t('common.abducted', { count: numberText(abducted) }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return (
    <p class="casualty-totals" title={t('panel.casualties_basis')}>
      {parts.join(' · ')}
    </p>
  )
}
