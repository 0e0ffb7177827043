import { readdirSync, readFileSync } from 'node:fs'

/** Returns the user and system time of another process; Linux counts hundredths of a second. */
export function cpuSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/stat`)
}

/** The same of its main thread, which has the process's number. */
export function mainThreadSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/task/${pid}/stat`)
}

/**
 * The same of its first worker thread, which has the SQLite database: it starts before all others.
 */
export function storeThreadSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).sort((one, other) => Number(one) - Number(other))
  const store = threads.find((id) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim() === 'WorkerThread')
  if (store === undefined) throw new Error(`process ${pid} has no worker thread`)
  return secondsIn(`/proc/${pid}/task/${store}/stat`)
}

function secondsIn(path: string): number {
  const stat = readFileSync(path, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
