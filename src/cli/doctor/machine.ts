import { constants, existsSync, statSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config/settings.ts'
import type { Inspection, StandbyInspection } from '../../store/interface/maintenance.ts'
import { inspectStandbys, inspectStore, isPostgres, sqlitePathOf } from '../../store/open.ts'
import { keyFileOf, knownKeys } from '../../store/secrets/keys.ts'
import { idOfKey } from '../../store/secrets/sealer.ts'
import { type KeysInUse, keysInUse } from '../../store/secrets/stored-secrets.ts'
import { MIN_CORRECTED_MS, type Store, StoreUnavailable, StoreUnusable } from '../../store/store.ts'
import { type Finding, type Findings, failed, ok, skipped, warning } from './findings.ts'

const MEMORY_PATH = ':memory:'

interface DatabaseExamination {
  readonly findings: readonly Finding[]
  /** True if the service could use it as it is, without a migration. */
  readonly isCurrent: boolean
}

export async function checkDatabase(config: Config): Promise<DatabaseExamination> {
  const { DATABASE_URL: url, DATABASE_READ_URL: readUrl } = config
  if (isPostgres(url)) {
    const { findings, isCurrent } = await inspected(url, [])
    if (readUrl === null || !isCurrent) return { findings, isCurrent }
    const standbys = await inspectStandbys(url, readUrl)
    return { findings: [...findings, ...standbys.flatMap((standby) => [...judgeStandby(standby)])], isCurrent }
  }
  const path = sqlitePathOf(url)
  if (path === MEMORY_PATH)
    return {
      findings: [warning('The database is in memory: a stop loses everything', 'Name a file in DATABASE_URL.')],
      isCurrent: false,
    }
  const file = await readDatabaseFile(path)
  const findings = [...judgeDatabaseFile(file)]
  const isReadable = file.file?.isFile === true && file.fileIsAccessible && file.folderIsWritable
  return isReadable ? inspected(url, findings) : { findings, isCurrent: false }
}

async function inspected(url: string, before: readonly Finding[]): Promise<DatabaseExamination> {
  try {
    const inspection = await inspectStore(url)
    const { schemaVersion, neededVersion, latestVersion, tooOld } = inspection
    const isCurrent = schemaVersion >= latestVersion && neededVersion <= latestVersion && tooOld === null
    return {
      findings: [...before, ...judgeInspection(inspection)],
      isCurrent: isCurrent && inspection.notWritable === null,
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof StoreUnusable)) throw error
    return { findings: [...before, judgeFailure(error, isPostgres(url))], isCurrent: false }
  }
}

/** Judges version, migrations and permission to write. */
export function* judgeInspection(inspection: Inspection): Findings {
  const { software, tooOld, schemaVersion, neededVersion, latestVersion, notWritable } = inspection
  if (tooOld === null) yield ok(`Connected to ${software}`)
  else yield failed(`The database is ${software}; ${tooOld}`, 'Upgrade the server.')
  const known = `The schema has version ${schemaVersion}, and this build knows ${latestVersion}`
  if (neededVersion > latestVersion)
    yield failed(`${known}: a newer build has used it`, 'Use the newer build, or restore a backup made before it.')
  else if (schemaVersion > latestVersion)
    yield warning(
      `${known}: a newer build has used it, and this one still can`,
      'Use the newer build soon; docs/operating.md, Upgrading, says what this one leaves to it.',
    )
  else if (schemaVersion === 0) yield ok('It has no tables of this service yet; the first start creates them')
  else if (schemaVersion < latestVersion)
    yield warning(
      `${latestVersion - schemaVersion} migrations are pending (version ${schemaVersion} of ${latestVersion})`,
      'The next start applies them. Make a backup before: incident-feed backup <file>',
    )
  else yield ok(`The schema has the version of this build, ${schemaVersion}`)
  if (notWritable === null) yield ok('It can be written')
  else yield failed(`It cannot be written: ${notWritable}`, 'Give the user of the service the right to write.')
}

