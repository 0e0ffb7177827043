import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailServer extends AsyncDisposable {
  readonly url: string
  /** Every mail so far, decoded. */
  readonly mails: readonly string[]
}

/** A mail server that accepts every mail and keeps it. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      let mail = ''
      stream.on('data', (chunk) => {
        mail += chunk
      })
      stream.on('end', () => {
        mails.push(decoded(mail))
        done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    mails,
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
