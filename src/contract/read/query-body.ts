import Type, { type TProperties, type TSchema } from 'typebox'
import { MAX_LIST_VALUES, type Parameter } from '../../query/filter/parameters.ts'
import { MAX_POSITIONS } from '../../query/filter/parsers/region.ts'
import { BUFFER_KM, MAX_POINTS } from '../../query/filter/parsers/route.ts'

/** From Abuja to Kaduna. */
export const EXAMPLE_ROAD = [
  [7.49, 9.06],
  [7.38, 9.68],
  [7.44, 10.52],
]

const shapes = {
  polygon: Type.Optional(
    Type.Unknown({
      description: `Only incidents in this GeoJSON Polygon or MultiPolygon, of up to ${MAX_POSITIONS} positions.`,
    }),
  ),
  route: Type.Optional(
    Type.Unknown({
      description:
        `Only incidents near this line: \`{"line": [[lng,lat], …], "buffer_km": 5}\`, with up to ${MAX_POINTS} points ` +
        `and a buffer from ${BUFFER_KM.least} to ${BUFFER_KM.most} km.`,
    }),
  ),
}

/** The query parameters as members of a JSON body, and the shapes that a query string cannot hold. */
export function queryBody(parameters: Readonly<Record<string, Parameter>>, example: object): TSchema {
  const members: TProperties = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const schema = schemaOf(parameter)
    members[name] = parameter.required ? schema : Type.Optional(schema)
  }
  return Type.Object({ ...members, ...shapes }, { additionalProperties: false, example })
}

/** A single value may be a number too, and a list may be written with commas, as in a query string. */
function schemaOf({ description, values, several }: Parameter): TSchema {
  const value = values ? Type.Unsafe<string>({ type: 'string', enum: [...values] }) : Type.String()
  if (several) return Type.Array(value, { minItems: 1, maxItems: MAX_LIST_VALUES, description })
  return values ? { ...value, description } : Type.Unsafe<string | number>({ type: ['string', 'number'], description })
}
