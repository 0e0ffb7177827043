import { SEVERITIES, type Severity } from '../../../src/domain/taxonomy.ts'
import { DEFAULT_MAP_PERIOD, filterInAddress, type MapPeriod, mapPeriodIn } from '../../../src/query/map-view.ts'

export const LAYERS = ['incidents', 'heat', 'states'] as const
export type Layer = (typeof LAYERS)[number]

export interface Camera {
  readonly zoom: number
  readonly lat: number
  readonly lng: number
}

/** Everything that decides what the page shows, and all of it stands in the address. */
export interface View {
  readonly span: MapPeriod
  /** The window within the span, as RFC 3339 times; null where the whole span is shown. */
  readonly window: { readonly from: string; readonly to: string } | null
  readonly states: readonly string[]
  readonly lgas: readonly string[]
  readonly types: readonly string[]
  readonly severities: readonly Severity[]
  readonly minConfidence: string | null
  readonly layer: Layer
  /** Null shows all of Nigeria. */
  readonly camera: Camera | null
  /** The id of the incident whose card is open. */
  readonly incident: string | null
  readonly embed: boolean
}

export function readView(address: URLSearchParams, path = '/'): View {
  const [from, to] = [address.get('from'), address.get('to')]
  return {
    span: mapPeriodIn(address),
    window: isTime(from) && isTime(to) && Date.parse(from) < Date.parse(to) ? { from, to } : null,
    states: listIn(address, 'state'),
    lgas: listIn(address, 'lga'),
    types: listIn(address, 'type'),
    severities: SEVERITIES.filter((severity) => listIn(address, 'severity').includes(severity)),
    minConfidence: /^(0(\.\d+)?|1(\.0+)?)$/.test(address.get('min_confidence') ?? '')
      ? address.get('min_confidence')
      : null,
    layer: LAYERS.find((layer) => layer === address.get('layer')) ?? 'incidents',
    camera: readCamera(address.get('at')),
    incident: /^\/incidents\/([^/]+)$/.exec(path)?.[1] ?? address.get('incident'),
    embed: address.get('embed') === '1',
  }
}

/** The same view's address, with nothing in it that goes without saying. */
export function writeView(view: View): URLSearchParams {
  const address = new URLSearchParams()
  const put = (name: string, value: string | null) => {
    if (value) address.set(name, value)
  }
  put('span', view.span === DEFAULT_MAP_PERIOD ? null : view.span)
  put('from', view.window?.from ?? null)
  put('to', view.window?.to ?? null)
  put('state', view.states.join(','))
  put('lga', view.lgas.join(','))
  put('type', view.types.join(','))
  put('severity', view.severities.join(','))
  put('min_confidence', view.minConfidence)
  put('layer', view.layer === 'incidents' ? null : view.layer)
  put('at', view.camera && cameraText(view.camera))
  put('incident', view.incident)
  put('embed', view.embed ? '1' : null)
  return address
}

/** What the API is asked for. */
export function filterOf(view: View): URLSearchParams {
  return filterInAddress(writeView(view))
}

/** How many filters are set, the time aside. */
export function filterCount({ states, lgas, types, severities, minConfidence }: View): number {
  return [states, lgas, types, severities].filter(({ length }) => length > 0).length + (minConfidence === null ? 0 : 1)
}

export const NO_FILTERS = {
  states: [],
  lgas: [],
  types: [],
  severities: [],
  minConfidence: null,
  window: null,
} as const

/** As people read them: commas, colons and slashes stay what they are. */
export function addressText(address: URLSearchParams): string {
  return address.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/')
}

function listIn(address: URLSearchParams, name: string): string[] {
  const parts = (address.get(name) ?? '').split(',').map((part) => part.trim())
  return [...new Set(parts)].filter((part) => part !== '')
}

function isTime(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
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

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