/** More is shown to clients as `Stale-Seconds`. */
const MOST_BEHIND_SECONDS = 5

/** Judges whether a standby is one of the primary, and how late it is. */
export function* judgeStandby(standby: StandbyInspection): Findings {
  const { host, unusable, isCopy, missingEvents, behindSeconds } = standby
  const name = `The standby ${host} of DATABASE_READ_URL`
  if (unusable !== null)
    return yield warning(
      `${name} cannot be used: ${unusable}`,
      'Until it can, nodes read another one of them, or the primary. Check its address, and that it replicates.',
    )
  if (isCopy === false)
    return yield failed(
      `${name} is no copy of the server of DATABASE_URL`,
      'Name a standby of that server, or make it one again: nodes would follow another log.',
    )
  if (behindSeconds > MOST_BEHIND_SECONDS)
    yield warning(
      `${name} is ${Math.round(behindSeconds)} s behind: it lacks ${missingEvents} events`,
      'Look at pg_stat_replication on the primary. Nodes say how late they are, and read the primary above 20 s.',
    )
  else yield ok(`${name} answers${missingEvents === 0 ? ', and has the whole log' : ''}`)
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

/** As the file system describes a SQLite database. */
export type DatabaseFile = Readonly<Awaited<ReturnType<typeof readDatabaseFile>>>

async function readDatabaseFile(path: string) {
  const folder = dirname(resolve(path))
  const [folderStats, fileStats] = await Promise.all([folder, path].map((each) => stat(each).catch(() => null)))
  return {
    path,
    folder,
    /** Null if it does not exist. */
    folderMode: folderStats ? folderStats.mode & 0o777 : null,
    folderIsWritable: await isAllowed(folder, constants.W_OK | constants.X_OK),
    /** Null if it does not exist. */
    file: fileStats
      ? { mode: fileStats.mode & 0o777, owner: fileStats.uid, isFile: fileStats.isFile(), bytes: fileStats.size }
      : null,
    fileIsAccessible: await isAllowed(path, constants.R_OK | constants.W_OK),
    /** The user who runs the check; null where there are no users. */
    user: process.getuid?.() ?? null,
  }
}

function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}

/** Judges existence, permissions and owner. */
export function* judgeDatabaseFile(found: DatabaseFile): Findings {
  const { path, folder, folderMode, file, user } = found
  if (folderMode === null)
    return yield warning(`The folder ${folder} does not exist`, 'The service creates it at its first start, if it may.')
  if (!found.folderIsWritable)
    yield failed(
      `This user may not create files in ${folder}, as SQLite does beside its database`,
      `Run the doctor as the user of the service. If this is that user: chown it ${folder}, and chmod 700 it.`,
    )
  if ((folderMode & 0o022) !== 0)
    yield warning(
      `Other users may create and remove files in ${folder} (mode ${octal(folderMode)})`,
      `Run: chmod go-w ${folder}`,
    )
  if (file === null) return yield ok(`There is no database at ${path} yet; the first start creates it`)
  if (!file.isFile) return yield failed(`${path} is not a file`, 'Name a file in DATABASE_URL.')
  if (!found.fileIsAccessible)
    yield failed(
      `This user may not read and write ${path}`,
      'Run the doctor as the user of the service. If this is that user, give the file to it with chown.',
    )
  if ((file.mode & 0o077) !== 0)
    yield warning(
      `Other users can read ${path} (mode ${octal(file.mode)})`,
      `Run: chmod 600 ${path} (the service does so at its next start).`,
    )
  if (user === 0 && file.owner !== 0)
    yield warning(
      `The doctor runs as root, who may do everything, but the database belongs to user ${file.owner}`,
      `Run it as that user, so that permissions are tried: sudo -u '#${file.owner}' incident-feed doctor`,
    )
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}

interface SecretsState {
  /** Ids of the keys at hand, the one that encrypts first. */
  readonly known: readonly string[]
  /** The number of them that come from SECRETS_KEY. */
  readonly fromSetting: number
  readonly needsSetting: boolean
  /** The path and mode of the key file, if there is one. */
  readonly file: { readonly path: string; readonly mode: number } | null
  /** Null if the database could not be read. */
  readonly used: KeysInUse | null
}

