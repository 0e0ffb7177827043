import { type EndpointReply, FAILURES, type Failure, type SendResult } from '../../domain/delivery.ts'
import { RefusedAddress } from '../guard/guard.ts'

/** Nobody knows whether the message was sent: what was sending it has ended. */
export class SenderLost extends Error {
  override readonly name = 'SenderLost'
}

/**
 * The service's own mail server takes nothing. That says nothing about the receiver, so it is no
 * attempt: the message waits.
 */
export class MailServerDown extends Error {
  override readonly name = 'MailServerDown'
  /** Whether the server was asked: it may have taken the mail before the connection was lost. */
  readonly wasAsked: boolean

  constructor(message: string, wasAsked = false) {
    super(message)
    this.wasAsked = wasAsked
  }
}

export const NO_MAIL_SERVER = 'This service sends no mail: its operator has set no mail server (SMTP_URL).'

/** Error codes of Node, OpenSSL and undici; the first matching row decides. */
const CODES: readonly (readonly [pattern: RegExp, failure: Failure])[] = [
  [/^(ENOTFOUND|ENODATA|EAI_\w+)$/, 'unknown_host'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN|EACCES)$/, 'unreachable'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'connection_closed'],
  [/CERT|^UNABLE_TO_|^ERR_TLS_CERT|SELF_SIGNED|^HOSTNAME_MISMATCH$|^INVALID_PURPOSE$/, 'bad_certificate'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO)/, 'no_tls'],
  [/^(HPE_\w+|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)$/, 'malformed_answer'],
]

/** Describes an error to the watch's owner, who knows no Node error codes. */
export function failureOf(error: unknown): EndpointReply {
  if (error instanceof RefusedAddress) return failed('refused_address', `The host ${error.message}.`)
  const { name, code = name } = error as NodeJS.ErrnoException
  const failure = CODES.find(([pattern]) => pattern.test(code))?.[1] ?? 'failed'
  return failed(failure, `${FAILURES[failure]} (${code})`)
}

export function failed(failure: Failure, message: string): EndpointReply {
  return { kind: 'failed', failure, message }
}

/** The result of an attempt whose sender has ended before it was known. Throws other errors. */
export function resultOfLoss(error: unknown, startedAt: number): SendResult {
  const isDown = error instanceof MailServerDown
  if (!isDown && !(error instanceof SenderLost)) throw error
  const message = isDown ? error.message : 'The service was interrupted while it sent this message.'
  return { startedAt, durationMs: 0, ...failed('failed', message) }
}
