import type { UnwrapOptions, WebhookMessage } from '../index.ts'

/**
 * Is called with every verified message; what it throws is answered with 500, so that the service
 * tries again.
 */
export type HandleMessage = (message: WebhookMessage) => void | Promise<void>

/** Settings of a handler. */
export interface WebhookHandlerOptions extends UnwrapOptions {
  /** Is told of every request that was refused, and of every error of your own function. */
  readonly onError?: ((error: unknown) => void) | undefined
}
