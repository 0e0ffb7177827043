import type { HeaderChange, WatchHeader } from '../../domain/watch-headers.ts'
import type { Sealer } from './sealer.ts'

/** Encrypts the values, each bound to its watch and name: one cannot be stored as another. */
export function sealHeaders(headers: readonly WatchHeader[], watchId: string, sealer: Sealer): WatchHeader[] {
  return headers.map(({ name, value }) => ({ name, value: sealer.seal(value, boundTo(watchId, name)) }))
}

export function sealHeaderChanges(changes: readonly HeaderChange[], watchId: string, sealer: Sealer): HeaderChange[] {
  return changes.map(({ name, value }) => ({
    name,
    value: value === null ? null : sealer.seal(value, boundTo(watchId, name)),
  }))
}

export function openHeaders(headers: readonly WatchHeader[], watchId: string, sealer: Sealer): readonly WatchHeader[] {
  if (headers.length === 0) return headers
  return headers.map(({ name, value }) => ({ name, value: sealer.open(value, boundTo(watchId, name)) }))
}

/** In lower case: the owner may change the case of a name and keep its value. */
function boundTo(watchId: string, name: string): string {
  return `${watchId} header ${name.toLowerCase()}`
}
