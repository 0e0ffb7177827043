/**
 * Checks the import directions of ARCHITECTURE.md and that no circle exists: part of `npm run
 * check`.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { readImportGraph } from './imports/graph.ts'
import { findViolations } from './imports/violations.ts'

const ROOT = join(import.meta.dirname, '..')
const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' })
const violations = findViolations(readImportGraph(ROOT, listed.trim().split('\n')))
for (const violation of violations) console.error(violation)
if (violations.length > 0) process.exitCode = 1
