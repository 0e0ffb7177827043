import { AREA_PAGES_PATH, type Lga, lgaPath, type Places, type State, statePath } from '../../../domain/places.ts'
import { EVERYTHING, type Filter } from '../../../filter/filter.ts'

/** What a page is about. */
export type Area =
  | { readonly kind: 'country' }
  | { readonly kind: 'state'; readonly state: State }
  | { readonly kind: 'lga'; readonly state: State; readonly lga: Lga }

export const COUNTRY: Area = { kind: 'country' }

export function stateArea(state: State): Area {
  return { kind: 'state', state }
}

export function lgaArea(lga: Lga): Area {
  return { kind: 'lga', state: lga.state, lga }
}

/** The 812 areas that have a page: the country, its states and its LGAs. */
export function allAreas({ states, lgas }: Places): Area[] {
  return [COUNTRY, ...states.map(stateArea), ...lgas.map(lgaArea)]
}

/** Unique: the code of the state or LGA. */
export function areaCode(area: Area): string {
  return area.kind === 'country' ? 'NG' : area.kind === 'state' ? area.state.code : area.lga.code
}

/** The canonical path of the area's page. */
export function areaPath(area: Area): string {
  if (area.kind === 'country') return AREA_PAGES_PATH
  return area.kind === 'state' ? statePath(area.state.name) : lgaPath(area.state.name, area.lga.name)
}

/** Selects the incidents of the area. */
export function areaFilter(area: Area): Filter {
  if (area.kind === 'country') return EVERYTHING
  return { ...EVERYTHING, states: [area.state.code], lgas: area.kind === 'lga' ? [area.lga.code] : null }
}

/** The filter of the area in the address of the map, such as `state=NG-KD`. */
export function areaQuery(area: Area): URLSearchParams {
  if (area.kind === 'country') return new URLSearchParams()
  return new URLSearchParams({
    state: area.state.code,
    ...(area.kind === 'lga' ? { lga: area.lga.code } : {}),
  })
}
