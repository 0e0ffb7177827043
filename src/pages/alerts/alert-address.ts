import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import { boxInAddress } from '../../filter/map-address.ts'

/**
 * The parts of the map's address that say where, or which incident; the page of alerts takes the
 * same.
 */
const NAMES = ['incident', 'state', 'lga', 'near', 'radius_km', 'road', 'buffer_km', 'polygon', 'box'] as const

/**
 * The filter of an alert from the address of its page, as the API would take it. `severity` may be
 * the map's list, of which the lowest counts. Faulty parts are kept: the parser says what is wrong.
 */
export function filterInAlertAddress(address: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => address.get(name)?.trim() || null
  const incident = text('incident')
  if (incident !== null) return { incident: [incident] }
  const [near, road, polygon] = [text('near'), text('road'), text('polygon')]
  const box = boxInAddress(address)
  const severity = severityInAddress(address)
  return {
    ...listMember('state', text('state')),
    ...listMember('lga', text('lga')),
    ...(near === null ? {} : { near: near.split(',').map(Number), radius_km: Number(text('radius_km') ?? Number.NaN) }),
    ...(road === null ? {} : { route: { line: positions(road), buffer_km: Number(text('buffer_km') ?? Number.NaN) } }),
    ...(polygon === null ? {} : { polygon: { type: 'Polygon', coordinates: [positions(polygon)] } }),
    ...(box === null ? {} : { bbox: [...box] }),
    ...(severity === 'low' ? {} : { min_severity: severity }),
  }
}

/** `min_severity`, or the lowest of the map's `severity`. */
export function severityInAddress(address: URLSearchParams): Severity {
  const named = address.get('min_severity')?.split(',') ?? address.get('severity')?.split(',') ?? []
  return SEVERITIES.find((severity) => named.includes(severity)) ?? 'low'
}

/** The address of the page for the same area, without its other parameters. */
export function areaAddress(address: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams()
  for (const name of NAMES) {
    const value = address.get(name)
    if (value) kept.set(name, value)
  }
  return kept
}

function listMember(name: string, text: string | null): Record<string, string[]> {
  const values = text?.split(',').map((part) => part.trim()) ?? []
  const named = values.filter((value) => value !== '')
  return named.length === 0 ? {} : { [name]: named }
}

/** Reads `lng,lat;lng,lat`. */
function positions(text: string): number[][] {
  return text.split(';', 500).map((part) => part.split(',', 3).map((number) => Number.parseFloat(number)))
}
