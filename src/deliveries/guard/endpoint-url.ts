import { isIP } from 'node:net'
import { addressRefusal } from './address-ranges.ts'

const MAX_CHARACTERS = 2048
const ALLOWED_LOW_PORTS = [80, 443, 8080, 8443]
const FIRST_HIGH_PORT = 1024

/** Names that resolve only inside a private network. */
const PRIVATE_NAMES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'home.arpa',
  'corp',
  'private',
  'localdomain',
]
/** Names that cannot be registered (RFC 2606, RFC 7686). */
const RESERVED_NAMES = ['test', 'example', 'invalid', 'onion']

/** The host to connect to, without IPv6 brackets and the final dot of a full name. */
export function hostNameOf(url: { readonly hostname: string }): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * Returns why the URL's text alone rules it out as an endpoint, or null. The URL parser has already
 * turned every spelling of an IPv4 address (0x7f.1, 2130706433, 127.1, １２７.0.0.1) into four decimal
 * numbers.
 */
export function urlFault(text: string, allowPrivate: boolean): string | null {
  if (text.length > MAX_CHARACTERS) return `has ${text.length} characters; the maximum is ${MAX_CHARACTERS}`
  if (/[\s\p{Cc}\\]/u.test(text)) return 'contains a blank, a backslash or a control character; percent-encode it'
  if (!URL.canParse(text)) return 'is not a URL; give a complete one, such as https://example.org/incidents'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return `must begin with https://, not ${url.protocol}//`
  if (url.username !== '' || url.password !== '')
    return 'contains a user name or password; use the signature to authenticate the caller'
  if (text.includes('#')) return 'has a fragment (#…), which is never sent; leave it out'
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!ALLOWED_LOW_PORTS.includes(port) && port < FIRST_HIGH_PORT)
    return `has port ${port}; ports ${ALLOWED_LOW_PORTS.join(', ')} and all above ${FIRST_HIGH_PORT - 1} are allowed`
  return hostFault(hostNameOf(url), allowPrivate)
}

function hostFault(host: string, allowPrivate: boolean): string | null {
  if (isIP(host)) {
    const why = addressRefusal(host, allowPrivate)
    return why && `points to ${host}, ${why}`
  }
  if (host.split('.').some((label) => label === '' || label.length > 63) || host.length > 253)
    return 'has an invalid host name: each part between dots has 1 to 63 characters, the whole name up to 253'
  if (RESERVED_NAMES.some((name) => host === name || host.endsWith(`.${name}`)))
    return `has the host ${host}, a name reserved for examples and tests`
  if (allowPrivate) return null
  if (!host.includes('.') || PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`)))
    return `has the host ${host}, which resolves only inside a private network; give a public name`
  return null
}
