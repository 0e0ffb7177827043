import { setTimeout as wait } from 'node:timers/promises'

/** Longer than `until` of the tests: a busy machine takes a while to start processes. */
const TIMEOUT_MS = 300_000
const POLL_MS = 20

export async function waitFor(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await wait(POLL_MS)
  }
}
