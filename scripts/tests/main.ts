import { join } from 'node:path'
import { runInGroups } from './run-in-groups.ts'
import { testFiles } from './test-files.ts'

/**
 * Runs the tests that need no browser: `node scripts/tests/main.ts parts`, or `fast` for those that
 * need no PostgreSQL and no other process. Further arguments go to `node --test`.
 */
const FOLDER = join(import.meta.dirname, '../..')
/**
 * Loading the service takes as long as the tests of a file; larger groups save little, and need
 * more memory.
 */
const GROUP_SIZE = 20
const TIMEOUT = '--test-timeout=120000'
const RUNS = {
  parts: ['--test-concurrency=5', TIMEOUT, '--test-global-setup=test/support/global-setup.ts'],
  fast: ['--test-concurrency=3', TIMEOUT],
} as const

const [name, ...more] = process.argv.slice(2)
if (name !== 'parts' && name !== 'fast') {
  console.error('Name the tests to run: parts or fast.')
  process.exit(2)
}
process.chdir(FOLDER)
const { fast, slow } = testFiles(FOLDER)
process.exitCode = await runInGroups({
  grouped: fast,
  alone: name === 'parts' ? slow : [],
  options: [...RUNS[name], ...more],
  cache: join(FOLDER, 'node_modules/.cache/tests'),
  groupSize: GROUP_SIZE,
})
