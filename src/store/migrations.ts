import { readdirSync, readFileSync } from 'node:fs'
import { StoreUnavailable, StoreUnusable } from './store.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** Reads every `0001-name.sql`, in order. A number means the same in both dialects. */
export function readMigrations(folder: URL): Migration[] {
  const files = readdirSync(folder).filter((file) => /^\d{4}-[a-z-]+\.sql$/.test(file))
  return files.sort().map((file) => ({
    version: Number(file.slice(0, 4)),
    name: file.slice(0, -'.sql'.length),
    sql: readFileSync(new URL(file, folder), 'utf8'),
  }))
}

/** Returns the migrations that a database at `version` lacks; refuses one newer than this build. */
export function pendingMigrations(migrations: readonly Migration[], version: number): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0
  if (version > newest) {
    throw new StoreUnusable(
      `The database has schema version ${version}, this build knows up to ${newest}: run a newer build, or restore a backup`,
    )
  }
  return migrations.filter((migration) => migration.version > version)
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
