import { createTransport } from 'nodemailer'
import { recipientOf } from '../../accounts/mail.ts'
import type { EndpointReply, SendResult } from '../../domain/delivery.ts'
import { parseEmailAddress } from '../../domain/email-address.ts'
import { MASK } from '../../domain/watch-headers.ts'
import { machine } from '../../lib/runtime.ts'
import type { ChannelMail } from '../channels/email.ts'
import { inTime } from '../guard/dns-client.ts'
import { failed, MailServerDown } from './failure.ts'

export interface MailSender extends Disposable {
  /** Rejects with `MailServerDown` if no server has said anything about this mail. */
  sendMail(mail: ChannelMail, now: number): Promise<SendResult>
}

/** Connections are kept: else each of a thousand mails would begin with a handshake. */
const POOL = { pool: true, maxConnections: 5, maxMessages: 500, maxRequeues: 1, idleTimeout: 20_000 } as const
const TIMEOUTS = { connectionTimeout: 8000, greetingTimeout: 8000, dnsTimeout: 8000, socketTimeout: 12_000 }
/** Less than is left of a lease when an attempt begins. */
const MAIL_TIMEOUT_MS = 15_000
/**
 * After a mail server took nothing, no mail is tried for this long: thousands may wait. Short, so
 * that mail goes on soon after the server is back.
 */
const PAUSE_MS = 20_000

/** Apart from the mailer of links: somebody who signs in does not wait behind a thousand alerts. */
export function smtpSender(smtpUrl: string, from: string, elapsed = machine.elapsed): MailSender {
  const transport = createTransport({ url: smtpUrl, ...POOL, ...TIMEOUTS }, { from })
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    async sendMail(mail, now) {
      if (elapsed() < pausedUntil)
        throw new MailServerDown('The mail server of this service takes no mail at the moment.')
      const started = machine.elapsed()
      // Of an alert from before addresses had one form: no server is asked.
      if ('fault' in parseEmailAddress(mail.to)) return { startedAt: now, durationMs: 0, ...NOT_WRITABLE }
      const reply = await inTime(transport.sendMail(fieldsOf(mail)), MAIL_TIMEOUT_MS).then(
        ({ response }) => smtpReply({ response }),
        (error: NodeJS.ErrnoException & MailOutcome) => smtpReply(withoutAddress(error, mail.to)),
      )
      if (reply === null) {
        pausedUntil = elapsed() + PAUSE_MS
        throw new MailServerDown(
          'The mail server of this service cannot be reached, or refuses the service itself.',
          true,
        )
      }
      return { startedAt: now, durationMs: Math.round(machine.elapsed() - started), ...reply }
    },
    [Symbol.dispose]: () => transport.close(),
  }
}

function fieldsOf({ to, subject, language, text, html, messageId, parentId, unsubscribeUrl }: ChannelMail) {
  const parent = parentId === null ? {} : { inReplyTo: `<${parentId}>`, references: `<${parentId}>` }
  return {
    to: recipientOf(to),
    subject,
    text,
    html,
    messageId: `<${messageId}>`,
    ...parent,
    headers: {
      'Content-Language': language,
      // One click, without a question: RFC 8058.
      'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // So that nobody's out-of-office note answers an alert.
      'Auto-Submitted': 'auto-generated',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Servers repeat the address, some in small letters; it is encrypted where we store it. */
function withoutAddress({ response, responseCode, command }: MailOutcome, address: string): MailOutcome {
  return { response: response?.replace(new RegExp(RegExp.escape(address), 'gi'), MASK), responseCode, command }
}

/** The outcome of a mail by nodemailer: the server's last line, or an error. */
interface MailOutcome {
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
  readonly command?: string | undefined
}

/** Commands that are about one mail. Refusing an earlier one, the server refuses the service. */
const ABOUT_THE_MAIL = /^(RCPT TO|DATA|BDAT)/
/** RFC 3463: 5.1.1 to 5.1.3, 5.1.6, 5.1.10: a wrong address; 5.2.1: a closed mailbox. */
const NO_SUCH_MAILBOX = /^5\d\d[ -]5\.(1\.(?:[1236]|10)|2\.1)\b/
const GONE = 410
const NOT_WRITABLE = failed('failed', 'The mail cannot be written to this address.')

/**
 * Reads the answer of a mail server, with its code as the status. Null if there is none about this
 * mail. 410 stands for an address that does not exist any more.
 */
export function smtpReply({ response = '', responseCode, command }: MailOutcome): EndpointReply | null {
  if (responseCode === undefined && /^2\d\d/.test(response))
    return answered(Number(response.slice(0, 3)), 'The mail server took the mail.')
  // The address cannot be written into a mail: no server was asked.
  if (command === 'API') return NOT_WRITABLE
  if (responseCode === undefined || !ABOUT_THE_MAIL.test(command ?? '')) return null
  if (NO_SUCH_MAILBOX.test(response)) return answered(GONE, 'The mailbox does not exist.', response)
  return answered(responseCode, `The mail server answered ${responseCode}.`, response)
}

function answered(status: number, message: string, body = ''): EndpointReply {
  return { kind: 'answered', status, message, body, retryAfter: null }
}
