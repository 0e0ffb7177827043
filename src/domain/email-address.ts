/** Longest address that mail servers must take: a path of RFC 5321 without its brackets. */
const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
const AS = ', as name@example.org'
/** A name of RFC 5322 that needs no quotes. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The address in its canonical form, or its fault, in words that follow the field's name. */
export type ParsedAddress = { readonly address: string } | { readonly fault: string }

/**
 * Brings an address into the one form in which it is counted, stored, compared and sent: small
 * letters, the domain in ASCII without a dot at its end. Refuses forms that mail programs rewrite,
 * such as quotes and comments: one mailbox would have many spellings. Tags (`ada+x@…`) stay.
 */
export function parseEmailAddress(text: string): ParsedAddress {
  if (/\p{Cc}/u.test(text)) return { fault: `must be an e-mail address without control characters${AS}` }
  const given = text.trim()
  const at = given.lastIndexOf('@')
  if (at < 1) return { fault: `must be an e-mail address${AS}` }
  const local = given.slice(0, at)
  if (/["\\()<>,:;@[\]\s]/.test(local))
    return { fault: `must be an e-mail address without quotes, brackets, comments and spaces${AS}` }
  if (local.length > MAX_LOCAL_LENGTH || !LOCAL_PART.test(local))
    return {
      fault: `must be an e-mail address with 1 to ${MAX_LOCAL_LENGTH} ASCII letters, digits and signs before the @${AS}`,
    }
  const domain = asciiDomain(given.slice(at + 1))
  if (domain === null)
    return { fault: `must be an e-mail address of a domain with a dot${AS}; not of an IP address or a single name` }
  const address = `${local.toLowerCase()}@${domain}`
  if (address.length > MAX_LENGTH) return { fault: `must be an e-mail address of at most ${MAX_LENGTH} characters` }
  return { address }
}

/** The canonical form. Throws a `TypeError` if there is none: the caller has checked the text. */
export function canonicalAddress(text: string): string {
  const parsed = parseEmailAddress(text)
  if ('fault' in parsed) throw new TypeError(`The e-mail address ${parsed.fault}`)
  return parsed.address
}

/** As DNS has the name, `bücher.ng` as `xn--bcher-kva.ng`; null if it is none that takes mail. */
function asciiDomain(text: string): string | null {
  // The parser of URLs would also take ports, escapes and other spellings of dots.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return null
  const host = URL.parse(`http://${text.replace(/\.$/, '')}`)?.hostname ?? ''
  return DOMAIN.test(host) ? host : null
}

/** The mailbox, for counting mails: its tags (`ada+x@…`) are names that its owner makes up. */
export function mailboxOf(address: string): string {
  return canonicalAddress(address).replace(/\+[^@]*@/, '@')
}
