import type { Config } from '../../../config/settings.ts'
import { type Inspection, inspectStore } from '../../../store/inspect.ts'
import { isPostgres, sqlitePathOf } from '../../../store/open.ts'
import { StoreUnavailable, StoreUnusable } from '../../../store/store.ts'
import { type Finding, failed, ok, warning } from '../finding.ts'
import { judgeDatabaseFile, readDatabaseFile } from './database-file.ts'

const MEMORY_PATH = ':memory:'

export interface DatabaseExamination {
  readonly findings: readonly Finding[]
  /** True if the service could use it as it is, without a migration. */
  readonly isCurrent: boolean
}

export async function checkDatabase({ DATABASE_URL: url }: Pick<Config, 'DATABASE_URL'>): Promise<DatabaseExamination> {
  if (isPostgres(url)) return inspected(url, [])
  const path = sqlitePathOf(url)
  if (path === MEMORY_PATH)
    return {
      findings: [warning('The database is in memory: a stop loses everything', 'Name a file in DATABASE_URL.')],
      isCurrent: false,
    }
  const file = await readDatabaseFile(path)
  const findings = judgeDatabaseFile(file)
  const isReadable = file.file?.isFile === true && file.fileIsAccessible && file.folderIsWritable
  return isReadable ? inspected(url, findings) : { findings, isCurrent: false }
}

async function inspected(url: string, before: readonly Finding[]): Promise<DatabaseExamination> {
  try {
    const inspection = await inspectStore(url)
    const findings = judgeInspection(inspection)
    const isCurrent = inspection.schemaVersion === inspection.latestVersion && inspection.tooOld === null
    return { findings: [...before, ...findings], isCurrent: isCurrent && inspection.notWritable === null }
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof StoreUnusable)) throw error
    return { findings: [...before, judgeFailure(error, isPostgres(url))], isCurrent: false }
  }
}

/** Judges version, migrations and permission to write. */
export function judgeInspection(inspection: Inspection): Finding[] {
  const { software, tooOld, schemaVersion, latestVersion, notWritable } = inspection
  const findings = [
    tooOld === null
      ? ok(`Connected to ${software}`)
      : failed(`The database is ${software}; ${tooOld}`, 'Upgrade the server.'),
  ]
  if (schemaVersion > latestVersion)
    findings.push(
      failed(
        `The schema has version ${schemaVersion}, and this build knows ${latestVersion}: a newer build has used it`,
        'Use the newer build, or restore a backup made before it.',
      ),
    )
  else if (schemaVersion === 0) findings.push(ok('It has no tables of this service yet; the first start creates them'))
  else if (schemaVersion < latestVersion)
    findings.push(
      warning(
        `${latestVersion - schemaVersion} migrations are pending (version ${schemaVersion} of ${latestVersion})`,
        'The next start applies them. Make a backup before: incident-feed backup <file>',
      ),
    )
  else findings.push(ok(`The schema has the version of this build, ${schemaVersion}`))
  findings.push(
    notWritable === null
      ? ok('It can be written')
      : failed(`It cannot be written: ${notWritable}`, 'Give the user of the service the right to write.'),
  )
  return findings
}

function judgeFailure(error: Error, isServer: boolean): Finding {
  if (error instanceof StoreUnusable) return failed(error.message, 'docs/operating.md, The database, lists the causes.')
  return failed(
    `The database cannot be reached: ${error.message}`,
    isServer
      ? 'Check host, port, name, user and password in DATABASE_URL, that the server runs, and that its pg_hba.conf admits this machine.'
      : 'Look for a process that keeps the file locked, and at the file system.',
  )
}
