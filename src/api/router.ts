import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operations } from '../../client/src/generated/types.ts'
import { AnswerTrimmer } from '../accounts/idempotency-bounds.ts'
import { invalidParameters } from '../domain/errors.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { compileBodyCheck } from './body.ts'
import { type BodyOf, type Endpoint, isRead, MIN_SEQ, takesIdempotencyKey } from './contract/endpoint.ts'
import { plainWrites, type RequestWrites, runIdempotent } from './idempotency.ts'
import { queryOf } from './request.ts'
import { addStaleSeconds } from './response.ts'
import { type Environment, type Phase, requireServices, type Services, servicesIfReady } from './services.ts'

/** A page for people at an address that API clients use too. */
export interface BrowserPage {
  isRequested(request: FastifyRequest): boolean
  send(request: FastifyRequest, reply: FastifyReply, phase: Phase): void
}

type OperationId = keyof Operations

/** The successful answer that the reference promises; undefined if it has no JSON. */
type AnswerTo<Id extends OperationId> = Operations[Id]['answer']

/** Of a handler that only sets a status. */
type Nothing = ReturnType<() => void>

/** A handler returns the answer, or sends bytes itself and returns `reply`. */
type Returned<Id extends OperationId> = AnswerTo<Id> | FastifyReply | (undefined extends AnswerTo<Id> ? Nothing : never)

type Handler<Id extends OperationId, Context, Given> = (
  context: Context,
) => Given extends Promise<infer Body>
  ? Promise<Body & OnlyPromised<Body, Returned<Id>>>
  : Given & OnlyPromised<Given, Returned<Id>>

/**
 * `Given` itself if all its members, at any depth, are members of `Promised`: one that is not in
 * the reference becomes `never`. TypeScript alone finds such members only in literals.
 */
type OnlyPromised<Given, Promised> = unknown extends Promised
  ? Given
  : Given extends FastifyReply | string | number | boolean | null | undefined | Nothing
    ? Given
    : Given extends readonly (infer Item)[]
      ? readonly OnlyPromised<Item, ItemOf<Promised>>[]
      : {
          [Name in keyof Given]: Name extends KeyOf<Promised>
            ? OnlyPromised<Given[Name], ValueOf<Promised, Name>>
            : never
        }
type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never
type KeyOf<Each> = Each extends FastifyReply ? never : Each extends unknown ? keyof Each : never
type ValueOf<Each, Name> = Each extends FastifyReply ? never : Name extends keyof Each ? Each[Name] : never

interface ParsedRequest<Declared extends Endpoint> extends RequestWrites {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: Readonly<Record<keyof Declared['pathParameters'] & string, string>>
  readonly body: BodyOf<Declared>
  readonly phase: Phase
}

export interface RequestContext<Declared extends Endpoint> extends ParsedRequest<Declared> {
  readonly services: Services
}

/** Erases the types of one endpoint; `add` and `addBeforeReady` have checked them. */
type AnyHandler = (context: never) => unknown

/** Shared by all requests that only read, so that they need none of their own. */
const NO_WRITES = plainWrites(() => {
  throw new TypeError('a read writes nothing')
})

/** Registers endpoints of the contract under all their paths, authenticated and validated. */
export class Router {
  readonly environment: Environment
  readonly authenticator: Authenticator
  readonly currentPhase: () => Phase
  readonly #server: FastifyInstance
  readonly #trimmer = new AnswerTrimmer()

  constructor(
    server: FastifyInstance,
    authenticator: Authenticator,
    environment: Environment,
    currentPhase: () => Phase,
  ) {
    this.#server = server
    this.authenticator = authenticator
    this.environment = environment
    this.currentPhase = currentPhase
  }

