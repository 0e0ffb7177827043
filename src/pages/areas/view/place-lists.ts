import type { Lga, Places, State } from '../../../domain/places.ts'
import { numberText } from '../../../lib/text.ts'
import { type Html, html } from '../../html.ts'
import { type PageLanguage, pathInLanguage } from '../../page-language.ts'
import { type AreaContent, partsOf } from '../content/area-content.ts'
import { type Area, areaPath, lgaArea, stateArea } from '../places/area.ts'
import type { Neighbours } from '../places/neighbours.ts'

/** Links to the areas in this one and beside it, with their counts. */
export function placeLists(
  area: Area,
  { counts, withoutLga }: AreaContent,
  places: Places,
  neighbours: Neighbours,
  language: PageLanguage,
): Html {
  const t = language.translate
  const list = (title: string, all: readonly (State | Lga)[], note: Html | null = null) =>
    html`<section><h2>${title}</h2><p class="quiet">${t('areas.counts_note')}${note}</p><ul class="places">${all.map((place) => line(place, area, counts, language))}</ul></section>`
  if (area.kind === 'country') return list(t('areas.states'), partsOf(area, places))
  if (area.kind === 'lga') {
    const nearby = neighbours.ofLga(area.lga.code).map(({ lga }) => lga)
    return list(t('areas.nearby'), nearby)
  }
  const unknown = withoutLga > 0 ? html` ${t('areas.without_lga', { count: numberText(withoutLga) })}` : null
  return html`${list(t('areas.lgas'), partsOf(area, places), unknown)}${list(t('areas.neighbours'), neighbours.ofState(area.state.code))}`
}

function line(place: State | Lga, area: Area, counts: AreaContent['counts'], language: PageLanguage): Html {
  const isLga = 'state' in place
  const path = areaPath(isLga ? lgaArea(place) : stateArea(place))
  const name =
    isLga && area.kind !== 'country' && place.state !== area.state ? `${place.name}, ${place.state.name}` : place.name
  return html`<li><a href="${pathInLanguage(path, language)}"><span>${name}</span><b>${numberText(counts.get(place.code) ?? 0)}</b></a></li>`
}
