import { isIP } from 'node:net'
import { addressRefusal } from './address-ranges.ts'

const MOST_CHARACTERS = 2048
const PORTS = [80, 443, 8080, 8443]
const LEAST_OTHER_PORT = 1024

/** Names that mean something only inside somebody's network. */
const INSIDE = [
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
/** Names that nobody can ever have. */
const RESERVED = ['test', 'example', 'invalid', 'onion']

/** The host as it is connected to: without the brackets of IPv6, without the dot that ends a full name. */
export function hostNameOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/**
 * Why the URL cannot be an endpoint, as far as it can be told by looking at it; null where nothing is wrong. The URL's parser has
 * by then turned every spelling of an IPv4 address (0x7f.1, 2130706433, 127.1, １２７.0.0.1) into the one with four numbers.
 */
export function urlFault(text: string, allowPrivate: boolean): string | null {
  if (text.length > MOST_CHARACTERS) return `has ${text.length} characters; it may have ${MOST_CHARACTERS}`
  if (/[\s\p{Cc}\\]/u.test(text)) return 'holds a blank, a backslash or a control character; encode it'
  if (!URL.canParse(text)) return 'is not a URL; give it whole, as https://example.org/incidents'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return `must begin with https://, not ${url.protocol}//`
  if (url.username !== '' || url.password !== '')
    return 'holds a user name or password; the signature tells you who is calling'
  if (text.includes('#')) return 'has a fragment (#…), which is never sent; leave it out'
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!PORTS.includes(port) && port < LEAST_OTHER_PORT)
    return `has port ${port}; ports ${PORTS.join(', ')} and those above ${LEAST_OTHER_PORT - 1} are allowed`
  return hostFault(hostNameOf(url), allowPrivate)
}

function hostFault(host: string, allowPrivate: boolean): string | null {
  if (isIP(host)) {
    const why = addressRefusal(host, allowPrivate)
    return why && `points to ${host}, ${why}`
  }
  if (host.split('.').some((label) => label === '' || label.length > 63) || host.length > 253)
    return 'has a host name that cannot be: each part between dots has 1 to 63 characters, all together up to 253'
  if (RESERVED.some((name) => host === name || host.endsWith(`.${name}`)))
    return `has the host ${host}, a name kept for examples and tests`
  if (allowPrivate) return null
  if (!host.includes('.') || INSIDE.some((name) => host === name || host.endsWith(`.${name}`)))
    return `has the host ${host}, which has a meaning only inside a network; give a public name`
  return null
}
