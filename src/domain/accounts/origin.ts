/** What may stand before and after the host: no path, credentials, blanks or backslashes. */
const SHAPE = /^https?:\/\/[^\s/\\?#@*]+\/?$/i

/**
 * Writes an origin as browsers send it: lower case, punycode, no default port, no trailing slash.
 * Null if the text is not an origin.
 */
export function normaliseOrigin(text: string): string | null {
  if (!SHAPE.test(text) || !URL.canParse(text)) return null
  const { origin, hostname } = new URL(text)
  return hostname === '' || hostname.endsWith('.') ? null : origin
}
