import Type from 'typebox'
import type { Area } from '../../client/src/generated/types.ts'
import type { SavedArea } from '../domain/area.ts'
import { invalidBody, Problem } from '../domain/errors.ts'
import { isIdentifier, newIdentifier } from '../domain/identifier.ts'
import type { Places } from '../domain/places.ts'
import { singleLine } from '../domain/summary.ts'
import { MAX_RADIUS_KM } from '../filter/parameters.ts'
import { areaShapeText, givenShapeOf, parseAreaShape } from '../filter/saved-areas.ts'
import { randomBytes } from '../lib/runtime.ts'
import { timeText } from '../lib/time.ts'
import type { UsedArea } from '../store/store.ts'
import { limitOf } from './auth/quotas.ts'
import { type BodyOf, endpointsOf, ok } from './contract/endpoint.ts'
import { CheckedByHandler, Closed, Count, NamedObject, OneOf, PageOf, pageParameters, Time } from './contract/schema.ts'
import { sendAnswer } from './idempotency.ts'
import { identifierCursor, listParametersOf, pageById, unknownArea } from './request.ts'
import type { Router } from './router.ts'

const endpoint = endpointsOf({ tag: 'Areas', scope: 'watch' })

const id = { id: 'The id of the area, such as `are_01jd8z0c5x…`.' }
const name = Type.String({ minLength: 1, maxLength: 100, description: 'Unique among the areas of your account.' })
const shapes = {
  polygon: Type.Optional(CheckedByHandler(Type.Ref('Region'))),
  route: Type.Optional(CheckedByHandler(Type.Ref('Route'))),
  circle: Type.Optional(
    Closed(
      {
        lat: Type.Number({ minimum: -90, maximum: 90 }),
        lng: Type.Number({ minimum: -180, maximum: 180 }),
        radius_km: Type.Number({ exclusiveMinimum: 0, maximum: MAX_RADIUS_KM }),
      },
      { description: 'A point and the distance from it.' },
    ),
  ),
}

NamedObject(
  'Area',
  {
    id: Type.String(),
    name,
    kind: OneOf(['polygon', 'route', 'circle'], 'The member that has the shape.'),
    ...shapes,
    watches: Count('How many of your watches use the area.'),
    created_at: Time('When the area was saved.'),
    updated_at: Time('When the area was last changed.'),
  },
  { description: 'A saved area. It has one of `polygon`, `route` and `circle`.' },
)

const example = { name: 'Depot', circle: { lat: 10.52, lng: 7.44, radius_km: 25 } }

const createArea = endpoint('createArea', 'POST /v1/areas', {
  summary: 'Save an area',
  description:
    'Saves one `polygon`, `route` or `circle` under a name. Its id is `area` in lists, statistics, tiles, streams and the filters of watches. Only your account can see and use it.',
  body: Closed({ name, ...shapes }, { example }),
  response: { status: 201, description: 'The area.', schema: Type.Ref('Area') },
  problems: ['name_taken', 'too_many_areas'],
})

const listAreas = endpoint('listAreas', 'GET /v1/areas', {
  summary: 'List your areas',
  query: pageParameters('Areas', 100),
  response: ok('Newest first.', PageOf('Area')),
})

export const readArea = endpoint('readArea', 'GET /v1/areas/{id}', {
  summary: 'Read an area',
  pathParameters: id,
  response: ok('The area.', Type.Ref('Area')),
})

const changeArea = endpoint('changeArea', 'PATCH /v1/areas/{id}', {
  summary: 'Rename or redraw an area',
  description:
    'Only the fields sent change; a shape replaces the one before, of whatever kind. Watches that use the area match by its new shape from then on. Open streams keep the shape with which they began, and cursors of lists in the area end.',
  pathParameters: id,
  body: Closed({ name: Type.Optional(name), ...shapes }, { example: { name: 'Depot' } }),
  response: ok('The area.', Type.Ref('Area')),
  problems: ['name_taken'],
})

