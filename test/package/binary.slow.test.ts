import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/folder.ts'
import { requireSlowTier } from '../support/tier.ts'
import { checkDemo } from './check-demo.ts'
import { runDemo } from './installed-package.ts'

const ROOT = join(import.meta.dirname, '../..')

test('the single executable serves incidents and the map, and says where it cannot unpack', {
  timeout: 600_000,
}, async () => {
  requireSlowTier('npm')
  await using folder = await temporaryFolder()
  await promisify(execFile)(process.execPath, ['scripts/package/build-binary.ts', folder.path], { cwd: ROOT })
  const executable = join(folder.path, 'incident-feed')
  {
    await using demo = await runDemo([executable], folder.path, { XDG_CACHE_HOME: join(folder.path, 'cache') })
    await checkDemo(demo)
  }
  const env = { XDG_CACHE_HOME: '/dev/null/nowhere' }
  const { status, stderr } = spawnSync(executable, ['keys', 'generate'], { env, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^incident-feed: the service cannot be unpacked into \/dev\/null\/nowhere\S* \(ENOTDIR\)\. Set XDG_CACHE_HOME .*\n$/,
  )
})
