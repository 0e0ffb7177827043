let waiting: (() => void)[] = []
let idle = true

/** Resolves once the map has drawn everything; at once if there is no map. */
export function waitUntilMapIdle(): Promise<void> {
  return idle ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

export function setMapIdle(next: boolean): void {
  idle = next
  if (!idle) return
  for (const resolve of waiting) resolve()
  waiting = []
}
