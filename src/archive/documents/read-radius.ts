import { type Incident, PRECISIONS } from '../../domain/incident.ts'

/** As `JSON.stringify` writes it; a string cannot contain these quotes unescaped. */
const FIELDS = new RegExp(`"location":\\{.*?"precision":"(?:${PRECISIONS.join('|')})","radius_km":(null|[\\d.]+),`, 's')

/**
 * Reads the location's radius from the beginning of a document, or parses it if it is written
 * differently.
 */
export function readRadiusKm(beginning: string, parse: () => Incident): number | null {
  const found = FIELDS.exec(beginning)
  if (found !== null) return found[1] === 'null' ? null : Number(found[1])
  return parse().location.radius_km
}
