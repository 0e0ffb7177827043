import { readFileSync } from 'node:fs'

/** A stop takes less, whatever clients and the database do; this guards against our own errors. */
const SHUTDOWN_TIMEOUT_MS = 9500
const PARENT_CHECK_INTERVAL_MS = 500

/**
 * Aborted by the first SIGTERM or SIGINT, with its name as the reason, or when the npm that started
 * this process ends; a second signal ends the process at once.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  const stopNow = (reason: string) => {
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    stop.abort(reason)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1)
      stopNow(signal)
    })
  }
  if (process.env.npm_lifecycle_event !== undefined)
    whenLauncherEnds(() => {
      if (!stop.signal.aborted) stopNow('the npm that started it has ended')
    })
  return stop.signal
}

/**
 * npm passes a signal on to the shell between it and this process (`npx` always has one), which
 * ends without passing it on; and nothing is passed on if npm is killed. Then this process has
 * another parent, or the shell has.
 */
function whenLauncherEnds(onEnd: () => void): void {
  const launchers = launcherIds()
  const timer = setInterval(() => {
    if (launcherIds().join() === launchers.join()) return
    clearInterval(timer)
    onEnd()
  }, PARENT_CHECK_INTERVAL_MS)
  timer.unref()
}

/** The parent, and its parent if the parent is only the shell in which npm runs a command. */
function launcherIds(): number[] {
  const parent = process.ppid
  try {
    const isShell = /^(\S*\/)?(ba|da)?sh\0-c\0/.test(readFileSync(`/proc/${parent}/cmdline`, 'latin1'))
    if (!isShell) return [parent]
    const status = readFileSync(`/proc/${parent}/status`, 'latin1')
    return [parent, Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])]
  } catch {
    // Without Linux's /proc, or the parent has ended this moment, which the next check sees.
    return [parent]
  }
}
