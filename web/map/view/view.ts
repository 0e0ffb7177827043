import { SEVERITIES, type Severity } from '../../../src/domain/taxonomy.ts'
import { type BoundingBox, boxInAddress, filterInAddress, timesInAddress } from '../../../src/filter/map-address.ts'
import { DEFAULT_MAP_PERIOD, type MapPeriod, type TimeWindow } from '../../../src/filter/map-periods.ts'
import {
  type DrawnArea,
  drawnAreaIn,
  drawnAreaText,
  type Near,
  nearIn,
  nearText,
  type Road,
  roadIn,
  roadText,
} from './shapes.ts'

export type { BoundingBox, TimeWindow }

export const LAYERS = ['incidents', 'heat', 'states'] as const
export type Layer = (typeof LAYERS)[number]

export interface Camera {
  readonly zoom: number
  readonly lat: number
  readonly lng: number
}

/** Everything that decides what the page shows. The page's address contains all of it. */
export interface View {
  readonly period: MapPeriod
  /** A part of the period that begins and ends with bars; null shows the whole period. */
  readonly window: TimeWindow | null
  readonly states: readonly string[]
  readonly lgas: readonly string[]
  readonly types: readonly string[]
  readonly severities: readonly Severity[]
  readonly minConfidence: string | null
  readonly near: Near | null
  /** A query string of the API cannot hold it: `queryApi` sends it in a body. */
  readonly road: Road | null
  /** Neither can it hold an area that was drawn. */
  readonly polygon: DrawnArea | null
  /** Restricts list and counts to a part of the map; null means what the map shows. */
  readonly box: BoundingBox | null
  readonly layer: Layer
  /** Null shows all of Nigeria. */
  readonly camera: Camera | null
  /** The id of the incident whose card is open. */
  readonly incident: string | null
  readonly embed: boolean
}

export function readView(address: URLSearchParams, path = '/'): View {
  return {
    ...timesInAddress(address),
    states: listIn(address, 'state'),
    lgas: listIn(address, 'lga'),
    types: listIn(address, 'type'),
    severities: SEVERITIES.filter((severity) => listIn(address, 'severity').includes(severity)),
    minConfidence: /^(0(\.\d+)?|1(\.0+)?)$/.test(address.get('min_confidence') ?? '')
      ? address.get('min_confidence')
      : null,
    near: nearIn(address),
    road: roadIn(address),
    polygon: drawnAreaIn(address),
    box: boxInAddress(address),
    layer: LAYERS.find((layer) => layer === address.get('layer')) ?? 'incidents',
    camera: readCamera(address.get('at')),
    incident: /^\/incidents\/([^/]+)$/.exec(path)?.[1] ?? address.get('incident'),
    embed: address.get('embed') === '1',
  }
}

/** Returns the query of the view's address; default values are left out. */
export function writeView(view: View): URLSearchParams {
  const address = new URLSearchParams()
  const put = (name: string, value: string | null) => {
    if (value) address.set(name, value)
  }
  put('span', view.period === DEFAULT_MAP_PERIOD ? null : view.period)
  put('from', view.window?.from ?? null)
  put('to', view.window?.to ?? null)
  put('state', view.states.join(','))
  put('lga', view.lgas.join(','))
  put('type', view.types.join(','))
  put('severity', view.severities.join(','))
  put('min_confidence', view.minConfidence)
  put('near', view.near && nearText(view.near))
  put('radius_km', view.near && String(view.near.radiusKm))
  put('road', view.road && roadText(view.road))
  put('buffer_km', view.road && String(view.road.bufferKm))
  put('polygon', view.polygon && drawnAreaText(view.polygon))
  put('box', view.box && boxText(view.box))
  put('layer', view.layer === 'incidents' ? null : view.layer)
  put('at', view.camera && cameraText(view.camera))
  put('incident', view.incident)
  put('embed', view.embed ? '1' : null)
  return address
}

/** Returns the view's filter as the API takes it. `now` decides when a period ends. */
export function filterOf(view: View, now = Date.now()): URLSearchParams {
  return filterInAddress(writeView(view), now)
}

/** Counts the filters that are set; the time does not count. */
export function filterCount({
  states,
  lgas,
  types,
  severities,
  minConfidence,
  near,
  road,
  polygon,
  box,
}: View): number {
  const lists = [states, lgas, types, severities].filter(({ length }) => length > 0)
  return lists.length + [minConfidence, near, road, polygon, box].filter((one) => one !== null).length
}

export const NO_FILTERS = {
  states: [],
  lgas: [],
  types: [],
  severities: [],
  minConfidence: null,
  near: null,
  road: null,
  polygon: null,
  box: null,
  window: null,
} as const

/** Writes a query with unescaped commas, colons and slashes, so that people can read it. */
export function addressText(address: URLSearchParams): string {
  return address.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%3B', ';')
}

function listIn(address: URLSearchParams, name: string): string[] {
  const parts = (address.get(name) ?? '').split(',').map((part) => part.trim())
  return [...new Set(parts)].filter((part) => part !== '')
}

function readCamera(text: string | null): Camera | null {
  const [zoom, lat, lng] = (text ?? '').split('/').map((part) => (part === '' ? Number.NaN : Number(part)))
  if (![zoom, lat, lng].every(Number.isFinite)) return null
  const camera = { zoom: zoom!, lat: lat!, lng: lng! }
  return camera.zoom >= 0 && camera.zoom <= 22 && Math.abs(camera.lat) <= 85 && Math.abs(camera.lng) <= 180
    ? camera
    : null
}

function cameraText({ zoom, lat, lng }: Camera): string {
  return `${round(zoom, 2)}/${round(lat, 4)}/${round(lng, 4)}`
}

const BOX_STEP = 1e-6

/** Rounds outwards, to 10 cm: a box around one point must still contain it. */
export function boxText([west, south, east, north]: BoundingBox): string {
  const down = (degrees: number) => round(round(degrees, 6) > degrees ? degrees - BOX_STEP : degrees, 6)
  const up = (degrees: number) => round(round(degrees, 6) < degrees ? degrees + BOX_STEP : degrees, 6)
  return [down(west), down(south), up(east), up(north)].map(plainNumber).join(',')
}

/** Writes no exponent: the API takes plain decimals. */
function plainNumber(value: number): string {
  return String(value).includes('e') ? value.toFixed(6) : String(value)
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
