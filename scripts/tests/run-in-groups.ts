import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { groupsOf } from './groups.ts'

export interface GroupedRun {
  /** Of these, several run in one process. */
  readonly grouped: readonly string[]
  /** Each of these has a process of its own. */
  readonly alone: readonly string[]
  /** Further arguments of `node --test`. */
  readonly options: readonly string[]
  /** The folder for generated files. */
  readonly cache: string
  readonly groupSize: number
}

/**
 * Runs tests with `node --test`; returns its exit code. If a group does not come to its end, since
 * a test has ended the process or crashed it, the run fails, and the files of the group run again,
 * each alone: the results of its neighbours are not lost.
 */
export async function runInGroups({ grouped, alone, options, cache, groupSize }: GroupedRun): Promise<number> {
  mkdirSync(cache, { recursive: true })
  // Node leaves out what a relative path finds below `node_modules`.
  const folder = mkdtempSync(join(resolve(cache), 'groups-'))
  try {
    const ended = join(folder, 'ended')
    writeFileSync(ended, '')
    const groups = groupsOf(grouped, groupSize).map((files, index) => {
      const path = join(folder, `group-${String(index + 1).padStart(2, '0')}.test.mjs`)
      writeFileSync(path, groupText(files, path, ended))
      return { files, path }
    })
    const code = await runTests([...options, ...groups.map(({ path }) => path), ...alone])
    const endedGroups = new Set(readFileSync(ended, 'utf8').split('\n'))
    const again = groups.filter(({ path }) => !endedGroups.has(path)).flatMap(({ files }) => files)
    if (again.length === 0) return code
    console.log(`\nA test ended its process. These ${again.length} files run again, each alone:\n${again.join('\n')}\n`)
    // Alone too, Node takes a process that a test has ended without a code for a success.
    return (await runTests([...options, ...again])) || code || 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** JavaScript, since Node removes no types from files below `node_modules`. */
function groupText(files: readonly string[], group: string, ended: string): string {
  const runner = JSON.stringify(join(import.meta.dirname, 'grouped-files.ts'))
  const values = [files.map((file) => resolve(file)), group, ended].map((value) => JSON.stringify(value))
  return `import { runGrouped } from ${runner}\n\nrunGrouped(${values.join(', ')})\n`
}

async function runTests(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--test', ...words], { stdio: 'inherit' })
  // The terminal sends Ctrl-C to both; the child ends its own children before this process goes.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    process.off('SIGINT', ignore)
  }
}
