import type { EndpointReply } from '../../../domain/delivery.ts'
import { failed } from '../failure.ts'

/** What nodemailer says of a mail: the server's last line, or an error. */
export interface MailOutcome {
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
  readonly command?: string | undefined
}

/** Commands that are about one mail. Refusing an earlier one, the server refuses the service. */
const ABOUT_THE_MAIL = /^(RCPT TO|DATA|BDAT)/
/**
 * RFC 3463: 5.1.1 to 5.1.3, 5.1.6 and 5.1.10 name a wrong address, 5.2.1 a mailbox that is closed.
 */
const NO_SUCH_MAILBOX = /^5\d\d[ -]5\.(1\.(?:[1236]|10)|2\.1)\b/
const GONE = 410

/**
 * Reads the answer of a mail server, with its code as the status. Null if there is none about this
 * mail. 410 stands for an address that does not exist any more.
 */
export function smtpReply({ response = '', responseCode, command }: MailOutcome): EndpointReply | null {
  if (responseCode === undefined && /^2\d\d/.test(response))
    return answered(Number(response.slice(0, 3)), 'The mail server took the mail.')
  // The address cannot be written into a mail: no server was asked.
  if (command === 'API') return failed('failed', 'The mail cannot be written to this address.')
  if (responseCode === undefined || !ABOUT_THE_MAIL.test(command ?? '')) return null
  if (NO_SUCH_MAILBOX.test(response)) return answered(GONE, 'The mailbox does not exist.', response)
  return answered(responseCode, `The mail server answered ${responseCode}.`, response)
}

function answered(status: number, message: string, body = ''): EndpointReply {
  return { kind: 'answered', status, message, body, retryAfter: null }
}
