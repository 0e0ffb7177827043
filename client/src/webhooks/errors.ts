import { IncidentFeedError } from '../errors/errors.ts'

/** Why a message was refused. */
export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'body_already_parsed'
  | 'body_too_large'
  | 'malformed_body'

/**
 * The request is not a message of the service, or is too old to be taken for one. Answer it with
 * 400.
 */
export class WebhookError extends IncidentFeedError {
  /** The name of the class. */
  override readonly name = 'WebhookError'
  /** Why it was refused, for programs. */
  readonly reason: WebhookRefusal

  /** Says why, for programs and for people. */
  constructor(reason: WebhookRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
