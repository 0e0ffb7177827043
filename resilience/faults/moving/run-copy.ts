import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { startCommand } from '../../../test/support/commands.ts'

export interface CopyRun {
  readonly code: number | null
  readonly output: string
  readonly seconds: number
  /** The most resident memory that was seen, in megabytes. */
  readonly peakMegabytes: number
}

const POLL_MS = 20

/** Runs `incident-feed copy`; kills it with SIGKILL as soon as it has printed `killAt`. */
export async function runCopy(from: string, to: string, killAt: RegExp | null = null): Promise<CopyRun> {
  const startedAt = performance.now()
  const copy = startCommand(['copy', '--from', from, '--to', to])
  let isOver = false
  const ended = copy.ended.finally(() => {
    isOver = true
  })
  let peakMegabytes = 0
  while (!isOver) {
    peakMegabytes = Math.max(peakMegabytes, residentMegabytes(copy.child.pid!))
    if (killAt?.test(copy.output())) copy.child.kill('SIGKILL')
    await wait(POLL_MS)
  }
  const code = await ended
  return { code, output: copy.output(), seconds: (performance.now() - startedAt) / 1000, peakMegabytes }
}

/** The kernel keeps the most that a process ever had. */
function residentMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has just ended.
    return 0
  }
}
