import Type, { type TProperties, type TSchema } from 'typebox'
import { MAX_LIST_VALUES, type Parameter } from '../../../filter/filter/parameters.ts'
import { MAX_POSITIONS } from '../../../filter/filter/parsers/region.ts'
import { BUFFER_KM, MAX_POINTS } from '../../../filter/filter/parsers/route.ts'
import { Named, OneOf } from '../schema.ts'

/** From Abuja to Kaduna. */
export const EXAMPLE_ROAD = [
  [7.49, 9.06],
  [7.38, 9.68],
  [7.44, 10.52],
]

const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 3, description: 'Longitude, latitude.' })
const Rings = Type.Array(Type.Array(Position, { minItems: 4, maxItems: MAX_POSITIONS }), { minItems: 1 })
const geometry = <Coordinates extends TSchema>(type: 'Polygon' | 'MultiPolygon', coordinates: Coordinates) =>
  Type.Object(
    { type: OneOf([type]), coordinates, bbox: Type.Optional(Type.Array(Type.Number())) },
    { additionalProperties: false },
  )

export const Region = Named(
  'Region',
  Type.Union([geometry('Polygon', Rings), geometry('MultiPolygon', Type.Array(Rings, { minItems: 1 }))], {
    description: `A GeoJSON Polygon or MultiPolygon of up to ${MAX_POSITIONS} positions.`,
  }),
)

export const Route = Named(
  'Route',
  Type.Object(
    {
      line: Type.Array(Position, { minItems: 2, maxItems: MAX_POINTS }),
      buffer_km: Type.Number({
        minimum: BUFFER_KM.least,
        maximum: BUFFER_KM.most,
        description: 'The distance to either side.',
      }),
    },
    { additionalProperties: false, description: 'A line, and the width of the strip around it.' },
  ),
)

const shapes = {
  polygon: Type.Optional(Type.Ref('Region', { description: 'Only incidents in this area.' })),
  route: Type.Optional(Type.Ref('Route', { description: 'Only incidents near this line.' })),
}

/**
 * The query parameters as members of a JSON body, and the shapes that a query string cannot hold.
 */
export function queryBody(
  name: string,
  parameters: Readonly<Record<string, Parameter>>,
  options: { readonly description: string; readonly example: object },
): TSchema {
  const members: TProperties = {}
  for (const [member, parameter] of Object.entries(parameters)) {
    const schema = schemaOf(parameter)
    members[member] = parameter.required ? schema : Type.Optional(schema)
  }
  return Named(name, Type.Object({ ...members, ...shapes }, { additionalProperties: false, ...options }))
}

/** A list may also be written with commas, as in a query string. */
function schemaOf({ description, values, several, most = MAX_LIST_VALUES, number, numbers }: Parameter): TSchema {
  if (number) return Type.Unsafe<number>({ ...number, description })
  if (numbers) {
    const list = Type.Array(Type.Number(), { minItems: numbers, maxItems: numbers })
    return Type.Union([list, Type.String()], { description })
  }
  const value = values ? OneOf(values) : Type.String()
  if (!several) return { ...value, description }
  const list = Type.Array(value, { minItems: 1, maxItems: most })
  return Type.Union([list, Type.String()], { description })
}
