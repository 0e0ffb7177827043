import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  changeDesk,
  confirmIncident,
  listDesk,
  mergeIncident,
  readDesk,
  readHistory,
  rejectIncident,
  retractIncident,
} from '../../../contract/desk/desk.ts'
import { Problem } from '../../../domain/errors.ts'
import { singleLine } from '../../../domain/summary/summary.ts'
import { type Amendment, amendIncident } from '../../../intake/desk/amend.ts'
import { mergeIncident as merge } from '../../../intake/desk/merge.ts'
import { loadIncident } from '../../../intake/desk/moderated-incident.ts'
import { type Decision, transitionIncident } from '../../../intake/desk/transitions.ts'
import { parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import type { Services } from '../../services.ts'
import { readDeskPage } from './page.ts'
import { actorOf, deskResponses, historyEntryResponse, publishedSourceOf } from './response.ts'

export function deskRoutes(router: Router): void {
  const { clock, geography } = router.environment
  const published = ({ archive }: Services) => publishedSourceOf(archive, clock())

  const respondWithIncident = async (reply: FastifyReply, id: string, services: Services) => {
    const { store } = services
    const [incident] = await deskResponses([await loadIncident(id, store)], store, published(services))
    reply.header('etag', `"${incident!.version}"`)
    return incident
  }
  const decisionOf = (request: FastifyRequest, note: string | null | undefined): Decision => ({
    by: actorOf(request.caller!),
    note: singleLine(note ?? '') || null,
    expected: parseIfMatch(request) ?? null,
    now: clock(),
  })

  router.add(listDesk, async ({ request, services }) => {
    const { store, archive } = services
    const { text } = parametersOf(request, listDesk, geography.places)
    const page = await readDeskPage(text('status'), text('limit'), text('cursor'), store, archive, clock())
    const { records, nextCursor } = page
    return {
      data: await deskResponses(records, store, published(services)),
      has_more: nextCursor !== null,
      next_cursor: nextCursor,
    }
  })

  router.add(readDesk, ({ reply, parameters, services }) => respondWithIncident(reply, parameters.id, services))

  router.add(readHistory, async ({ parameters, services: { store } }) => {
    await loadIncident(parameters.id, store)
    return { data: (await store.incidents.history(parameters.id)).map(historyEntryResponse) }
  })

  router.add(changeDesk, async ({ request, reply, parameters, body, services }) => {
    if (parseIfMatch(request) === undefined)
      throw new Problem('version_required', 'Send If-Match: "<version>" with the version that you have read.')
    const { note, ...amendment } = body
    const decision = decisionOf(request, note)
    await amendIncident(parameters.id, amendment as Amendment, decision, services.store, geography)
    return respondWithIncident(reply, parameters.id, services)
  })

  for (const [transition, declared] of [
    ['confirm', confirmIncident],
    ['reject', rejectIncident],
    ['retract', retractIncident],
  ] as const) {
    router.add(declared, async ({ request, reply, parameters, body, services }) => {
      await transitionIncident(parameters.id, transition, decisionOf(request, body?.note), services.store)
      return respondWithIncident(reply, parameters.id, services)
    })
  }

  router.add(mergeIncident, async ({ request, reply, parameters, body, services }) => {
    await merge(parameters.id, body.into, decisionOf(request, body.note), services.store)
    return respondWithIncident(reply, body.into, services)
  })
}

/** The version that the caller saw; null for `*`, undefined without the header. */
function parseIfMatch(request: FastifyRequest): number | null | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return null
  const version = /^"(\d{1,9})"$/.exec(header.trim())?.[1]
  if (version === undefined) throw new Problem('malformed_request', 'If-Match takes a version in quotes, as "3", or *.')
  return Number(version)
}
