interface Scheduler {
  yield?(): Promise<void>
}

/** Lets the browser paint, and react to a touch, between two parts of long work. */
export function yieldToBrowser(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler }
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}
