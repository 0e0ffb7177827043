import type { Lga } from '../../domain/places.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Translate } from '../../i18n/translate.ts'
import { numberText } from '../../lib/text.ts'
import { type Html, html } from '../html.ts'
import { fitBox, type Projection } from '../projection.ts'
import { PAGE_PALETTE, type StaticMap } from '../static-map.ts'
import type { Area } from './area.ts'
import type { AreaContent } from './area-content.ts'
import { areaTitle } from './area-page.ts'

const [WIDTH, HEIGHT] = [480, 400]

/** The picture of an area: the country, a state, or an LGA in its state. */
export class AreaMaps {
  readonly #map: StaticMap
  readonly #geography: Geography
  /** By the code of the state: all its LGAs are shown in it. */
  readonly #projections = new Map<string, Projection>()

  constructor(map: StaticMap, geography: Geography) {
    this.#map = map
    this.#geography = geography
  }

  projectionOf(area: Area): Projection {
    const codes = area.kind === 'country' ? [] : [area.state.code]
    const key = codes.join()
    const projection = this.#projections.get(key) ?? fitBox(this.#map.boxOfStates(codes), WIDTH, HEIGHT)
    this.#projections.set(key, projection)
    return projection
  }

  draw(area: Area, projection: Projection, { marks, types, span }: AreaContent, t: Translate): Html {
    const count = types.reduce((sum, one) => sum + one.count, 0)
    const label = t('areas.map_label', {
      place: areaTitle(area, t),
      span: t(`areas.span_${span}`),
      incidents: t('common.incidents', { count: numberText(count) }),
    })
    const picture = this.#map.draw(projection, {
      marks,
      outlined: area.kind === 'country' ? [] : [area.state.code],
      palette: PAGE_PALETTE,
      ...(area.kind === 'lga' ? { beneath: this.#lga(area.lga, projection) } : {}),
    })
    return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" font-family="system-ui, sans-serif">${picture}</svg>`
  }

  /** Its outline where the operator has boundaries, otherwise a ring around its centre. */
  #lga(lga: Lga, projection: Projection): Html {
    const rings = this.#geography.lgaRings?.(lga.code) ?? null
    if (rings === null) {
      const [x, y] = projection.at(lga.lng, lga.lat)
      return html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="22" fill="${PAGE_PALETTE.accent}" fill-opacity="0.15" stroke="${PAGE_PALETTE.accent}" stroke-width="2" stroke-dasharray="4 3"/>`
    }
    const path = rings.map((ring) => ringPath(ring, projection)).join('')
    return html`<path d="${path}" fill="${PAGE_PALETTE.accent}" fill-opacity="0.15" fill-rule="evenodd" stroke="${PAGE_PALETTE.accent}" stroke-width="2" stroke-linejoin="round"/>`
  }
}

/** In whole pixels; points that fall together are drawn once. */
function ringPath(ring: Float64Array, projection: Projection): string {
  const points: string[] = []
  for (let at = 0; at < ring.length; at += 2) {
    const [x, y] = projection.at(ring[at]!, ring[at + 1]!)
    const point = `${Math.round(x)} ${Math.round(y)}`
    if (points.at(-1) !== point) points.push(point)
  }
  return points.length < 3 ? '' : `M${points.join('L')}Z`
}
