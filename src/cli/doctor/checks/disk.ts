import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../../config/settings.ts'
import { isPostgres, sqlitePathOf } from '../../../store/open.ts'
import { type Finding, failed, ok, skipped, warning } from '../finding.ts'

const MIB = 1024 ** 2
/** The write-ahead log alone may take so much. */
const LEAST_BYTES = 64 * MIB
const COMFORTABLE_BYTES = 1024 * MIB
const LEAST_FILES = 1000

export interface DiskSpace {
  readonly folder: string
  readonly freeBytes: number
  /** Files that can still be created; null if the file system does not count them. */
  readonly freeFiles: number | null
  readonly databaseBytes: number
}

export async function checkDisk({ DATABASE_URL: url }: Pick<Config, 'DATABASE_URL'>): Promise<Finding[]> {
  if (isPostgres(url))
    return [skipped('The database is on its server: watch its disk there. The service itself writes no files')]
  const path = sqlitePathOf(url)
  if (path === ':memory:') return [skipped('The database is in memory')]
  const folder = existingFolder(dirname(resolve(path)))
  const { bavail, bsize, files, ffree } = await statfs(folder)
  const databaseBytes = await Promise.all(
    [path, `${path}-wal`].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return judgeDisk({
    folder,
    freeBytes: bavail * bsize,
    freeFiles: files === 0 ? null : ffree,
    databaseBytes: databaseBytes.reduce((sum, bytes) => sum + bytes, 0),
  })
}

export function judgeDisk({ folder, freeBytes, freeFiles, databaseBytes }: DiskSpace): Finding[] {
  const free = `${sizeText(freeBytes)} are free in ${folder}`
  const findings: Finding[] = []
  if (freeBytes < LEAST_BYTES)
    findings.push(
      failed(`Only ${free}: writes will soon be refused`, 'Free some space, or move the database to a larger disk.'),
    )
  else if (freeBytes < COMFORTABLE_BYTES) findings.push(warning(`Only ${free}`, 'Free some space before it runs out.'))
  else if (freeBytes < databaseBytes)
    findings.push(
      warning(
        `${free}, less than the database has (${sizeText(databaseBytes)}): a backup or restore would not fit beside it`,
        'Write backups to another disk, or free some space.',
      ),
    )
  else findings.push(ok(`${free}; the database has ${sizeText(databaseBytes)}`))
  if (freeFiles !== null && freeFiles < LEAST_FILES)
    findings.push(failed(`Only ${freeFiles} more files can be created in ${folder}`, 'Remove files that nobody needs.'))
  return findings
}

/** The folder itself, or the nearest one above it that exists. */
function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(dirname(folder))
}

function sizeText(bytes: number): string {
  const [unit, name] = bytes >= 1024 * MIB ? [1024 * MIB, 'GiB'] : [MIB, 'MiB']
  return `${(bytes / unit).toFixed(1)} ${name}`
}
