let waiting: (() => void)[] = []
let idle = true

/** Resolves once the map has drawn all it was asked to; at once where there is none. */
export function mapIsIdle(): Promise<void> {
  return idle ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

export function setIdle(next: boolean): void {
  idle = next
  if (!idle) return
  for (const resolve of waiting) resolve()
  waiting = []
}
