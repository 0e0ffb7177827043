import { confidenceLevel } from '../../domain/confidence.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Translate } from '../../i18n/translate.ts'
import type { Box } from '../../lib/geometry.ts'
import { dayText } from '../../lib/nigeria-time.ts'
import { html } from '../html.ts'
import { dot } from '../static-map/draw-marks.ts'
import { IMAGE_PALETTE } from '../static-map/palette.ts'
import { fitBox, type Projection } from '../static-map/projection.ts'
import type { StaticMap } from '../static-map/static-map.ts'
import { column, frame, IMAGE_HEIGHT, MAP_WIDTH, TEXT_LEFT } from './frame.ts'

/** Far enough to recognize the state; farther if the place is known less well. */
const MIN_DISTANCE_KM = 150
const KM_PER_DEGREE = 111

/** The image of one incident: what, where, when, how sure, and its place on the map. */
export function incidentSvg(incident: Incident, map: StaticMap, isDemo: boolean, t: Translate): string {
  const { location, lga, state } = incident
  const projection = fitBox(surroundings(incident), MAP_WIDTH, IMAGE_HEIGHT, 0)
  const picture = map.draw(projection, {
    marks: [],
    outlined: [location.state_code],
    hatched:
      location.precision === 'state' ? { code: location.state_code, colour: IMAGE_PALETTE[incident.severity] } : null,
    palette: IMAGE_PALETTE,
    above: position(incident, projection),
  })
  const kind = `${t(`common.type_${incident.type}`)} · ${t('common.severity_label', { severity: t(`common.severity_${incident.severity}`) })}`
  const { svg } = column(
    [
      {
        text: `${lga === null ? '' : `${lga}, `}${state} · ${dayText(incident.occurred_at)}`,
        size: 26,
        quiet: true,
      },
      { text: incident.summary, size: 38, bold: true, maxLines: 6, above: 8 },
      {
        text: `${t('common.confidence')}: ${t(`common.confidence_${confidenceLevel(incident.confidence)}`)}`,
        size: 26,
        above: 12,
      },
    ],
    88,
  )
  const words = html`<g transform="translate(${TEXT_LEFT + 14} 72)">${dot(incident.severity, IMAGE_PALETTE, 1.4)}</g><text x="${TEXT_LEFT + 40}" y="81" font-size="26">${kind}</text>${svg}`
  return frame(picture, words, isDemo, t)
}

function surroundings({ lat, lng, location: { radius_km } }: Incident): Box {
  const degrees = Math.max(MIN_DISTANCE_KM, 1.3 * (radius_km ?? 0)) / KM_PER_DEGREE
  return { west: lng - degrees, east: lng + degrees, south: lat - degrees, north: lat + degrees }
}

/** Known only to the state: no position. To the LGA: a dashed circle of its size, not a point. */
function position({ lat, lng, severity, location: { precision, radius_km } }: Incident, projection: Projection) {
  if (precision === 'state') return html``
  const [x, y] = projection.at(lng, lat)
  const radius = radius_km === null ? 0 : projection.pixelsOf(radius_km)
  const isArea = precision === 'lga'
  const colour = IMAGE_PALETTE[severity]
  const around =
    isArea || radius > 24
      ? html`<circle r="${Math.max(24, radius).toFixed(0)}" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="2" stroke-dasharray="8 6"/>`
      : null
  return html`<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)})">${around}${isArea ? null : dot(severity, IMAGE_PALETTE, 2)}</g>`
}
