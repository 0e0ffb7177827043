import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const FOLDER = join(import.meta.dirname, '../../deploy/systemd')
const SERVICES = ['incident-feed.service', 'incident-feed-backup.service']
/** Of 10, by `systemd-analyze security`. */
const MAX_EXPOSURE = 2

describe('the units for systemd', () => {
  let missing: string | null = null

  before(async () => {
    const found = await run('systemd-analyze', ['--version']).catch(() => null)
    const version = Number(/^systemd (\d+)/.exec(found?.stdout ?? '')?.[1])
    if (found === null) missing = 'systemd-analyze is not installed'
    else if (version < 250) missing = `systemd-analyze ${version} cannot judge units that are not installed`
  })

  /** Skips aloud where systemd-analyze cannot judge. */
  function isMissing(context: TestContext): boolean {
    if (missing !== null) context.skip(missing)
    return missing !== null
  }

  it('are understood, without a warning', async (context) => {
    if (isMissing(context)) return
    await using folder = await temporaryFolder()
    // The programs must exist to be verified; the real place is on the operator's machine.
    const program = join(folder.path, 'node')
    await writeFile(program, '')
    await chmod(program, 0o755)
    const units = join(folder.path, 'units')
    await mkdir(units)
    const names = [...SERVICES, 'incident-feed-backup.timer']
    for (const name of names) {
      const text = await readFile(join(FOLDER, name), 'utf8')
      await writeFile(join(units, name), text.replaceAll('/opt/incident-feed/node_modules/.bin/node', program))
    }
    const paths = names.map((name) => join(units, name))
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...paths])
    assert.equal(stdout + stderr, '')
  })

  for (const name of SERVICES)
    it(`${name} is exposed by less than ${MAX_EXPOSURE}`, async (context) => {
      if (isMissing(context)) return
      const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', join(FOLDER, name)])
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
      context.diagnostic(`exposure ${exposure}`)
      assert.ok(exposure < MAX_EXPOSURE, stdout)
    })

  it('run the command itself, never npm, which would not wait for a stop', async () => {
    for (const name of SERVICES) {
      const starts = (await readFile(join(FOLDER, name), 'utf8'))
        .split('\n')
        .filter((line) => line.startsWith('ExecStart='))
      assert.equal(starts.length, 1)
      assert.doesNotMatch(starts[0]!, /npm|npx/)
      assert.match(starts[0]!, /\/opt\/incident-feed\/bin\/incident-feed\.js/)
    }
  })

  it('the timer names a time that systemd understands', async (context) => {
    if (isMissing(context)) return
    const timer = await readFile(join(FOLDER, 'incident-feed-backup.timer'), 'utf8')
    const [, expression] = /^OnCalendar=(.+)$/m.exec(timer)!
    const { stdout } = await run('systemd-analyze', ['calendar', expression!])
    assert.match(stdout, /Next elapse: /)
  })
})
