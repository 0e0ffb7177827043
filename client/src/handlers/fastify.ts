import type { HeadersLike } from '../index.ts'
import { respond } from './respond.ts'
import type { HandleMessage, WebhookHandlerOptions } from './webhook-handler.ts'

/** The part of a reply of Fastify that the plugin needs. */
export interface FastifyReplyLike {
  /** Sets the status. */
  code(status: number): unknown
  /** Sets the type. */
  type(type: string): unknown
  /** Answers. */
  send(text: string): unknown
}

/** The part of Fastify that the plugin needs. */
export interface FastifyLike {
  /** Reads bodies of a type. */
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array | string, done: (error: null, body: unknown) => void) => void,
  ): unknown
  /** Forgets how bodies of a type are read. */
  removeAllContentTypeParsers(): unknown
  /** Registers a route. */
  post(
    path: string,
    handler: (request: { headers: HeadersLike; body: unknown }, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown
}

/** Settings of the plugin. */
export interface FastifyWebhookOptions extends WebhookHandlerOptions {
  /** The path of the endpoint. Default: `/`, below the prefix that it is registered with. */
  readonly path?: string | undefined
}

/**
 * A plugin for Fastify with one route. Its bodies are read as bytes; the other routes keep their
 * parser.
 *
 * @example
 * app.register(fastifyWebhooks(process.env.WATCH_SECRET, save), { prefix: '/hook' })
 */
export function fastifyWebhooks(
  secret: string | readonly string[],
  handle: HandleMessage,
  { path = '/', ...options }: FastifyWebhookOptions = {},
): (fastify: FastifyLike) => Promise<void> {
  return async (fastify) => {
    fastify.removeAllContentTypeParsers()
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    fastify.post(path, async ({ headers, body }, reply) => {
      const { status, text } = await respond({ headers, body: body ?? '' }, secret, handle, options)
      reply.code(status)
      reply.type('text/plain; charset=utf-8')
      return reply.send(text)
    })
  }
}
