import { readdirSync, readFileSync } from 'node:fs'
import { StoreUnusable } from '../store.ts'

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