/** Compares the keys at hand with those that the database's secrets are encrypted with. */
export async function checkSecrets(config: Config, store: Store | null): Promise<Finding[]> {
  const { DATABASE_URL: url, SECRETS_KEY: given } = config
  try {
    const bytes = knownKeys(url, given, null)
    return [
      ...judgeSecrets({
        known: bytes.map(idOfKey),
        fromSetting: given?.length ?? 0,
        needsSetting: isPostgres(url),
        file: keyFileState(url),
        used: store && (await keysInUse(store)),
      }),
    ]
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error
    return [failed(error.message, 'Give the file to the user of the service, or put it back from where you keep it.')]
  }
}

function keyFileState(url: string): SecretsState['file'] {
  if (isPostgres(url)) return null
  const path = keyFileOf(sqlitePathOf(url))
  return existsSync(path) ? { path, mode: statSync(path).mode & 0o777 } : null
}

export function* judgeSecrets({ known, fromSetting, needsSetting, file, used }: SecretsState): Findings {
  if (needsSetting && fromSetting === 0)
    return yield failed(
      'SECRETS_KEY is not set, and PostgreSQL needs it',
      'Generate one with openssl rand -base64 32, set it on every node, and keep a copy apart from the backups.',
    )
  const usedIds = [...(used?.ids ?? [])]
  const missing = usedIds.filter((id) => !known.includes(id))
  if (missing.length > 0)
    yield failed(
      `Secrets of watches are encrypted with a key that is not here (${missing.join(', ')})`,
      `Give it in SECRETS_KEY, after the current one${needsSetting ? '' : ', or put back the key file'}. If it is lost: incident-feed secrets replace-lost`,
    )
  else if (known.length === 0) yield ok('The first start creates a key file beside the database')
  else {
    const source = fromSetting > 0 ? 'SECRETS_KEY' : file!.path
    yield ok(`The key ${known[0]} from ${source}${used === null ? '' : ' reads all stored secrets'}`)
  }
  if (used?.hasPlain)
    yield warning('Some secrets of watches are not encrypted', 'The next start of the service encrypts them.')
  const outdated = usedIds.filter((id) => id !== known[0] && known.includes(id))
  if (outdated.length > 0)
    yield warning(
      `Some secrets are encrypted with an older key (${outdated.join(', ')})`,
      'The next start encrypts them with the first key of SECRETS_KEY; keep the older one until then.',
    )
  if (file !== null && (file.mode & 0o077) !== 0)
    yield warning(`Other users can read ${file.path}`, `Run: chmod 600 ${file.path}`)
}

const MIB = 1024 ** 2
/** The write-ahead log alone may take so much. */
const LEAST_BYTES = 64 * MIB
const COMFORTABLE_BYTES = 1024 * MIB
const LEAST_FILES = 1000

interface DiskSpace {
  readonly folder: string
  readonly freeBytes: number
  /** Files that can still be created; null if the file system does not count them. */
  readonly freeFiles: number | null
  readonly databaseBytes: number
}

export async function checkDisk({ DATABASE_URL: url }: Config): Promise<Finding[]> {
  if (isPostgres(url))
    return [skipped('The database is on its server: watch its disk there. The service itself writes no files')]
  const path = sqlitePathOf(url)
  if (path === MEMORY_PATH) return [skipped('The database is in memory')]
  const folder = existingFolder(dirname(resolve(path)))
  const { bavail, bsize, files, ffree } = await statfs(folder)
  const stats = await Promise.all([path, `${path}-wal`].map((file) => stat(file).catch(() => null)))
  const databaseBytes = stats.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  return [...judgeDisk({ folder, freeBytes: bavail * bsize, freeFiles: files === 0 ? null : ffree, databaseBytes })]
}

