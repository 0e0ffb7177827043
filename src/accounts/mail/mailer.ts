import { createTransport } from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The mail server is unavailable or refused the mail. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable'
}

export interface Mailer {
  /** Resolves once the mail server has accepted the mail; else rejects with `MailUnavailable`. */
  sendMail(mail: Mail): Promise<void>
}

export function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(smtpUrl, { from })
  return {
    async sendMail(mail) {
      try {
        await transport.sendMail(mail)
      } catch (error) {
        throw new MailUnavailable('the mail server did not accept the mail', { cause: error })
      }
    },
  }
}
