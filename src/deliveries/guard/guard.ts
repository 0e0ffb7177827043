import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { addressRefusal } from './address-ranges.ts'

/** Prevents server-side request forgery to addresses that only this service can reach. */
export interface Guard {
  /** `WEBHOOK_ALLOW_PRIVATE`: allows http and a developer's own networks. */
  readonly allowPrivate: boolean
  readonly lookup: LookupFunction
  /**
   * Resolves a name within the limits of an account, before `lookup`, which then knows its
   * addresses. Absent in tests that give a `lookup`.
   */
  readonly prepare?: (host: string, accountId: string) => Promise<unknown>
}

export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  readonly code = 'ERR_REFUSED_ADDRESS'
}

const LOOKUP_FAULTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist: no address is known for it',
  ENODATA: 'does not exist: no address is known for it',
  EAI_AGAIN: 'cannot be resolved at present; try again',
}

/** Returns why a watch may not have the endpoint, in words that follow "url", or null. */
export async function endpointFault(text: string, guard: Guard, accountId: string): Promise<string | null> {
  const fault = urlFault(text, guard.allowPrivate)
  if (fault !== null) return fault
  const host = hostNameOf(new URL(text))
  if (isIP(host)) return null
  try {
    await guard.prepare?.(host, accountId)
    await resolve(host, guard)
    return null
  } catch (error) {
    if (error instanceof RefusedAddress) return `has the host ${host}, which ${error.message}`
    const { code = 'no reason given' } = error as NodeJS.ErrnoException
    return `has the host ${host}, which ${LOOKUP_FAULTS[code] ?? `cannot be resolved (${code})`}`
  }
}

/** Opens connections, but none to an address that the guard refuses. */
export function guardedConnector(guard: Guard, options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: guardedLookup(guard) } as buildConnector.BuildOptions)
  return (target, callback) => {
    const host = hostNameOf(target)
    // A literal address is connected to without a lookup, so it is checked here.
    const why = isIP(host) ? addressRefusal(host, guard.allowPrivate) : null
    if (why) callback(new RefusedAddress(`is ${host}, ${why}`), null)
    else connect(target, callback)
  }
}

/**
 * A lookup that fails unless all addresses of the host are allowed. It runs as part of connecting,
 * so the checked address is the one used, even if the name's address has changed since.
 */
export function guardedLookup({ allowPrivate, lookup }: Guard): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const addresses = found as unknown as LookupAddress[]
      const refusal = refusalOf(addresses, allowPrivate)
      if (refusal) return callback(refusal, '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}

function refusalOf(addresses: readonly LookupAddress[], allowPrivate: boolean): RefusedAddress | null {
  if (addresses.length === 0) return new RefusedAddress('has no address')
  for (const { address } of addresses) {
    const why = addressRefusal(address, allowPrivate)
    if (why) return new RefusedAddress(`leads to ${address}, ${why}`)
  }
  return null
}

function resolve(host: string, guard: Guard): Promise<void> {
  return new Promise((done, fail) => {
    guardedLookup(guard)(host, { all: true }, (error) => (error ? fail(error) : done()))
  })
}

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