  /** Runs when the server begins to close, before it waits for the last responses. */
  beforeClose(work: (services: Services) => Promise<void>): void {
    this.#server.addHook('preClose', async () => {
      const services = servicesIfReady(this.currentPhase())
      if (services !== null) await work(services)
    })
  }

  /** Runs once the server has sent its last response. */
  onClose(work: () => void): void {
    this.#server.addHook('onClose', async () => work())
  }

  /** `page` may respond instead of the handler under the aliases, never under the main path. */
  add<Declared extends Endpoint, Given extends Returned<Declared['id']> | Promise<Returned<Declared['id']>>>(
    declared: Declared,
    handler: Handler<Declared['id'], RequestContext<Declared>, Given>,
    page?: BrowserPage,
  ): void {
    this.#addRoutes(declared, handler, requireServices, page)
  }

  /** For an endpoint that refuses some requests even before the services are ready. */
  addBeforeReady<Declared extends Endpoint, Given extends Returned<Declared['id']> | Promise<Returned<Declared['id']>>>(
    declared: Declared,
    handler: Handler<Declared['id'], ParsedRequest<Declared>, Given>,
  ): void {
    this.#addRoutes(declared, handler, servicesIfReady)
  }

  #addRoutes(
    declared: Endpoint,
    handler: AnyHandler,
    servicesOf: (phase: Phase) => Services | null,
    page?: BrowserPage,
  ): void {
    const respond = (request: FastifyRequest, reply: FastifyReply, phase: Phase, writes: RequestWrites) =>
      handler({
        request,
        reply,
        parameters: request.params,
        body: request.body,
        phase,
        services: servicesOf(phase),
        storeWith: writes.storeWith,
        storeCounting: writes.storeCounting,
        counted: writes.counted,
      } as never)
    const check = declared.body && declared.bodyCheck !== 'by the handler' ? compileBodyCheck(declared.body) : null
    const bodyIsOptional = declared.bodyCheck === 'where given'
    // Only reads are answered from memory; everything else from the database.
    const reads = isRead(declared)
    const takesKey = takesIdempotencyKey(declared)
    const saysStale = reads && declared.scope === 'read'
    const takesLeastSeq = declared.query !== undefined && MIN_SEQ in declared.query
    const takesQuery = Object.keys(declared.query ?? {}).length > 0
    const { authenticator, environment, currentPhase } = this
    const trimmer = this.#trimmer
    for (const path of [declared.path, ...(declared.aliases ?? [])]) {
      this.#server.route({
        method: declared.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        // The authenticator counts requests without a key; those with a key have other limits.
        config: { countedByAddress: false, readsOnly: reads, otherBodies: Object.keys(declared.otherBodies ?? {}) },
        ...(declared.maxBodyBytes !== undefined && { bodyLimit: declared.maxBodyBytes }),
        onRequest: (request, reply, done) => {
          if (path !== declared.path && page?.isRequested(request)) {
            authenticator.countWithoutKey(request, reply)
            page.send(request, reply, currentPhase())
            return
          }
          const pending = authenticator.authenticate(request, reply, declared)
          if (pending === undefined) done()
          else pending.then(() => done(), done)
        },
        handler: (request, reply) => {
          if (!takesQuery) refuseQuery(request)
          if (takesLeastSeq) request.leastSeq = takeLeastSeq(request)
          if (!(bodyIsOptional && request.body === undefined)) check?.(request.body)
          const phase = currentPhase()
          if (saysStale && phase.phase === 'ready') sayIfStale(reply, phase.services, request.leastSeq)
          if (reads) {
            const answer = respond(request, reply, phase, NO_WRITES)
            // A reply looks like a promise, and Fastify would wait for one that has been sent.
            return answer === reply ? undefined : answer
          }
          const store = () => requireServices(phase).store
          if (!takesKey) return respond(request, reply, phase, plainWrites(store))
          const parts = { store, clock: environment.clock, agingClock: environment.aging.now, trimmer }
          return runIdempotent(parts, request, reply, (writes) => respond(request, reply, phase, writes))
        },
      })
    }
  }
}

/** Takes `min_seq` out of the address: it selects nothing in the archive. */
function takeLeastSeq(request: FastifyRequest): number {
  const { raw } = request
  const query = queryOf(request)
  // Most queries have none, and are not parsed for it. A name may be percent-encoded.
  if (!query.includes(MIN_SEQ) && !query.includes('%')) return 0
  const parameters = new URLSearchParams(query)
  const [text, ...more] = parameters.getAll(MIN_SEQ)
  if (text === undefined) return 0
  if (more.length > 0 || !/^\d{1,15}$/.test(text))
    throw invalidParameters([{ parameter: MIN_SEQ, message: 'must be one whole number, such as 8123' }])
  parameters.delete(MIN_SEQ)
  raw.url = raw.url!.split('?', 1)[0]! + (parameters.size === 0 ? '' : `?${parameters}`)
  return Number(text)
}

/** A node that has not reached the event that the client knows of is behind. */
function sayIfStale(reply: FastifyReply, { archive, freshness }: Services, leastSeq: number): void {
  if (archive.head.seq < leastSeq) reply.header('stale-seconds', Math.floor(freshness.behindMs / 1000))
  else addStaleSeconds(reply, freshness)
}

function refuseQuery(request: FastifyRequest): void {
  const names = [...new Set(new URLSearchParams(queryOf(request)).keys())]
  if (names.length > 0) throw invalidParameters(names.map((parameter) => ({ parameter, message: 'is not taken here' })))
}
