import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeskIncident } from '../../../../client/src/generated/types.ts'
import type { Decision } from '../../../desk/desk/decision.ts'
import type { FindPublished } from '../../../desk/desk/duplicates/duplicate-candidates.ts'
import { loadIncident, type ModeratedIncident, type SaveChanges } from '../../../desk/desk/moderated-incident.ts'
import { Problem } from '../../../domain/errors.ts'
import { singleLine } from '../../../domain/summary.ts'
import type { WritableStore } from '../../../store/store.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type Answer, sendAnswer } from '../../idempotency.ts'
import { QueryClient } from '../../requests/client.ts'
import type { RequestContext, Router } from '../../router.ts'
import type { Services } from '../../services.ts'
import { actorOf, changedDeskResponse, deskResponses, publishedSourceOf, withUndo } from './response.ts'

type Move = Pick<RequestContext<Endpoint>, 'reply' | 'services' | 'storeWith'>

/** Answers the moves of editors: what a move writes is saved together with its answer. */
export class DeskMoves {
  readonly #router: Router

  constructor(router: Router) {
    this.#router = router
  }

  /** Saves the changes of a move; the answer shows one of the incidents. */
  async change(
    { reply, services, storeWith }: Move,
    shown: string,
    move: (save: SaveChanges) => Promise<void>,
    status: 200 | 201 = 200,
  ) {
    const { clock } = this.#router.environment
    let answer: Answer<DeskIncident> | null = null
    await move(async (changes) => {
      // Nothing changes: the incident is shown as it is.
      if (changes.length === 0) {
        answer = this.#answer(await this.#current(reply, shown, services), status)
        return
      }
      const published = this.published(services, reply)
      const changed = await changedDeskResponse(shown, changes, services.store, published, clock())
      answer = this.#answer(changed, status)
      await storeWith(answer).incidents.save(changes, clock())
    })
    return sendAnswer(reply, answer!)
  }

  /** Writes a claim; the answer shows the incident with it. */
  async changeClaim(
    { reply, services, storeWith }: Move,
    move: (answered: (state: ModeratedIncident) => Promise<Pick<WritableStore, 'desk'>>) => Promise<void>,
  ) {
    let answer: Answer<DeskIncident> | null = null
    await move(async (state) => {
      answer = this.#answer(await this.#shown(reply, state, services))
      return storeWith(answer)
    })
    return sendAnswer(reply, answer!)
  }

  async show(reply: FastifyReply, id: string, services: Services) {
    return sendAnswer(reply, this.#answer(await this.#current(reply, id, services)))
  }

  published(services: Services, reply: FastifyReply): FindPublished {
    const { clock, queries } = this.#router.environment
    return publishedSourceOf(services.archive, queries, new QueryClient(reply.request, reply), clock())
  }

  /** `version` in the body is the same as `If-Match`. */
  decisionOf(request: FastifyRequest, body: { note?: string | null; version?: number } | undefined): Decision {
    return {
      by: actorOf(request.caller!),
      note: singleLine(body?.note ?? '') || null,
      expected: parseIfMatch(request) ?? body?.version ?? null,
      now: this.#router.environment.clock(),
    }
  }

  async #current(reply: FastifyReply, id: string, services: Services) {
    return this.#shown(reply, await loadIncident(id, services.store), services)
  }

  async #shown(reply: FastifyReply, state: ModeratedIncident, services: Services) {
    const { store } = services
    const now = this.#router.environment.clock()
    const [response] = await deskResponses([state], store, this.published(services, reply), now)
    return withUndo(response!, await store.incidents.history(state.incident.id))
  }

  #answer(incident: DeskIncident, status: 200 | 201 = 200): Answer<DeskIncident> {
    return { status, headers: { etag: `"${incident.version}"` }, body: incident }
  }
}

/** The version that the caller saw; null for `*`, undefined without the header. */
export function parseIfMatch(request: FastifyRequest): number | null | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return null
  const version = /^"(\d{1,9})"$/.exec(header.trim())?.[1]
  if (version === undefined) throw new Problem('malformed_request', 'If-Match takes a version in quotes, as "3", or *.')
  return Number(version)
}
