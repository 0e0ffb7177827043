import assert from 'node:assert/strict'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { losePowerOnSqlite } from '../../../resilience/faults/power-loss.ts'
import { ForgetfulDisk } from '../../../resilience/harness/power-loss/forgetful-disk.ts'
import { assertPassed } from '../assert-passed.ts'

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
