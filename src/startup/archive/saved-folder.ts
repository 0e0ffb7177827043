import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { SavedArchive } from '../../archive/saved/saved-archive.ts'
import type { Config } from '../../config/settings.ts'
import { isPostgres, sqlitePathOf } from '../../store/open.ts'
import { snapshotFolderOf } from '../../store/shared/snapshot-folder.ts'

const NOTHING = 'none'
/** A folder of its own: everything else in it is deleted. */
const SUBFOLDER = 'archive'

/**
 * Returns where this node saves its archive, or null. Deletes what it saved where it no longer
 * does.
 */
export async function prepareSavedFolder(config: Config, logger: Logger): Promise<string | null> {
  const beside = besideDatabase(config.DATABASE_URL)
  if (config.CACHE_DIR === null) return beside
  if (beside !== null) await removeSaved(beside, logger)
  return config.CACHE_DIR === NOTHING ? null : join(config.CACHE_DIR, SUBFOLDER)
}

function besideDatabase(databaseUrl: string): string | null {
  return isPostgres(databaseUrl) ? null : snapshotFolderOf(sqlitePathOf(databaseUrl))
}

/** Redactions would not reach it. */
async function removeSaved(folder: string, logger: Logger): Promise<void> {
  if (!existsSync(folder)) return
  try {
    using lock = SavedArchive.open(folder)
    if (lock === null) throw new Error('another process uses it')
    await rm(folder, { recursive: true })
  } catch (error) {
    logger.error({ err: error, folder }, 'the saved archive is not used any more, and could not be deleted')
  }
}
