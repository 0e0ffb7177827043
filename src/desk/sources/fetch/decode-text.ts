import { problemWith } from './fetch-problem.ts'

/** Decodes by byte order mark, `Content-Type`, or XML declaration, in this order; else UTF-8. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const label = labelOfMark(bytes) ?? charsetOf(contentType) ?? declaredEncoding(bytes) ?? 'utf-8'
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(label)
  } catch {
    throw problemWith('bad_encoding', `The character set is "${label.slice(0, 40)}".`)
  }
  return decoder.decode(bytes)
}

function labelOfMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return null
}

function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? null
}

function declaredEncoding(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 200).toString('latin1')
  return /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i.exec(start)?.[1] ?? null
}
