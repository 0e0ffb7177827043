import { constants, type Stats } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Finding, failed, ok, warning } from '../finding.ts'

/** What the file system says about a SQLite database. */
export interface DatabaseFile {
  readonly path: string
  readonly folder: string
  /** Null if it does not exist. */
  readonly folderMode: number | null
  readonly folderIsWritable: boolean
  /** Null if it does not exist. */
  readonly file: {
    readonly mode: number
    readonly owner: number
    readonly isFile: boolean
    readonly bytes: number
  } | null
  readonly fileIsAccessible: boolean
  /** The user who runs the check; null where there are no users. */
  readonly user: number | null
}

export async function readDatabaseFile(path: string): Promise<DatabaseFile> {
  const folder = dirname(resolve(path))
  const [folderStats, fileStats] = await Promise.all([statsOf(folder), statsOf(path)])
  return {
    path,
    folder,
    folderMode: folderStats === null ? null : folderStats.mode & 0o777,
    folderIsWritable: await isAllowed(folder, constants.W_OK | constants.X_OK),
    file: fileStats && {
      mode: fileStats.mode & 0o777,
      owner: fileStats.uid,
      isFile: fileStats.isFile(),
      bytes: fileStats.size,
    },
    fileIsAccessible: await isAllowed(path, constants.R_OK | constants.W_OK),
    user: process.getuid?.() ?? null,
  }
}

/** Judges existence, permissions and owner. */
export function judgeDatabaseFile(found: DatabaseFile): Finding[] {
  const { path, folder, file, user } = found
  if (found.folderMode === null)
    return [warning(`The folder ${folder} does not exist`, 'The service creates it at its first start, if it may.')]
  const findings: Finding[] = []
  if (!found.folderIsWritable)
    findings.push(
      failed(
        `This user may not create files in ${folder}, as SQLite does beside its database`,
        `Run the doctor as the user of the service. If this is that user: chown it ${folder}, and chmod 700 it.`,
      ),
    )
  if ((found.folderMode & 0o022) !== 0)
    findings.push(
      warning(
        `Other users may create and remove files in ${folder} (mode ${octal(found.folderMode)})`,
        `Run: chmod go-w ${folder}`,
      ),
    )
  if (file === null) return [...findings, ok(`There is no database at ${path} yet; the first start creates it`)]
  if (!file.isFile) return [...findings, failed(`${path} is not a file`, 'Name a file in DATABASE_URL.')]
  if (!found.fileIsAccessible)
    findings.push(
      failed(
        `This user may not read and write ${path}`,
        'Run the doctor as the user of the service. If this is that user, give the file to it with chown.',
      ),
    )
  if ((file.mode & 0o077) !== 0)
    findings.push(
      warning(
        `Other users can read ${path} (mode ${octal(file.mode)})`,
        `Run: chmod 600 ${path} (the service does so at its next start).`,
      ),
    )
  if (user === 0 && file.owner !== 0)
    findings.push(
      warning(
        `The doctor runs as root, who may do everything, but the database belongs to user ${file.owner}`,
        `Run it as that user, so that permissions are tried: sudo -u '#${file.owner}' incident-feed doctor`,
      ),
    )
  return findings
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}

function statsOf(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null)
}

function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}
