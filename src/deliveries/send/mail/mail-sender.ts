import { createTransport } from 'nodemailer'
import type { SendResult } from '../../../domain/delivery.ts'
import { MASK } from '../../../domain/watch-headers.ts'
import type { ChannelMail } from '../../channels/mail.ts'
import { MailBreaker } from './mail-breaker.ts'
import { MailServerDown } from './mail-server-down.ts'
import { type MailOutcome, smtpReply } from './smtp-reply.ts'

export interface MailSender extends Disposable {
  /**
   * Makes one attempt. Rejects with `MailServerDown` if no server has said anything about this
   * mail.
   */
  sendMail(mail: ChannelMail, now: number): Promise<SendResult>
}

/**
 * Connections are kept: a mail to each of a thousand readers would otherwise begin with a
 * handshake.
 */
const POOL = { pool: true, maxConnections: 5, maxMessages: 500, maxRequeues: 1, idleTimeout: 20_000 } as const
const TIMEOUTS = { connectionTimeout: 8000, greetingTimeout: 8000, dnsTimeout: 8000, socketTimeout: 12_000 }
/** Less than is left of a lease when an attempt begins. */
const MAIL_TIMEOUT_MS = 15_000

/** Apart from the mailer of links: somebody who signs in does not wait behind a thousand alerts. */
export function smtpSender(smtpUrl: string, from: string, elapsed = () => performance.now()): MailSender {
  const transport = createTransport({ url: smtpUrl, ...POOL, ...TIMEOUTS }, { from })
  const breaker = new MailBreaker(elapsed)
  return {
    async sendMail(mail, now) {
      if (breaker.isOpen) throw new MailServerDown('The mail server of this service takes no mail at the moment.')
      const started = performance.now()
      const reply = await within(MAIL_TIMEOUT_MS, transport.sendMail(fieldsOf(mail))).then(
        ({ response }) => smtpReply({ response }),
        (error: NodeJS.ErrnoException & MailOutcome) => smtpReply(withoutAddress(error, mail.to)),
      )
      if (reply === null) {
        breaker.open()
        throw new MailServerDown('The mail server of this service cannot be reached, or refuses the service itself.')
      }
      return { startedAt: now, durationMs: Math.round(performance.now() - started), ...reply }
    },
    [Symbol.dispose]: () => transport.close(),
  }
}

function fieldsOf({ to, subject, language, text, html, messageId, parentId, unsubscribeUrl }: ChannelMail) {
  const parent = parentId === null ? {} : { inReplyTo: `<${parentId}>`, references: `<${parentId}>` }
  return {
    to,
    subject,
    text,
    html,
    messageId: `<${messageId}>`,
    ...parent,
    headers: {
      'Content-Language': language,
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

async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the mail server is silent')), milliseconds)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
