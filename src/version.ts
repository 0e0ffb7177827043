import { readdirSync, readFileSync } from 'node:fs'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

export const VERSION = (JSON.parse(read('../package.json')) as { version: string }).version

/** Of the tables of the database: the number of the last migration. */
export const SCHEMA = Math.max(
  ...readdirSync(new URL('./store/sqlite/migrations/', import.meta.url)).map((name) => Number.parseInt(name, 10) || 0),
)

/** The commit that this build was made from; null if nothing tells it. */
export const COMMIT = stampedCommit() ?? commitOfClone()

/** A package and an image are stamped when they are built. */
function stampedCommit(): string | null {
  try {
    return (JSON.parse(read('./build.json')) as { commit: string | null }).commit
  } catch {
    return null
  }
}

function commitOfClone(): string | null {
  try {
    const head = read('../.git/HEAD').trim()
    const branch = /^ref: (\S+)$/.exec(head)?.[1]
    if (branch === undefined) return head
    return commitOf(branch)
  } catch {
    return null
  }
}

/** A branch has a file, or a line among the packed ones. */
function commitOf(branch: string): string | null {
  try {
    return read(`../.git/${branch}`).trim()
  } catch {
    const packed = read('../.git/packed-refs').split('\n')
    return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0] ?? null
  }
}
