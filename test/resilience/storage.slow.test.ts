import assert from 'node:assert/strict'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import { startOnDamagedStore } from '../../resilience/faults/damaged-store.ts'
import { fillDisk } from '../../resilience/faults/full-disk.ts'
import { losePowerOnSqlite } from '../../resilience/faults/power-loss.ts'
import { killWhileSaving } from '../../resilience/faults/saved/saved-archive-kill.ts'
import { ForgetfulDisk } from '../../resilience/harness/power-loss/forgetful-disk.ts'
import { hasPassed } from '../../resilience/scenario.ts'
import { openStore } from '../../src/store/open.ts'
import { created, NOW } from '../store/fixtures.ts'
import { smallDisk, temporaryFolder } from '../support/folder.ts'
import { assertPassed } from './assert-passed.ts'

/**
 * `npm run resilience -- damaged-store` tests more kinds of damage on a used store, and PostgreSQL.
 */
test('a service refuses a damaged store with one line and writes nothing to it', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'feed.db')
  {
    await using store = await openStore(`sqlite:${file}`)
    await store.incidents.save([created(1), created(2)], NOW)
  }
  const checks = await startOnDamagedStore(file, ['that is empty', 'truncated in the middle', 'of a newer build'])
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
  assert.equal(checks.length, 3)
})

/** `npm run resilience -- full-disk` runs more rounds, and PostgreSQL as well. */
test('on a full disk writes get a 503, reads continue and nothing is lost', async (context) => {
  const disk = await smallDisk(24)
  if (typeof disk === 'string') return context.skip(disk)
  await using _ = disk
  const short = { rounds: 1, maxFullMs: 100, maxFailures: 0, mayHang: false, random: Math.random }
  const result = await fillDisk({ ...short, databaseUrl: `sqlite:${join(disk.path, 'feed.db')}`, disk })
  assert.ok(hasPassed({ setup: 'SQLite', ...result }), JSON.stringify(result))
  assert.equal(result.checks[0]!.observed, '503 store_full, Retry-After 30')
})

/** `npm run resilience -- power-loss` runs more rounds, and PostgreSQL as well. */
describe('power loss', () => {
  it('forgets what was not fsynced, and only that', async (context) => {
    const disk = await ForgetfulDisk.mount()
    if (typeof disk === 'string') return context.skip(disk)
    await using _ = disk
    const [synced, unsynced] = [join(disk.path, 'synced'), join(disk.path, 'unsynced')]
    {
      await using file = await open(synced, 'w')
      await file.write('kept')
      await file.sync()
      await file.write(', and forgotten')
    }
    await writeFile(unsynced, 'forgotten')
    await disk.losePower('none')
    assert.equal(await readFile(synced, 'utf8'), 'kept')
    await assert.rejects(readFile(unsynced), { code: 'ENOENT' })
    assert.deepEqual(disk.forgotten, { pages: 1, names: 1 })
  })

  it('loses nothing that the service has acknowledged, with SQLite', async (context) => {
    const result = await losePowerOnSqlite({ rounds: 2, maxRoundMs: 300, random: Math.random })
    if (result.notRun !== undefined) return context.skip(result.notRun)
    assertPassed(result)
  })
})

/** `npm run resilience -- saved-archive` kills it more often, on a larger archive. */
test('a process killed while it saves its archive leaves one that is right', async () => {
  const { checks } = await killWhileSaving(2, 1000)
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
})
