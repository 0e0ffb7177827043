import { type Incident, PRECISIONS, type Precision } from '../../domain/incident.ts'

/** The fields that a map needs to draw an incident and that no column has. */
export interface LocationPrecision {
  readonly precision: Precision
  readonly radiusKm: number | null
}

/** As `JSON.stringify` writes it; a string cannot contain these quotes unescaped. */
const FIELDS = new RegExp(`"location":\\{.*?"precision":"(${PRECISIONS.join('|')})","radius_km":(null|[\\d.]+),`, 's')

/** Reads the precision from the beginning of a document; a document in another form is parsed. */
export function readLocationPrecision(beginning: string, parse: () => Incident): LocationPrecision {
  const found = FIELDS.exec(beginning)
  if (found !== null)
    return { precision: found[1] as Precision, radiusKm: found[2] === 'null' ? null : Number(found[2]) }
  const { precision, radius_km } = parse().location
  return { precision, radiusKm: radius_km }
}
