import { existsSync } from 'node:fs'
import { checkVersion } from '../../copy/check-version.ts'
import { CopyRefused } from '../../copy/copy-refused.ts'
import type { CopySource } from '../../copy/ends.ts'
import { StoreUnusable } from '../../store.ts'
import { MEMORY, openExclusively } from '../connection/database.ts'
import { damageOf } from '../connection/database-file.ts'
import { isBusy, toStoreError } from '../connection/errors.ts'
import { MIGRATIONS, versionOf } from '../migrate.ts'
import { refuseUnfinishedCopy } from '../unfinished-copy.ts'
import { readPages } from './read-pages.ts'

/** Locks the file, so that no service can open it until the copy ends. */
export function openSqliteSource(path: string): CopySource {
  if (path === MEMORY) throw new CopyRefused('A database in memory ends with its process: it cannot be copied')
  if (!existsSync(path)) throw new CopyRefused(`There is no database at ${path}`)
  const damage = damageOf(path)
  if (damage !== null) throw new StoreUnusable(`${path} ${damage}`)
  try {
    const database = openExclusively(path)
    try {
      refuseUnfinishedCopy(database)
      const schemaVersion = versionOf(database)
      checkVersion('source', schemaVersion, MIGRATIONS.at(-1)!.version)
      return {
        schemaVersion,
        pages: (table, after) => readPages(database, table, after),
        checkUnused: async () => {},
        [Symbol.asyncDispose]: async () => database[Symbol.dispose](),
      }
    } catch (error) {
      database[Symbol.dispose]()
      throw error
    }
  } catch (error) {
    if (isBusy(error)) throw new CopyRefused(`A service is using ${path}: stop it first`, { cause: error })
    throw toStoreError(error)
  }
}
