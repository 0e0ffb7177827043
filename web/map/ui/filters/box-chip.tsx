import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { numberText } from '../../../shared/text.ts'
import { usePageState } from '../../data/figures/page-figures.ts'
import { changeView, currentView } from '../../view/current-view.ts'
import type { BoundingBox } from '../../view/view.ts'

/** A box hardly wider than this is one place: about 50 m. */
const POINT_DEGREES = 0.0005

/**
 * Names the part of the map that list and counts are restricted to; a click removes the
 * restriction.
 */
export function BoxChip() {
  const { box } = useStore(currentView)
  const { figures } = usePageState()
  if (box === null) return null
  const count = numberText(figures?.total.count ?? 0)
  return (
    <button
      type="button"
      class="chip"
      data-on="true"
      title={t('filters.remove')}
      onClick={() => changeView({ box: null })}
    >
      {t(isPoint(box) ? 'filters.point' : 'filters.box', { count })}
      <Icon name="close" />
    </button>
  )
}

function isPoint([west, south, east, north]: BoundingBox): boolean {
  return east - west < POINT_DEGREES && north - south < POINT_DEGREES
}
