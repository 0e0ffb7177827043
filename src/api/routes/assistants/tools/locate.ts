import Type from 'typebox'
import { invalidParameters } from '../../../../domain/errors.ts'
import { MEANINGS } from '../../../../domain/places.ts'
import { parseFilterObject } from '../../../../filter/filter/filter-object.ts'
import { foundPlaces } from '../../../../geo/finding/found-place.ts'
import { Nullable, OneOf } from '../../../contract/schema.ts'
import { locatedPoint } from '../../../places.ts'
import { parseArea, parsePoint, parseSearch } from '../../../requests/parameters.ts'
import type { Tool, ToolArguments, ToolContext } from '../tool.ts'

const MAX_PLACES = 5

export const locate: Tool = {
  name: 'locate',
  title: 'Find a place',
  description:
    'Finds where a place of Nigeria is: give either `place`, as a person would write it, or `lat` and `lng`, for the state and local government area (LGA) of a point. ' +
    'If meaning is several or similar, ask which place is meant before you go on. Use lat and lng of a found place as near of search_incidents.',
  input: Type.Object(
    {
      place: Type.Optional(
        Type.String({
          description: 'A settlement, LGA or state, such as Gonin Gora, Chikun LGA; up to 200 characters.',
        }),
      ),
      state: Type.Optional(Type.String({ description: 'With place: only within this state.' })),
      lga: Type.Optional(Type.String({ description: 'With place: only within this LGA.' })),
      lat: Type.Optional(Type.Number({ description: 'The latitude of a point, in decimal degrees.' })),
      lng: Type.Optional(Type.Number({ description: 'The longitude of a point, in decimal degrees.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    point: Nullable(Type.Ref('LocatedPoint')),
    places: Type.Array(Type.Ref('FoundPlace'), { description: `Best match first; up to ${MAX_PLACES}.` }),
    meaning: OneOf(
      MEANINGS,
      '`one`: the first is meant; `several`: the first or one with `rival`; `similar`: only similar names are known; `none`.',
    ),
  }),
  call(given, context) {
    const hasPoint = given.lat !== undefined || given.lng !== undefined
    if (hasPoint === (given.place !== undefined))
      throw invalidParameters([{ pointer: '/place', message: 'or lat and lng: give one of the two' }])
    return { content: hasPoint ? findPoint(given, context) : findPlaces(given, context), links: [] }
  },
}

function findPoint({ lat, lng, state, lga }: ToolArguments, { environment }: ToolContext): object {
  if (state !== undefined || lga !== undefined)
    throw invalidParameters([{ pointer: state === undefined ? '/lga' : '/state', message: 'goes with place only' }])
  const text = (value: unknown) => (value === undefined ? null : String(value))
  const point = locatedPoint(environment.geography.locate, ...parsePoint(text(lat), text(lng)))
  return { point, places: [], meaning: 'one' }
}

function findPlaces({ place, ...scope }: ToolArguments, { environment }: ToolContext): object {
  if (typeof place !== 'string') throw invalidParameters([{ pointer: '/place', message: 'must be a text' }])
  const { places, findPlace } = environment.geography
  const { filter } = parseFilterObject(scope, '', places, ['state', 'lga'])
  if ('errors' in filter) throw invalidParameters(filter.errors)
  const area = parseArea(filter.value.states, filter.value.lgas)
  const found = foundPlaces(findPlace(parseSearch(place), area))
  return { point: null, places: found.places.slice(0, MAX_PLACES), meaning: found.meaning }
}
