import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { addressRefusal } from './address-ranges.ts'
import { hostNameOf, urlFault } from './endpoint-url.ts'

/** What keeps the service from being sent where only the service can go. */
export interface Guard {
  /** `WEBHOOK_ALLOW_PRIVATE`: http and a developer's own networks. */
  readonly allowPrivate: boolean
  /** How names are resolved; `dns.lookup` but for tests. */
  readonly lookup: LookupFunction
}

/** The address that a name leads to is one that nothing may be sent to. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
  readonly code = 'ERR_REFUSED_ADDRESS'
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist: no address is known for it',
  ENODATA: 'does not exist: no address is known for it',
  EAI_AGAIN: 'cannot be resolved at present; try again',
}

/** When a watch is made or its URL changed: why the endpoint cannot be, in words that follow "url"; null where it can. */
export async function endpointFault(text: string, guard: Guard): Promise<string | null> {
  const fault = urlFault(text, guard.allowPrivate)
  if (fault !== null) return fault
  const host = hostNameOf(new URL(text))
  if (isIP(host)) return null
  try {
    await resolve(host, guard)
    return null
  } catch (error) {
    if (error instanceof RefusedAddress) return `has the host ${host}, which ${error.message}`
    const { code = 'no reason given' } = error as NodeJS.ErrnoException
    return `has the host ${host}, which ${SENTENCES[code] ?? `cannot be resolved (${code})`}`
  }
}

/**
 * At every attempt: a lookup that hands on an answer only where all of its addresses may be connected to. It stands where the
 * connection is made, so what is checked is what is used: a name that was public yesterday may be private today.
 */
export function guardedLookup({ allowPrivate, lookup }: Guard): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, '', 0)
      const addresses = answer as unknown as LookupAddress[]
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
