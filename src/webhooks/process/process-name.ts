import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/** Where process numbers mean the same: this machine since it was started, and this container of it. Empty where nobody can say. */
const SPACE = (() => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}-${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`
  } catch {
    // Not Linux: the dead are known by their beats alone.
    return ''
  }
})()

/** Several services may run in one process. */
const GIVEN = new Set<string>()

/** A name for this process that no other has, from which a neighbour on the same machine can tell whether it still runs. */
export function newProcessName(): string {
  const name = [SPACE, process.pid, randomUUID()].join('/')
  GIVEN.add(name)
  return name
}

/** True where the process has certainly ended; false where it runs, or is another machine's and cannot be looked for. */
export function hasEnded(name: string): boolean {
  const [space, pid] = name.split('/')
  if (space === '' || space !== SPACE) return false
  // Its number may be ours by now, as that of a container's first process always is.
  return Number(pid) === process.pid ? !GIVEN.has(name) : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
