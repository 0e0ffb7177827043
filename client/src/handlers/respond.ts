import { unwrap, WebhookError, type WebhookRequest } from '../index.ts'
import type { HandleMessage, WebhookHandlerOptions } from './webhook-handler.ts'

export interface WebhookAnswer {
  readonly status: 204 | 400 | 413 | 500
  readonly text: string
}

/**
 * Verifies a request and hands its message on. Only a message that was handled is answered with
 * 2xx: the service sends any other again.
 */
export async function respond(
  request: WebhookRequest,
  secret: string | readonly string[],
  handle: HandleMessage,
  { onError, ...options }: WebhookHandlerOptions,
): Promise<WebhookAnswer> {
  try {
    await handle(await unwrap(request, secret, options))
    return { status: 204, text: '' }
  } catch (error) {
    onError?.(error)
    if (error instanceof WebhookError && error.reason !== 'body_already_parsed')
      return { status: error.reason === 'body_too_large' ? 413 : 400, text: error.message }
    // A wrong set-up of the endpoint is its own fault, not the message's.
    return { status: 500, text: 'The message could not be handled.' }
  }
}
