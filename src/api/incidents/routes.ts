import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Archive } from '../../archive/archive.ts'
import { invalidParameters } from '../../domain/errors.ts'
import type { HistoryEntry, HistoryStep } from '../../domain/lifecycle.ts'
import type { AreaShape } from '../../filter/filter.ts'
import { type IncidentField, parseFields, parseListingBody, pickFields } from '../../filter/listing.ts'
import { parametersInQuery } from '../../filter/parameters.ts'
import { LAYOUTS } from '../../formats/layouts.ts'
import { timeText } from '../../lib/time.ts'
import { answerBody } from '../requests/body.ts'
import { QueryClient } from '../requests/client.ts'
import { areaOfBody, areaOfQuery } from '../requests/filter-references.ts'
import { formatFor } from '../requests/negotiation.ts'
import { queryOf } from '../requests/parameters.ts'
import { CachedBody } from '../responses/cached-body.ts'
import { CACHING_BY_FORMAT, sendBytes } from '../responses/send.ts'
import type { BrowserPage, Router } from '../router.ts'
import { listCorrections, listIncidents, queryIncidents, readIncident } from './contract.ts'
import { findPublicSlot } from './find.ts'
import { type CachedList, incidentListSource, ListCache } from './list.ts'

const JSON_TYPE = LAYOUTS.json.contentType

export function incidentRoutes(router: Router, page: BrowserPage): void {
  const { environment } = router
  const { places } = environment.geography
  const lists = new ListCache(incidentListSource(places), environment.queries)

  router.add(listIncidents, ({ request, reply, services }) => {
    const accepted = formatFor(request.headers.accept)
    const { archive, store, freshness } = services
    const asker = new QueryClient(request, reply)
    const listIn = (area: AreaShape | null) =>
      lists.getList(archive, queryOf(request), accepted, environment.clock(), asker, area)
    const area = areaOfQuery(request, store, places)
    const list = area === null ? listIn(null) : area.then(listIn)
    if (list instanceof Promise) return list.then((rendered) => sendList(request, reply, rendered, freshness.stamp))
    return sendList(request, reply, list, freshness.stamp)
  })

  router.add(queryIncidents, ({ request, reply, body, services: { archive, store, freshness } }) =>
    answerBody(async () => {
      const listing = parseListingBody(body, places, await areaOfBody(request, store, body, '', places))
      const accepted = formatFor(request.headers.accept)
      const asker = new QueryClient(request, reply)
      const list = await lists.getListing(archive, listing, accepted, environment.clock(), asker)
      list.stamp(freshness.stamp)
      return sendBytes(request, reply, list, list.contentType, CACHING_BY_FORMAT)
    }),
  )

  router.add(
    readIncident,
    ({ request, reply, parameters, services: { archive } }) => {
      const fields = parseFieldsOf(request)
      return sendIncident(request, reply, archive, parameters.id, fields)
    },
    page,
  )

  router.add(listCorrections, async ({ parameters, services: { archive, store } }) => {
    findPublicSlot(archive, parameters.id)
    return { data: publicCorrections(await store.incidents.history(parameters.id)) }
  })
}

function sendList(request: FastifyRequest, reply: FastifyReply, list: CachedList, stamp: string) {
  list.stamp(stamp)
  if (list.nextCursor !== null) reply.header('link', nextLink(request, list.nextCursor))
  return sendBytes(request, reply, list, list.contentType, CACHING_BY_FORMAT)
}

/** Throws a `Problem` for anything but members of an incident. */
function parseFieldsOf(request: FastifyRequest): readonly IncidentField[] | null {
  const query = queryOf(request)
  if (query === '') return null
  const parameters = parametersInQuery(new URLSearchParams(query), ['fields'])
  const errors = [...parameters.errors]
  const fields = parseFields(parameters.values.get('fields') ?? null, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return fields
}

function sendIncident(
  request: FastifyRequest,
  reply: FastifyReply,
  archive: Archive,
  id: string,
  fields: readonly IncidentField[] | null,
) {
  const slot = findPublicSlot(archive, id)
  const body =
    fields === null
      ? // Copied, because the archive may move its bytes while the response is being sent.
        Buffer.from(archive.documentOf(slot))
      : Buffer.from(JSON.stringify(pickFields(archive.incidentOf(slot), fields)))
  return sendBytes(request, reply, new CachedBody(body), JSON_TYPE)
}

/** Adds the cursor to the URL. Rebuilds the query, which costs more, only if it has a cursor. */
function nextLink(request: FastifyRequest, cursor: string): string {
  const url = request.raw.url!
  if (!url.includes('cursor=')) return `<${url}${url.includes('?') ? '&' : '?'}cursor=${cursor}>; rel="next"`
  const query = new URLSearchParams(queryOf(request))
  query.set('cursor', cursor)
  return `<${url.split('?', 1)[0]}?${query}>; rel="next"`
}

type PublicChange = 'published' | 'corrected' | 'restored'

/** The public part of a history: when and which fields changed, without names and notes. */
export function publicCorrections(history: readonly HistoryEntry[]) {
  const confirmed = history.findIndex(({ step }) => step === 'confirm')
  // Imported incidents are public from the start and have no `confirm` entry.
  const published = confirmed < 0 ? history : history.slice(confirmed)
  return published.flatMap(({ step, version, at, fields }) => {
    const change = PUBLIC_STEPS[step]
    return change === undefined ? [] : [{ change, version, at: timeText(at), fields }]
  })
}

/** A merge that brought something, and its undoing, are corrections. */
const PUBLIC_STEPS: Partial<Record<HistoryStep, PublicChange>> = {
  confirm: 'published',
  update: 'corrected',
  absorb: 'corrected',
  unmerge: 'corrected',
  restore: 'restored',
  import: 'corrected',
  undo_import: 'corrected',
}
