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
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Problem } from '../../../domain/errors.ts'
import { singleLine } from '../../../domain/summary/summary.ts'
import { type Amendment, amendIncident } from '../../../intake/desk/amend.ts'
import { mergeIncident as merge } from '../../../intake/desk/merge.ts'
import { loadIncident, type SaveChanges } from '../../../intake/desk/moderated-incident.ts'
import { type Decision, transitionIncident } from '../../../intake/desk/transitions.ts'
import { RequestAsker } from '../../requests/asker.ts'
import { type Answer, sendAnswer } from '../../requests/idempotency/answer.ts'
import { parametersOf } from '../../requests/parameters.ts'
import type { RequestContext, Router } from '../../router.ts'
import type { Services } from '../../services.ts'
import { readDeskPage } from './page.ts'
import { actorOf, changedDeskResponse, deskResponses, historyEntryResponse, publishedSourceOf } from './response.ts'

export function deskRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const published = ({ archive }: Services, reply: FastifyReply) =>
    publishedSourceOf(archive, queries, new RequestAsker(reply.request, reply), clock())

  /** Saves what a move changes together with the answer, which shows one of the incidents. */
  const moveIncident = async (
    { reply, services, storeWith }: Pick<RequestContext<Endpoint>, 'reply' | 'services' | 'storeWith'>,
    shown: string,
    now: number,
    move: (save: SaveChanges) => Promise<void>,
  ) => {
    let answer: Answer | null = null
    await move(async (changes) => {
      const incident = await changedDeskResponse(shown, changes, services.store, published(services, reply))
      answer = { status: 200, headers: { etag: `"${incident.version}"` }, body: incident }
      await storeWith(answer).incidents.save(changes, now)
    })
    return sendAnswer(reply, answer!)
  }
  const respondWithIncident = async (reply: FastifyReply, id: string, services: Services) => {
    const { store } = services
    const [incident] = await deskResponses([await loadIncident(id, store)], store, published(services, reply))
    reply.header('etag', `"${incident!.version}"`)
    return incident
  }
  const decisionOf = (request: FastifyRequest, note: string | null | undefined): Decision => ({
    by: actorOf(request.caller!),
    note: singleLine(note ?? '') || null,
    expected: parseIfMatch(request) ?? null,
    now: clock(),
  })

  router.add(listDesk, async ({ request, reply, services }) => {
    const { store, archive } = services
    const { text } = parametersOf(request, listDesk, geography.places)
    const page = await readDeskPage(text('status'), text('limit'), text('cursor'), store, archive, clock())
    const { records, nextCursor } = page
    return {
      data: await deskResponses(records, store, published(services, reply)),
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
    router.add(declared, async (context) => {
      const { request, parameters, body, services } = context
      const decision = decisionOf(request, body?.note)
      return moveIncident(context, parameters.id, decision.now, (save) =>
        transitionIncident(parameters.id, transition, decision, services.store, save),
      )
    })
  }

  router.add(mergeIncident, async (context) => {
    const { request, parameters, body, services } = context
    const decision = decisionOf(request, body.note)
    return moveIncident(context, body.into, decision.now, (save) =>
      merge(parameters.id, body.into, decision, services.store, save),
    )
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
