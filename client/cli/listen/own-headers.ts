import { UsageError } from '../usage-error.ts'

/**
 * Reads `--header 'X-Team: roads'`. The service's own headers stay: the signature is one of them.
 */
export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const text of texts) {
    const [, name, value] = /^([^:]+):(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`--header takes name:value, as --header 'X-Team: roads', not ${text}`)
    if (/^(content-|webhook-|host$)/i.test(name.trim()))
      throw new UsageError(`--header cannot set ${name.trim()}: it belongs to the message.`)
    try {
      new Headers([[name.trim(), value.trim()]])
    } catch {
      throw new UsageError(`--header ${name.trim()} is no header that can be sent.`)
    }
    headers[name.trim()] = value.trim()
  }
  return headers
}
