export const NO_MAIL_SERVER = 'This service sends no mail: its operator has set no mail server (SMTP_URL).'

/**
 * The service's own mail server takes nothing. That says nothing about the receiver, so it is no
 * attempt: the message waits.
 */
export class MailServerDown extends Error {
  override readonly name = 'MailServerDown'
}
