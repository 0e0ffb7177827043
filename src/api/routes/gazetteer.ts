import { randomBytes } from 'node:crypto'
import { newPlace } from '../../desk/gazetteer/new-place.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { PLACE_KINDS, PLACE_SOURCES, type StoredPlace } from '../../domain/places.ts'
import { parseChoice, parseLimit } from '../../filter/parameter-values.ts'
import type { Locate } from '../../geo/locating/locate.ts'
import { nameKey } from '../../geo/name-key.ts'
import type { NewAuditEntry, PlacePosition } from '../../store/store.ts'
import { addPlace, listPlaces, removePlace } from '../contract/desk/places.ts'
import { sendAnswer } from '../idempotency.ts'
import { invalidCursor, pageOf, parametersOf } from '../requests/parameters.ts'
import type { Router } from '../router.ts'
import { actorOf } from './desk/response.ts'

const MAX_LIMIT = 200
/** Of the desk; an import has a limit of its own. */
const MAX_DESK_PLACES = 20_000

export function gazetteerRoutes(router: Router): void {
  const { clock, geography } = router.environment
  const { locate } = geography
  const response = (place: StoredPlace) => placeResponse(place, locate)

  router.add(listPlaces, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listPlaces, geography.places)
    const errors: FieldError[] = []
    const kind = parseChoice('kind', text('kind'), PLACE_KINDS, errors)
    const source = parseChoice('source', text('source'), PLACE_SOURCES, errors)
    const limit = parseLimit(text('limit'), MAX_LIMIT, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const cursor = text('cursor')
    const query = { keyPrefix: nameKey(text('q') ?? ''), kind, source }
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
    updated_at: new Date(updatedAt).toISOString(),
  }
}

function readCursor(text: string): PlacePosition {
  const [key = '', id = '', ...more] = text.split('.')
  if (!/^[a-z0-9]{1,120}$/.test(key) || !isIdentifier('place', id) || more.length > 0) throw invalidCursor()
  return { key, id }
}
