import { readdirSync, readFileSync } from 'node:fs'
import { NewerSchema, type SchemaState, StoreUnavailable, StoreUnusable } from './store.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  /**
   * The version that a build must know to use a database with it. Null if it only adds: then
   * builds need to know no more than before.
   */
  readonly needs: number | null
}

/** The last version that all builds must know: later migrations are expand first (decision 85). */
export const LAST_NEEDED_BY_ALL = 38
/** The first line of a migration that removes what builds below that version use. */
const NEEDS = /^-- needs schema (\d+)$/m

/** Reads every `0001-name.sql`, in order. A number means the same in both dialects. */
export function readMigrations(folder: URL): Migration[] {
  const files = readdirSync(folder).filter((file) => /^\d{4}-[a-z-]+\.sql$/.test(file))
  return files.sort().map((file) => {
    const version = Number(file.slice(0, 4))
    const sql = readFileSync(new URL(file, folder), 'utf8')
    const needs = version <= LAST_NEEDED_BY_ALL ? version : Number(NEEDS.exec(sql)?.[1] ?? 0) || null
    return { version, name: file.slice(0, -'.sql'.length), sql, needs }
  })
}

/**
 * The versions that have been applied and that builds need not know. A table of its own: builds of
 * before it refuse what they do not know in `schema_version`.
 */
export const LATER_VERSIONS = 'later_versions'

/** The state of a database with both tables; `later` is null until there is such a migration. */
export const SELECT_STATE = `SELECT (SELECT max(version) FROM schema_version) AS needs,
  (SELECT max(version) FROM ${LATER_VERSIONS}) AS later`

export function schemaStateOf({ needs, later }: { needs: number | null; later: number | null }): SchemaState {
  return { needs: needs ?? 0, version: Math.max(needs ?? 0, later ?? 0) }
}

/**
 * Returns the migrations that a database lacks: none if a newer build has migrated it. Refuses one
 * that needs a newer build.
 */
export function pendingMigrations(migrations: readonly Migration[], { version, needs }: SchemaState): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0
  if (needs > newest) {
    const users = needs < version ? `, for builds that know ${needs} or later` : ''
    throw new StoreUnusable(
      `The database has schema version ${version}${users}, this build knows up to ${newest}: run a newer build, or restore a backup`,
    )
  }
  return migrations.filter((migration) => migration.version > version)
}

/** Replaces the error of a statement if a newer build has migrated the database meanwhile. */
export function explainedBySchema(error: unknown, migrations: readonly Migration[], { version }: SchemaState): unknown {
  const known = migrations.at(-1)!.version
  if (version <= known) return error
  return new NewerSchema(`The database has schema version ${version}, and this node knows up to ${known}`, {
    cause: error,
  })
}

/** The rows that record an applied migration. */
export function recordsOf({ version, needs }: Migration): { readonly table: string; readonly version: number }[] {
  const needed = needs === null ? [] : [{ table: 'schema_version', version: needs }]
  return needs === version ? needed : [...needed, { table: LATER_VERSIONS, version }]
}

/** The migrations that are about to run. */
export interface Migrating {
  /** 0 if the database has no tables yet. */
  readonly from: number
  readonly to: number
  readonly names: readonly string[]
}

export function migratingFrom(version: number, pending: readonly Migration[]): Migrating {
  return { from: version, to: pending.at(-1)?.version ?? version, names: pending.map(({ name }) => name) }
}

/** `known`: the error as the engine converts it. */
export function migrationError({ name }: Migration, error: unknown, known: unknown): unknown {
  if (known instanceof StoreUnavailable || known instanceof StoreUnusable) return known
  return new StoreUnusable(`Migration ${name} cannot be applied: ${(error as Error).message}`, { cause: error })
}

/** The table in which the target of a copy keeps its progress. */
export const PROGRESS_TABLE = 'unfinished_copy'

/** A store that has only a part of its rows must not be served. */
export const UNFINISHED_COPY =
  'The database is the target of a copy that has not finished: run the same incident-feed copy again, and then start the service'
