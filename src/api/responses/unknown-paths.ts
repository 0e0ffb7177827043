import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { sendProblem } from './problem-response.ts'

/** Answers people with a page; returns false for the clients of the API. */
export type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => boolean

/** 405 if the path exists with another method, else 404. Call before registering routes. */
export function handleUnknownPaths(server: FastifyInstance, sendNotFoundPage: NotFoundPage): void {
  const routes: { methods: readonly string[]; shape: RegExp }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    const shape = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}/?$`)
    routes.push({ methods: [method].flat(), shape })
  })
  server.setNotFoundHandler((request, reply) => {
    const path = request.raw.url!.split('?', 1)[0]!
    const methods = new Set(routes.filter(({ shape }) => shape.test(path)).flatMap((route) => route.methods))
    methods.delete('OPTIONS')
    // A route may allow this method but not these characters in the path: also a 404.
    if (methods.size === 0 || methods.has(request.method)) {
      if (sendNotFoundPage(request, reply)) return reply
      return sendProblem(
        request,
        reply,
        new Problem('not_found', `There is nothing at ${path.slice(0, 200)}. The reference is at /docs.`),
      )
    }
    const allow = [...methods].join(', ')
    return sendProblem(
      request,
      reply,
      new Problem('method_not_allowed', `This path allows ${allow}.`, { headers: { allow } }),
    )
  })
}
