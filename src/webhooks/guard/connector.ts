import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { addressRefusal } from './address-ranges.ts'
import { type Guard, guardedLookup, RefusedAddress } from './guard.ts'

/** Makes connections, but none to an address that the guard refuses, whether a name leads there or it is written out. */
export function guardedConnector(guard: Guard, options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: guardedLookup(guard) } as buildConnector.BuildOptions)
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // An address written out is connected to without any lookup.
    const why = isIP(host) ? addressRefusal(host, guard.allowPrivate) : null
    if (why) callback(new RefusedAddress(`is ${host}, ${why}`), null)
    else connect(target, callback)
  }
}
