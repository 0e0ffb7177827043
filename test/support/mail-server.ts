import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailServer extends AsyncDisposable {
  readonly url: string
  /** Every mail so far, decoded. */
  readonly mails: readonly string[]
  /** Every mail so far, as it came over the line. */
  readonly raw: readonly string[]
}

export interface MailServerOptions {
  /**
   * What the server says to a recipient instead of taking it, such as `550 5.1.1 no such user`;
   * null to take it.
   */
  readonly refuse?: (recipient: string) => string | null
}

/** A mail server that accepts every mail and keeps it. */
export async function startMailServer({ refuse = () => null }: MailServerOptions = {}): Promise<MailServer> {
  const mails: string[] = []
  const raw: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const refusal = refuse(address)
      if (refusal === null) return done()
      const [, code, text] = /^(\d{3}) (.*)$/.exec(refusal)!
      done(Object.assign(new Error(text), { responseCode: Number(code) }))
    },
    onData(stream, _session, done) {
      let mail = ''
      stream.on('data', (chunk) => {
        mail += chunk
      })
      stream.on('end', () => {
        raw.push(mail)
        mails.push(decoded(mail))
        done()
      })
    },
  })
  // A service that is killed leaves its connections in the middle of a mail.
  smtp.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    mails,
    raw,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}

/** Decodes the encoded words of the header and the quoted-printable body. */
function decoded(mail: string): string {
  const [header, body] = mail.split(/\r\n\r\n(.*)/s) as [string, string]
  const words = header.replaceAll('?=\r\n =?UTF-8?Q?', '').replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) => {
    return decodeURIComponent(word.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, '%$1'))
  })
  return `${words}\r\n\r\n${body.replaceAll('=\r\n', '').replaceAll('=3D', '=')}`
}
