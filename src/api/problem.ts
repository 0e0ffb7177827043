import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnreadableDocuments } from '../archive/documents/slab-file.ts'
import { ERRORS, type ErrorCode } from '../domain/error-codes.ts'
import { Problem } from '../domain/errors.ts'
import { lazy } from '../lib/memoize.ts'
import { AccountDeleted, NewerSchema, StoreBusy, StoreFull, StoreUnavailable } from '../store/store.ts'

export function problemBody(problem: Problem, requestId: string) {
  const { status, title } = ERRORS[problem.code]
  return {
    type: `/docs#error-${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors.length > 0 ? { errors: problem.errors } : {}),
    ...problem.members,
  }
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  const { status } = ERRORS[problem.code]
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="incident-feed"')
  // A web page whose key is refused must be able to read the reason.
  if (status === 401 || problem.code === 'origin_not_allowed') reply.header('access-control-allow-origin', '*')
  // Set again, because some requests are refused before the hooks run.
  reply.header('x-request-id', request.id)
  void reply
    .status(status)
    .headers({
      ...problem.headers,
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
    })
    .send(JSON.stringify(problemBody(problem, request.id)))
}

/** Problems for the errors that Fastify raises. */
const FASTIFY_ERRORS: Readonly<Record<string, [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not valid percent-encoded UTF-8.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body has more than 256 KiB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body must be sent with Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_request', 'Content-Length does not fit the body.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: [
    'unsupported_media_type',
    'This method must be sent with Content-Type: application/json.',
  ],
  FST_ERR_CTP_EMPTY_TYPE: ['unsupported_media_type', 'The body must be sent with Content-Type: application/json.'],
  FST_ERR_ASYNC_CONSTRAINT: ['malformed_request', 'The request cannot be read.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'The path has a segment of more than 200 characters.'],
}

export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StoreFull)
    return retryable('store_full', 'The disk of the database is full. Nothing was written; reads still work.', 30)
  if (error instanceof UnreadableDocuments)
    return retryable('store_unavailable', 'A file of incidents is damaged; they are being read from the database.', 5)
  if (error instanceof StoreBusy)
    return retryable('store_unavailable', 'No connection to the database was free in time. Nothing was written.', 2)
  if (error instanceof NewerSchema)
    return retryable('newer_schema', `${error.message}. Nothing was written; a newer node can do it.`, 2)
  if (error instanceof StoreUnavailable)
    return retryable('store_unavailable', 'The database cannot be reached or cannot write. Nothing was written.', 5)
  // Its keys are revoked: a request that was let in just before would be refused so now.
  if (error instanceof AccountDeleted) return new Problem('revoked_key', 'The account was deleted.')
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = FASTIFY_ERRORS[code]
  if (known) return new Problem(...known)
  // Other errors that Fastify blames on the client, such as a body that ends early.
  if (statusCode >= 400 && statusCode < 500) return new Problem('malformed_request', 'The request cannot be read.')
  return new Problem('internal', 'The request failed because of an error in the service. The error has been logged.')
}

function retryable(code: ErrorCode, detail: string, seconds: number): Problem {
  return new Problem(code, detail, { headers: { 'retry-after': String(seconds) } })
}

/** Answers people with a page; returns false for the clients of the API. */
export type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => boolean

/** 405 if the path exists with another method, else 404. Call before registering routes. */
export function handleUnknownPaths(server: FastifyInstance, sendNotFoundPage: NotFoundPage): void {
  const declared: { methods: readonly string[]; url: string }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    declared.push({ methods: [method].flat(), url })
  })
  const routes = lazy(() =>
    declared.map(({ methods, url }) => {
      const shape = url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
      return { methods, shape: new RegExp(`^${shape}/?$`) }
    }),
  )
  server.setNotFoundHandler((request, reply) => {
    const path = request.raw.url!.split('?', 1)[0]!
    const methods = new Set(
      routes()
        .filter(({ shape }) => shape.test(path))
        .flatMap((route) => route.methods),
    )
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
