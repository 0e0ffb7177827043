import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { constants, enableCompileCache, getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config } from '../config/settings.ts'
import { isPostgres, sqlitePathOf } from '../store/open.ts'
import { VERSION } from '../version.ts'

type Places = Pick<Config, 'DEMO' | 'CACHE_DIR' | 'DATABASE_URL'>

const NOTHING = 'none'
const OWNER_ONLY = 0o700
const OTHERS_MAY_WRITE = 0o022
const ONLY_OWNERS_MAY_RENAME = 0o1000
const ROOT = 0

/**
 * Keeps what V8 compiles from the service's modules, for the next start. To be called before they
 * are loaded. Returns why nothing is kept, or null. Whoever can write to the folder could run code
 * as the service: it is not used unless its owner alone can.
 */
export function keepCompiledCode(config: Places): string | null {
  // The operator has chosen a folder of Node's own setting.
  if (getCompileCacheDir() !== undefined) return null
  const folder = compiledFolder(config)
  try {
    if (config.CACHE_DIR !== null) removeBeside(config)
    if (folder === null) return null
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
    const path = realpathSync(folder)
    const refused = othersMayWrite(path)
    if (refused !== null) return `others could write to ${refused}`
    // Compiled code is of one build and one Node.
    const name = createHash('sha256')
      .update([VERSION, process.version, import.meta.url].join('\n'))
      .digest('hex')
      .slice(0, 16)
    for (const other of readdirSync(path)) if (other !== name) rmSync(join(path, other), { recursive: true })
    const { status, message } = enableCompileCache(join(path, name))
    if (status !== constants.compileCacheStatus.ENABLED) return message ?? 'Node does not keep it'
    // For threads, which do not take it over otherwise.
    process.env.NODE_COMPILE_CACHE = join(path, name)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function compiledFolder({ DEMO, CACHE_DIR, DATABASE_URL }: Places): string | null {
  if (DEMO) return null
  if (CACHE_DIR !== null) return CACHE_DIR === NOTHING ? null : join(CACHE_DIR, 'compiled')
  return besideDatabase(DATABASE_URL)
}

function besideDatabase(databaseUrl: string): string | null {
  if (isPostgres(databaseUrl)) return null
  const path = sqlitePathOf(databaseUrl)
  return path === ':memory:' ? null : `${path}.compiled`
}

/** Removes code that was kept before `CACHE_DIR` was set. */
function removeBeside({ DEMO, DATABASE_URL }: Places): void {
  const beside = besideDatabase(DATABASE_URL)
  if (!DEMO && beside !== null) rmSync(beside, { recursive: true, force: true })
}

/**
 * Returns the first folder on the way to this one that another user could change or replace; null
 * if there is none.
 */
function othersMayWrite(path: string): string | null {
  const user = process.getuid?.()
  for (let folder = path; ; folder = dirname(folder)) {
    const { uid, mode } = statSync(folder)
    const isOwn = uid === user || (folder !== path && uid === ROOT)
    const mayBeReplaced = (mode & OTHERS_MAY_WRITE) !== 0 && (folder === path || (mode & ONLY_OWNERS_MAY_RENAME) === 0)
    if (!isOwn || mayBeReplaced) return folder
    if (folder === dirname(folder)) return null
  }
}