export const deleteArea = endpoint('deleteArea', 'DELETE /v1/areas/{id}', {
  summary: 'Delete an area',
  description: 'An area that watches use is not deleted: 409 `area_in_use` names them.',
  pathParameters: id,
  response: { status: 204, description: 'The area is gone.', schema: null },
  problems: ['invalid_parameter', 'area_in_use'],
})

export function areaRoutes(router: Router): void {
  const { clock, config, geography } = router.environment
  const { places } = geography

  router.add(createArea, async ({ request, reply, body, storeWith }) => {
    const now = clock()
    const area: SavedArea = {
      id: newIdentifier('area', now, randomBytes),
      accountId: request.caller!.account.id,
      name: parseName(body.name),
      shape: parseShape(body, places),
      createdAt: now,
      updatedAt: now,
    }
    const answer = { status: 201, body: areaResponse({ ...area, watches: 0 }) }
    const max = limitOf(config, request.caller!.account, 'areas')
    const added = await storeWith(answer).areas.add(area, max)
    if (added === 'name_taken') throw nameTaken(area.name)
    if (added === 'too_many')
      throw new Problem('too_many_areas', `Your account may have ${max} areas. Delete one first.`)
    return sendAnswer(reply, answer)
  })

  router.add(listAreas, async ({ request, services: { store } }) => {
    const { text, limit } = listParametersOf(request, listAreas)
    const cursor = identifierCursor('area', text('cursor'))
    const found = await store.areas.list(request.caller!.account.id, limit + 1, cursor)
    return pageById(found, limit, areaResponse)
  })

  router.add(readArea, async ({ request, parameters, services: { store } }) => {
    const area = await store.areas.find(request.caller!.account.id, knownForm(parameters.id))
    if (area === null) throw unknownArea()
    return areaResponse(area)
  })

  router.add(changeArea, async ({ request, parameters, body, services: { store } }) => {
    const { name, ...shape } = body
    const patch = {
      ...(name === undefined ? {} : { name: parseName(name) }),
      ...(Object.keys(shape).length === 0 ? {} : { shape: parseShape(shape, places) }),
    }
    const changed = await store.areas.change(request.caller!.account.id, knownForm(parameters.id), patch, clock())
    if (changed === null) throw unknownArea()
    if (changed === 'name_taken') throw nameTaken(patch.name ?? '')
    return areaResponse(changed)
  })

  router.add(deleteArea, async ({ request, reply, parameters, services: { store } }) => {
    const using = await store.areas.remove(request.caller!.account.id, knownForm(parameters.id))
    if (using === null) throw unknownArea()
    if (using.length > 0) {
      const names = using.map((watch) => `${JSON.stringify(watch.name)} (${watch.id})`)
      throw new Problem('area_in_use', `Watches use this area: ${names.join(', ')}. Change or delete them first.`)
    }
    reply.status(204)
  })
}

/** A text that is no id is not looked up: databases cannot hold every text. */
function knownForm(id: string): string {
  if (!isIdentifier('area', id)) throw unknownArea()
  return id
}

function parseName(given: string): string {
  const name = singleLine(given)
  if (name === '') throw invalidBody([{ pointer: '/name', message: 'must contain a letter or a digit' }])
  return name
}

function parseShape(given: Omit<BodyOf<typeof createArea>, 'name'>, places: Places): string {
  const parsed = parseAreaShape(given, places)
  if ('errors' in parsed) throw invalidBody(parsed.errors)
  return areaShapeText(parsed.value)
}

function nameTaken(name: string): Problem {
  return new Problem('name_taken', `Your account has another area with the name ${JSON.stringify(name)}.`)
}

function areaResponse({ id, name, shape, watches, createdAt, updatedAt }: UsedArea): Area {
  const times = { created_at: timeText(createdAt), updated_at: timeText(updatedAt) }
  return { id, name, ...(givenShapeOf(shape) as Pick<Area, 'kind'>), watches, ...times }
}
