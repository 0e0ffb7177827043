import { checkVersion } from '../../copy/check-version.ts'
import { CopyRefused } from '../../copy/copy-refused.ts'
import type { CopySource } from '../../copy/ends.ts'
import { fingerprintOf } from '../../copy/fingerprint.ts'
import { MIGRATIONS, versionOf } from '../migrate.ts'
import { refuseUnfinishedCopy } from '../unfinished-copy.ts'
import { type CopyConnection, checkUnused, connectForCopy } from './connect.ts'
import { readPages } from './read-pages.ts'

const ONE_MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/** Reads the database as of one moment. No lock keeps nodes out, so the end checks again. */
export async function openPostgresSource(databaseUrl: string): Promise<CopySource> {
  const connection = await connectForCopy(databaseUrl)
  try {
    await checkUnused(connection, 'source')
    await refuseUnfinishedCopy(connection.client)
    const schemaVersion = await versionOf(connection.client)
    checkVersion('source', schemaVersion, MIGRATIONS.at(-1)!.version)
    await connection.query(ONE_MOMENT)
    return sourceOf(connection, schemaVersion)
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
}

function sourceOf(connection: CopyConnection, schemaVersion: number): CopySource {
  const source: CopySource = {
    schemaVersion,
    pages: (table, after) => readPages(connection, table, after),
    async checkUnused() {
      const before = await fingerprintOf(source)
      await connection.query('COMMIT')
      await checkUnused(connection, 'source')
      await connection.query(ONE_MOMENT)
      if ((await fingerprintOf(source)) !== before)
        throw new CopyRefused('A service has used the source during the copy: begin again with an empty target')
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
  return source
}
