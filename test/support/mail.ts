import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailServer extends AsyncDisposable {
  readonly url: string
  /** Every mail so far, decoded. */
  readonly mails: readonly string[]
  /** Every mail so far, as it came over the line. */
  readonly raw: readonly string[]
  /** The text between the brackets of every RCPT TO, as it came over the line. */
  readonly recipients: readonly string[]
}

export interface MailServerOptions {
  /**
   * Returns the refusal of a recipient, such as `550 5.1.1 no such user`;
   * null to take it.
   */
  readonly refuse?: (recipient: string) => string | null
}

/** A mail server that accepts every mail and keeps it. */
export async function startMailServer({ refuse = () => null }: MailServerOptions = {}): Promise<MailServer> {
  const mails: string[] = []
  const raw: string[] = []
  const recipients: string[] = []
  const ignore = () => {}
  const smtp = new SMTPServer({
    logger: {
      ...{ level: ignore, trace: ignore, info: ignore, warn: ignore, error: ignore, fatal: ignore },
      debug(_entry: unknown, _direction: string, line?: string) {
        const recipient = /^RCPT TO:<(.*)>/.exec(line ?? '')?.[1]
        if (recipient !== undefined) recipients.push(recipient)
      },
    },
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
        mails.push(readable(mail))
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
    recipients,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}

/** A mail as a program for mail reads it. */
export interface ParsedMail {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
}

/** Reads a mail with one text, or with a text and an HTML form of it. */
export function parsedMail(raw: string): ParsedMail {
  const { headers, body } = parted(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1)
  const texts = new Map<string, string>()
  for (const part of parts) {
    const { headers: own, body: encoded } = parted(part.replace(/^\r\n/, ''))
    const type = /^text\/(\w+)/.exec(own['content-type'] ?? 'text/plain')![1]!
    texts.set(type, decoded(encoded, own['content-transfer-encoding'] ?? '7bit'))
  }
  return { headers, text: texts.get('plain') ?? '', html: texts.get('html') ?? '' }
}

function parted(text: string): { headers: Record<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
  const fields = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line)!)
  return {
    headers: Object.fromEntries(fields.map(([, name, value]) => [name!.toLowerCase(), words(value!)])),
    body: text.slice(end + 4),
  }
}

function words(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?UTF-8\?[QB]\?/gi, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) => decoded(word.replaceAll('_', ' '), 'quoted-printable'))
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, word: string) => decoded(word, 'base64'))
}

function decoded(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString()
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** The whole mail as text: the words of its header and the quoted-printable of its body decoded. */
function readable(mail: string): string {
  const end = mail.indexOf('\r\n\r\n')
  return words(mail.slice(0, end)) + decoded(mail.slice(end), 'quoted-printable')
}
