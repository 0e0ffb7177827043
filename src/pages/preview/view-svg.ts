import { casualtiesText, daysText, filterTexts, placesText } from '../../api/alerts/filter-text.ts'
import type { Places } from '../../domain/places.ts'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Translate } from '../../i18n/translate.ts'
import { momentText } from '../../lib/nigeria-time.ts'
import { numberText } from '../../lib/text.ts'
import { type Html, html } from '../html.ts'
import type { Mark } from '../marks/find-marks.ts'
import { dot } from '../static-map/draw-marks.ts'
import { IMAGE_PALETTE } from '../static-map/palette.ts'
import type { Projection } from '../static-map/projection.ts'
import type { StaticMap } from '../static-map/static-map.ts'
import type { Figures } from '../view/figures.ts'
import { column, frame, IMAGE_HEIGHT, TEXT_LEFT } from './frame.ts'

export interface ViewImage {
  readonly filter: Filter
  readonly figures: Figures
  readonly marks: readonly Mark[]
  readonly projection: Projection
  readonly now: number
  readonly isDemo: boolean
}

/** The image of a view: where and when, how many incidents and casualties, and the map. */
export function viewSvg(view: ViewImage, map: StaticMap, places: Places, t: Translate): string {
  const { filter, figures, marks, projection, now, isDemo } = view
  const picture = map.draw(projection, { marks, outlined: filter.states ?? [], palette: IMAGE_PALETTE })
  const { svg, bottom } = column(
    [
      { text: placesText(filter, places, t), size: 40, bold: true },
      { text: daysText(filter, now, t), size: 26, quiet: true },
      ...filterTexts(filter, t).map((text) => ({ text, size: 22, quiet: true, maxLines: 1 })),
      {
        text: t('common.incidents', { count: numberText(figures.total.count) }),
        size: 46,
        bold: true,
        above: 20,
        maxLines: 1,
      },
      { text: casualtiesText(figures.total, t), size: 28 },
    ],
    40,
  )
  const asOf = html`<text x="${TEXT_LEFT}" y="${IMAGE_HEIGHT - 84}" font-size="20" fill="${IMAGE_PALETTE.quiet}">${t('share.as_of', { time: momentText(now) })}</text>`
  return frame(picture, html`${svg}${severities(figures, bottom + 48, t)}${asOf}`, isDemo, t)
}

/** The worst first; what did not happen is left out. */
function severities({ bySeverity }: Figures, top: number, t: Translate): Html[] {
  return SEVERITIES.filter((severity) => bySeverity[severity] > 0)
    .toReversed()
    .map((severity, index) => {
      const [x, y] = [TEXT_LEFT + 14 + (index % 2) * 250, top + Math.floor(index / 2) * 44]
      return html`<g transform="translate(${x} ${y})">${dot(severity, IMAGE_PALETTE, 1.2)}<text x="26" dy="0.36em" font-size="24">${t(`common.severity_${severity}`)} ${numberText(bySeverity[severity])}</text></g>`
    })
}
