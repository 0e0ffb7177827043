import { readFileSync } from 'node:fs'

/** Returns the user and system time of another process; Linux counts hundredths of a second. */
export function cpuSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/stat`)
}

/** The same of its main thread, which has the process's number. */
export function mainThreadSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/task/${pid}/stat`)
}

function secondsIn(path: string): number {
  const stat = readFileSync(path, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
