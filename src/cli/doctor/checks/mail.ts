import { type MailServerState, tryMailServer } from '../../../accounts/mail.ts'
import type { Config } from '../../../config/settings.ts'
import { type Finding, failed, ok, skipped, warning } from '../finding.ts'
import { isLoopbackHost } from '../local-host.ts'

/** Greets the mail server and logs in. Sends nothing. */
export async function checkMail({ SMTP_URL: url }: Pick<Config, 'SMTP_URL'>): Promise<Finding[]> {
  if (url === null)
    return [skipped('SMTP_URL is not set: nobody can get a link by e-mail, for a lost key or to sign in')]
  return judgeMail(new URL(url), await tryMailServer(url))
}

export function judgeMail(url: URL, state: MailServerState): Finding[] {
  const server = `${url.hostname}:${url.port || (url.protocol === 'smtps:' ? 465 : 587)}`
  if (state.step === 'connecting')
    return [
      failed(
        `The mail server ${server} does not answer: ${state.reason}`,
        'Check host and port in SMTP_URL (smtps:// for port 465), and that this machine may connect to it.',
      ),
    ]
  if (state.step === 'logging in')
    return [
      failed(
        `The mail server ${server} refuses the login: ${state.reason}`,
        'Check user and password in SMTP_URL; characters such as @ and / must be written as %40 and %2F.',
      ),
    ]
  const isOpen = !state.encrypted && !isLoopbackHost(url.hostname)
  const entered = state.loggedIn
    ? `accepts the login as ${decodeURIComponent(url.username)}`
    : 'greets; SMTP_URL has no login'
  const findings = [ok(`The mail server ${server} ${entered}${state.encrypted ? ', encrypted' : ''}`)]
  if (isOpen)
    findings.push(
      warning(
        `The connection to ${server} is not encrypted, so links in mails ${state.loggedIn ? 'and the password ' : ''}can be read on the way`,
        'Use a server with STARTTLS or smtps://.',
      ),
    )
  return findings
}
