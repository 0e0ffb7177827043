/**
 * Saves the last results of each suite, so that one suite can be run again alone. They are kept
 * in the repository: RESULTS.md is made of them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { SuiteName } from '../suites.ts'
import type { Environment } from './environment.ts'
import type { Row } from './row.ts'

export interface SuiteRecord extends Environment {
  readonly suite: SuiteName
  /** The time of the start. */
  readonly at: string
  readonly rows: readonly Row[]
}

const FOLDER = new URL('../results/', import.meta.url)

export function saveRecord(record: SuiteRecord): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(fileOf(record.suite), `${JSON.stringify(record, null, 2)}\n`)
}

/** Returns null if the suite was never run. */
export function loadRecord(suite: SuiteName): SuiteRecord | null {
  try {
    return JSON.parse(readFileSync(fileOf(suite), 'utf8')) as SuiteRecord
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function fileOf(suite: SuiteName): URL {
  return new URL(`${suite}.json`, FOLDER)
}
