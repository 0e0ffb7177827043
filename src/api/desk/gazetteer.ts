import Type from 'typebox'
import { newPlace } from '../../desk/gazetteer/place-files.ts'
import { invalidBody, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { PLACE_KINDS, PLACE_SOURCES, type StoredPlace } from '../../domain/places.ts'
import type { Locate } from '../../geo/geography.ts'
import { nameKey } from '../../geo/names.ts'
import { randomBytes } from '../../lib/runtime.ts'
import type { NewAuditEntry, PlacePosition } from '../../store/store.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import {
  Closed,
  NamedObject,
  NamedPage,
  Nullable,
  NullableText,
  OneOf,
  pageParameters,
  Text,
  Time,
} from '../contract/schema.ts'
import { sendAnswer } from '../idempotency.ts'
import { invalidCursor, listParametersOf, pageOf } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'
import { actorOf } from './incident.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'review' })

const name = Type.String({ minLength: 1, maxLength: 120, description: 'The name, as news writes it.' })
const aliases = Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
  maxItems: 50,
  description: 'Old names and other spellings, by which the place is found as well.',
})
const KIND = 'What it is. All but `settlement`, `market` and `camp` are wider than a point.'

NamedObject('GazetteerPlace', {
  id: Text('The id, such as `plc_01jd8z0c5xqvjv8y2kvhr3w1ad`.'),
  name,
  aliases,
  kind: OneOf(PLACE_KINDS, KIND),
  lat: Type.Number(),
  lng: Type.Number(),
  state: Nullable(Type.String()),
  lga: Nullable(Type.String()),
  population: Nullable(Type.Integer({ minimum: 0 })),
  radius_km: Nullable(Type.Number({ description: 'Its extent; null for the usual one of its kind.' })),
  source: OneOf(PLACE_SOURCES, 'Who added it: the `desk`, or an import.'),
  source_id: NullableText('Its id in the file that was imported.'),
  updated_at: Time('When it was last changed.'),
})

NamedPage('GazetteerList', 'GazetteerPlace')

const listPlaces = endpoint('listPlaces', 'GET /v1/admin/places', {
  summary: 'List the places that were added',
  description:
    'The places that the desk has added or an operator has imported, by name; the built-in ones are not listed.',
  query: {
    q: { description: 'Only names that begin so, in any case and spelling of accents.', example: 'gonin' },
    kind: { description: 'Only places of this kind.', example: 'forest', values: PLACE_KINDS },
    source: { description: 'Only places of this source.', example: 'desk', values: PLACE_SOURCES },
    ...pageParameters('Places', 200),
  },
  response: ok('A page of places.', Type.Ref('GazetteerList')),
})

const addPlace = endpoint('addPlace', 'POST /v1/admin/places', {
  summary: 'Add a place',
  description:
    'Reports and searches find it from then on, on every node within seconds. A place of the same name and kind within 8 km is the same place: add one to give it aliases, or a better point.',
  body: Closed(
    {
      name,
      aliases: Type.Optional(aliases),
      kind: Type.Optional(OneOf(PLACE_KINDS, `${KIND} Default: settlement.`)),
      lat: Type.Number({ minimum: -90, maximum: 90 }),
      lng: Type.Number({ minimum: -180, maximum: 180 }),
      population: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 50_000_000 }))),
      radius_km: Type.Optional(Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 200 }))),
    },
    { example: { name: 'Gonin Gora', aliases: ['Goningora'], kind: 'settlement', lat: 10.4101, lng: 7.4103 } },
  ),
  response: { status: 201, description: 'The place.', schema: Type.Ref('GazetteerPlace') },
  problems: ['too_many_places'],
})

const removePlace = endpoint('removePlace', 'DELETE /v1/admin/places/{id}', {
  summary: 'Remove a place',
  description: 'Incidents keep their locations. An imported place stays removed when its file is imported again.',
  pathParameters: { id: 'The id of the place.' },
  response: { status: 204, description: 'The place has been removed.', schema: null },
})

/** Of the desk; an import has a limit of its own. */
const MAX_DESK_PLACES = 20_000

export function gazetteerRoutes(router: Router): void {
  const { clock, geography } = router.environment
  const { locate } = geography
  const response = (place: StoredPlace) => placeResponse(place, locate)

  router.add(listPlaces, async ({ request, services: { store } }) => {
    const { text, limit, choices } = listParametersOf(request, listPlaces)
    const cursor = text('cursor')
    const query = { keyPrefix: nameKey(text('q') ?? ''), ...choices }
    const found = await store.gazetteer.list(query, cursor === null ? null : readCursor(cursor), limit + 1)
    return pageOf(found, limit, ({ key, id }) => `${key}.${id}`, response)
  })

  router.add(addPlace, async ({ request, reply, body, storeWith }) => {
    const now = clock()
    const place = newPlace(body, locate, now, randomBytes)
    if (!('id' in place)) throw invalidBody(place)
    const answer = { status: 201, body: response(place) }
    const { id: _, updated_at: __, ...after } = answer.body
    const act = auditEntry('place.add', place.id, null, after)
    const added = await storeWith(answer).gazetteer.add(place, MAX_DESK_PLACES, {
      ...act,
      at: now,
      by: byOf(request.caller!),
    })
    if (added === 'too_many')
      throw new Problem(
        'too_many_places',
        `The desk has added ${MAX_DESK_PLACES} places: remove some, or import a file.`,
      )
    return sendAnswer(reply, answer)
  })

  router.add(removePlace, async ({ request, reply, parameters, services: { store } }) => {
    const now = clock()
    const place = isIdentifier('place', parameters.id) ? await store.gazetteer.find(parameters.id) : null
    if (place === null) throw unknownPlace()
    const { id: _, updated_at: __, ...before } = response(place)
    const act = auditEntry('place.remove', place.id, before, null)
    if (!(await store.gazetteer.remove(place.id, now, { ...act, at: now, by: byOf(request.caller!) })))
      throw unknownPlace()
    reply.status(204)
  })
}

function unknownPlace(): Problem {
  return new Problem('not_found', 'There is no such place among those that were added.')
}

function byOf(caller: Parameters<typeof actorOf>[0]): NewAuditEntry['by'] {
  const { name } = actorOf(caller)
  return { accountId: caller.account.id, keyId: caller.key.id, name }
}

function auditEntry(action: string, subject: string, before: object | null, after: object | null) {
  return { action, subject, note: null, before, after }
}

function placeResponse(place: StoredPlace, locate: Locate) {
  const { id, name, aliases, kind, lat, lng, population, radiusKm, source, sourceId, updatedAt } = place
  const located = locate(lat, lng)
  const area = located.kind === 'located' ? located : null
  return {
    id,
    name,
    aliases,
    kind,
    lat,
    lng,
    state: area?.state.name ?? null,
    lga: area?.lga.name ?? null,
    population: population === 0 ? null : population,
    radius_km: radiusKm,
    source,
    source_id: sourceId,
    updated_at: timeResponse(updatedAt),
  }
}

function readCursor(text: string): PlacePosition {
  const [key = '', id = '', ...more] = text.split('.')
  if (!/^[a-z0-9]{1,120}$/.test(key) || !isIdentifier('place', id) || more.length > 0) throw invalidCursor()
  return { key, id }
}
