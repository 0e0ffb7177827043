import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { addressRefusal } from './address-ranges.ts'
import { hostNameOf, urlFault } from './endpoint-url.ts'

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

/**
 * Checks the endpoint of a new or changed watch. Returns the reason for a refusal, in words that
 * follow "url", or null.
 */
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
