import { createTransport } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'

const TIMEOUT_MS = 10_000

/** How far a connection to the mail server came. */
export type MailServerState =
  | { readonly step: 'connecting'; readonly reason: string }
  | { readonly step: 'logging in'; readonly reason: string }
  | { readonly step: 'ready'; readonly encrypted: boolean; readonly loggedIn: boolean }

/** Connects as the service does, logs in if the URL has a user, and leaves. Sends no mail. */
export async function tryMailServer(smtpUrl: string): Promise<MailServerState> {
  // The same reading of the URL as the service's.
  const { options } = createTransport(smtpUrl)
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const connection = new SMTPConnection({ ...(options as SMTPConnection.Options), ...timeouts })
  const failed = new Promise<never>((_, reject) => connection.on('error', reject))
  failed.catch(() => {})
  let step: 'connecting' | 'logging in' = 'connecting'
  try {
    await Promise.race([new Promise<void>((resolve) => connection.connect(() => resolve())), failed])
    const { auth } = options as SMTPConnection.Options & { auth?: SMTPConnection.AuthenticationType }
    step = 'logging in'
    if (auth) await Promise.race([loggedIn(connection, auth), failed])
    return { step: 'ready', encrypted: connection.secure === true, loggedIn: auth !== undefined }
  } catch (error) {
    return { step, reason: (error as Error).message }
  } finally {
    connection.quit()
    connection.close()
  }
}

function loggedIn(connection: SMTPConnection, auth: SMTPConnection.AuthenticationType): Promise<void> {
  return new Promise((resolve, reject) =>
    connection.login(auth, (error: Error | null | undefined) => (error ? reject(error) : resolve())),
  )
}
