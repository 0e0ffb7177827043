import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Endpoint } from '../contract/endpoint.ts'
import { invalidParameters } from '../query/listing.ts'
import type { Door } from './auth/authenticator.ts'
import { once } from './requests/idempotency.ts'
import { queryOf } from './requests/query.ts'
import { bodyChecker } from './requests/validate.ts'
import type { Dependencies } from './services.ts'

/** Answers a browser that a person sits before, and says so; others go on to the endpoint itself. */
export type ForPeople = (request: FastifyRequest, reply: FastifyReply) => boolean

export interface Asked<Declared extends Endpoint> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parameters: Readonly<Record<keyof Declared['pathParameters'] & string, string>>
  readonly body: BodyOf<Declared>
}

/** Puts endpoints on the server as the contract declares them: under all their paths, behind the door, validated. */
export class Router {
  readonly dependencies: Dependencies
  readonly door: Door
  readonly #server: FastifyInstance

  constructor(server: FastifyInstance, door: Door, dependencies: Dependencies) {
    this.#server = server
    this.door = door
    this.dependencies = dependencies
  }

  /** To be done before the server waits for its last answers. */
  beforeClose(work: () => Promise<void>): void {
    this.#server.addHook('preClose', work)
  }

  /** To be done once the server has answered its last request. */
  onClose(work: () => void): void {
    this.#server.addHook('onClose', async () => work())
  }

  /** `forPeople` may answer in its place under the other paths, never under the first. */
  add<Declared extends Endpoint>(
    declared: Declared,
    handler: (asked: Asked<Declared>) => unknown,
    forPeople?: ForPeople,
  ): void {
    const check = declared.body && declared.bodyCheck !== 'by the handler' ? bodyChecker(declared.body) : null
    const mayLackBody = declared.bodyCheck === 'where given'
    const takesQuery = Object.keys(declared.query ?? {}).length > 0
    const { door, dependencies } = this
    for (const path of [declared.path, ...(declared.aliases ?? [])]) {
      this.#server.route({
        method: declared.method,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        onRequest: (request, reply, done) => {
          if (path !== declared.path && forPeople?.(request, reply)) return
          const admitted = door.admit(request, reply, declared)
          if (admitted === undefined) done()
          else admitted.then(() => done(), done)
        },
        handler: (request, reply) => {
          if (!takesQuery) refuseQuery(request)
          if (!(mayLackBody && request.body === undefined)) check?.(request.body)
          const asked = { request, reply, parameters: request.params, body: request.body } as Asked<Declared>
          return declared.method === 'POST' ? once(dependencies, request, reply, () => handler(asked)) : handler(asked)
        },
      })
    }
  }
}

function refuseQuery(request: FastifyRequest): void {
  const names = [...new Set(new URLSearchParams(queryOf(request)).keys())]
  if (names.length > 0) throw invalidParameters(names.map((parameter) => ({ parameter, message: 'is not taken here' })))
}
