import { type Incident, PRECISIONS, type Precision } from '../../domain/incident.ts'

/** What a map needs to draw an incident and no column has. */
export interface LocationPrecision {
  readonly precision: Precision
  readonly radiusKm: number | null
}

/** `"precision":"settlement","radius_km":3,` as `JSON.stringify` writes it: within a string, no such quote stands without a backslash. */
const FIELDS = new RegExp(`"location":\\{.*?"precision":"(${PRECISIONS.join('|')})","radius_km":(null|[\\d.]+),`, 's')

/** Reads it from the beginning of a document; what does not look as expected is parsed instead. */
export function readLocationPrecision(beginning: string, parse: () => Incident): LocationPrecision {
  const found = FIELDS.exec(beginning)
  if (found !== null)
    return { precision: found[1] as Precision, radiusKm: found[2] === 'null' ? null : Number(found[2]) }
  const { precision, radius_km } = parse().location
  return { precision, radiusKm: radius_km }
}
