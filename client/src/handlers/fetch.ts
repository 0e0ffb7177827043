import { respond } from './respond.ts'
import type { HandleMessage, WebhookHandlerOptions } from './webhook-handler.ts'

/**
 * A handler for whatever speaks `Request` and `Response`: Deno, Bun, Workers, Hono, Next.js.
 *
 * @example
 * export const POST = fetchHandler(process.env.WATCH_SECRET, async (message) => save(message))
 */
export function fetchHandler(
  secret: string | readonly string[],
  handle: HandleMessage,
  options: WebhookHandlerOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    const { status, text } = await respond(request, secret, handle, options)
    return new Response(status === 204 ? null : text, { status })
  }
}
