import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/** The scope of process ids: the machine since its last boot, and the container. '' if unknown. */
const PID_SCOPE = (() => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}-${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`
  } catch {
    // Not Linux: dead processes are detected by missing heartbeats alone.
    return ''
  }
})()

/** Names of this process; several services may run in it. */
const OWN_NAMES = new Set<string>()

/** A unique name, from which others on the same machine can tell whether this process runs. */
export function newProcessName(): string {
  const name = [PID_SCOPE, process.pid, randomUUID()].join('/')
  OWN_NAMES.add(name)
  return name
}

/** True if the process has certainly ended; false if it runs or cannot be checked from here. */
export function hasEnded(name: string): boolean {
  const [scope, pid] = name.split('/')
  if (scope === '' || scope !== PID_SCOPE) return false
  // A process id may be reused; that of a container's first process always is.
  return Number(pid) === process.pid ? !OWN_NAMES.has(name) : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
