import type { HeadersLike } from '../index.ts'
import { respond } from './respond.ts'
import type { HandleMessage, WebhookHandlerOptions } from './webhook-handler.ts'

/** The part of a request of Node or Express that the handler needs. */
export interface NodeRequest {
  /** The method, such as POST. */
  readonly method?: string | undefined
  /** The headers, by their names in lower case. */
  readonly headers: HeadersLike
  /** Reads the body. */
  [Symbol.asyncIterator](): AsyncIterator<unknown>
}

/** The part of a response of Node or Express that the handler needs. */
export interface NodeResponse {
  /** The status to answer with. */
  statusCode: number
  /** Sets a header. */
  setHeader(name: string, value: string): unknown
  /** Answers with a text. */
  end(text?: string): unknown
}

/**
 * A handler for Express, and for `http.createServer` itself. Register it before `express.json()`,
 * or with `express.raw({ type: 'application/json' })` on the same path: a parsed body cannot be
 * verified.
 *
 * @example
 * const handler = expressHandler(process.env.WATCH_SECRET, async (message) => save(message))
 * app.post('/hook', handler)
 */
export function expressHandler(
  secret: string | readonly string[],
  handle: HandleMessage,
  options: WebhookHandlerOptions = {},
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    if (request.method !== undefined && request.method !== 'POST') {
      response.statusCode = 405
      response.setHeader('allow', 'POST')
      response.end()
      return
    }
    const { status, text } = await respond(request, secret, handle, options)
    response.statusCode = status
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    response.end(text)
  }
}