export function* judgeDisk({ folder, freeBytes, freeFiles, databaseBytes }: DiskSpace): Findings {
  const free = `${sizeText(freeBytes)} are free in ${folder}`
  if (freeBytes < LEAST_BYTES)
    yield failed(`Only ${free}: writes will soon be refused`, 'Free some space, or move the database to a larger disk.')
  else if (freeBytes < COMFORTABLE_BYTES) yield warning(`Only ${free}`, 'Free some space before it runs out.')
  else if (freeBytes < databaseBytes)
    yield warning(
      `${free}, less than the database has (${sizeText(databaseBytes)}): a backup or restore would not fit beside it`,
      'Write backups to another disk, or free some space.',
    )
  else yield ok(`${free}; the database has ${sizeText(databaseBytes)}`)
  if (freeFiles !== null && freeFiles < LEAST_FILES)
    yield failed(`Only ${freeFiles} more files can be created in ${folder}`, 'Remove files that nobody needs.')
}

/** The folder itself, or the nearest one above it that exists. */
function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(dirname(folder))
}

function sizeText(bytes: number): string {
  const [unit, name] = bytes >= 1024 * MIB ? [1024 * MIB, 'GiB'] : [MIB, 'MiB']
  return `${(bytes / unit).toFixed(1)} ${name}`
}

/** A clock to compare with, read between `before` and `after` by this machine's clock. */
export interface ClockReading {
  readonly of: 'database' | 'public address'
  readonly time: number
  readonly before: number
  readonly after: number
  /** Its unit: a Date header leaves out what is less than a second. */
  readonly precisionMs: number
}

/** The service leaves such differences alone. */
const TOLERANCE_MS = 5_000
/** No clock can be right that is before this build was written. */
const BUILT_AT = Date.UTC(2026, 10, 1)

export function* judgeClock(now: number, readings: readonly ClockReading[]): Findings {
  if (now < BUILT_AT)
    return yield failed(
      `The clock says ${new Date(now).toISOString()}, which is in the past`,
      'Start a time service (NTP).',
    )
  if (readings.length === 0)
    yield skipped('There is nothing to compare with: SQLite has no clock of its own, and no PUBLIC_URL answered')
  for (const reading of readings) {
    const ahead = secondsAhead(reading)
    const other = reading.of === 'database' ? 'the database' : 'PUBLIC_URL'
    const difference = `The clock is ${Math.abs(Math.round(ahead))} s ${ahead > 0 ? 'ahead of' : 'behind'} that of ${other}`
    if (Math.abs(ahead) * 1000 <= TOLERANCE_MS) yield ok(`The clock agrees with that of ${other}`)
    else if (reading.of === 'database')
      yield warning(`${difference}, which the service uses instead`, 'Set both by a time service (NTP).')
    else
      yield warning(
        difference,
        'Set both by a time service (NTP); with SQLite, the clock of the machine dates everything.',
      )
  }
}

const DAY_MS = 86_400_000

/** Judges what the service has seen of the clock: it may have jumped while nobody looked. */
export function* judgeAges(now: number, { seenAt, agedAt }: { seenAt: number; agedAt: number }): Findings {
  if (seenAt > now + MIN_CORRECTED_MS)
    yield warning(
      `The service has seen a clock that said ${new Date(seenAt).toISOString()}`,
      'Nothing, if the clock is right now: the service corrects within a minute, or at its next start, what lies ahead.',
    )
  const days = Math.floor((Math.min(now, seenAt) - agedAt) / DAY_MS)
  if (days >= 1)
    yield warning(
      `The clock has jumped ahead; ages are counted to ${new Date(agedAt).toISOString()}, ${days} ${days === 1 ? 'day' : 'days'} behind it`,
      'If the clock is wrong, correct it: nothing was deleted early. If it is right, wait: old rows are deleted as ages catch up, a day an hour.',
    )
}

/** 0 as long as the time of the reading leaves it open who is ahead. */
function secondsAhead({ time, before, after, precisionMs }: ClockReading): number {
  if (before > time + precisionMs) return (before - time - precisionMs) / 1000
  return after < time ? (after - time) / 1000 : 0
}
