import assert from 'node:assert/strict'
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { endCommands, runProcess, type User } from '../support/commands.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { smallDisk, temporaryFolder } from '../support/folder.ts'

/** Root may write everywhere, and listen on every port. */
const NOBODY: Required<User> = { uid: 65_534, gid: 65_534 }
const USER: User = process.getuid?.() === 0 ? NOBODY : {}

/** As sysexits.h numbers them. */
const UNAVAILABLE = 69
const CONFIGURATION = 78

after(endCommands)

describe('a start that cannot succeed ends at once, with one sentence that names the setting', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let busy: Server
  let port: string
  const at = (name: string) => `sqlite:${join(folder.path, name)}`

  before(async () => {
    folder = await temporaryFolder()
    await chmod(folder.path, 0o755)
    for (const name of ['own', 'other']) await mkdir(join(folder.path, name), { mode: 0o755 })
    if (USER.uid !== undefined) await chown(join(folder.path, 'own'), USER.uid, USER.uid)
    else await chmod(join(folder.path, 'other'), 0o555)
    await writeFile(join(folder.path, 'file'), 'not a folder')
    busy = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => busy.once('listening', resolve))
    port = String((busy.address() as AddressInfo).port)
  })
  after(async () => {
    busy?.close()
    await folder?.[Symbol.asyncDispose]()
  })

  const CASES: readonly (readonly [
    what: string,
    settings: () => Record<string, string>,
    code: number,
    says: RegExp,
  ])[] = [
    ['PORT in use', () => ({ PORT: port }), UNAVAILABLE, /: PORT: .* listens on port \d+ of 127\.0\.0\.1; .*free port/],
    [
      'METRICS_PORT in use',
      () => ({ METRICS_PORT: port }),
      UNAVAILABLE,
      /: METRICS_PORT: .*set METRICS_PORT to a free/,
    ],
    [
      'one port for both',
      () => ({ PORT: '48999', METRICS_PORT: '48999' }),
      UNAVAILABLE,
      /: METRICS_PORT: another process, or this one, already listens/,
    ],
    [
      'a HOST that is no name',
      () => ({ HOST: 'nowhere.invalid' }),
      CONFIGURATION,
      /: HOST: nowhere\.invalid is no address/,
    ],
    ['a HOST of another machine', () => ({ HOST: '192.0.2.1' }), CONFIGURATION, /: HOST: 192\.0\.2\.1 is no address/],
    [
      'a METRICS_HOST of another machine',
      () => ({ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' }),
      CONFIGURATION,
      /: METRICS_HOST: 192\.0\.2\.1 is no address/,
    ],
    [
      'a folder of another user',
      () => ({ DATABASE_URL: at('other/feed.db') }),
      CONFIGURATION,
      /: DATABASE_URL: the user of this process \(uid \d+\) may not write to \S+other \(EACCES\); give it/,
    ],
    [
      'a folder that cannot be created',
      () => ({ DATABASE_URL: at('other/new/feed.db') }),
      CONFIGURATION,
      /: DATABASE_URL: there is no folder \S+other\/new, and it cannot be created \(EACCES\); create it/,
    ],
    ['a file in place of the folder', () => ({ DATABASE_URL: at('file/feed.db') }), CONFIGURATION, /cannot be created/],
    [
      'a folder in place of the database',
      () => ({ DATABASE_URL: at('own') }),
      CONFIGURATION,
      /: DATABASE_URL: \S+own is not a file; name one, such as sqlite:\S+own\/incident-feed\.db/,
    ],
    ['no file of advice', () => ({ ADVICE_FILE: '/nowhere' }), CONFIGURATION, /: ADVICE_FILE: \/nowhere: ENOENT/],
    ['no file of roads', () => ({ MAP_ROADS: '/nowhere' }), CONFIGURATION, /: MAP_ROADS: \/nowhere: ENOENT/],
    ['no file of LGAs', () => ({ LGA_BOUNDARIES: '/nowhere' }), CONFIGURATION, /: LGA_BOUNDARIES: \/nowhere: ENOENT/],
  ]
  for (const [what, settings, code, says] of CASES)
    test(what, async () => {
      const environment = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: at('own/feed.db'), ...settings() }
      assertRefused(await runProcess([], environment, null, USER), code, says)
    })

  test('the mode of a folder that stands in place of the database stays as it is', async () => {
    assert.equal((await stat(join(folder.path, 'own'))).mode & 0o777, 0o755)
  })

  for (const words of ['accounts list --create', 'keys create --create', 'imports list --create'])
    test(`the command ${words} in a folder of another user`, async () => {
      const running = await runProcess(words.split(' '), { DATABASE_URL: at('other/feed.db') }, null, USER)
      assertRefused(running, CONFIGURATION, /: DATABASE_URL: the user of this process/)
    })

  test('a backup into a folder of another user', async () => {
    const environment = { DATABASE_URL: at('own/kept.db') }
    const created = await runProcess(['keys', 'create', '--create'], environment, null, USER)
    assert.equal(created.code, 0, created.output)
    assertRefused(
      await runProcess(['backup', join(folder.path, 'other/copy.db')], environment, null, USER),
      UNAVAILABLE,
      /EACCES/,
    )
  })
})

test('on a disk without room for a database the start ends, and says so', async (context) => {
  const disk = await smallDisk(4)
  if (typeof disk === 'string') return context.skip(disk)
  await using _ = disk
  const environment = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${join(disk.path, 'feed.db')}` }
  const says = /: The disk of the database is full \(.*\); free some space, or name a larger disk in DATABASE_URL/
  await disk.fill()
  assertRefused(await runProcess([], environment), UNAVAILABLE, says)
  await disk.free()
  assert.equal((await runProcess(['keys', 'create', '--create'], environment)).code, 0)
  await disk.fill()
  assertRefused(await runProcess([], environment), UNAVAILABLE, says)
})

test('a PostgreSQL server that refuses the user or has no such database ends the start', async () => {
  await using database = await testDatabase()
  const url = (change: (url: URL) => void) => {
    const changed = new URL(database.url)
    change(changed)
    return { PORT: '0', LOG_LEVEL: 'silent', SECRETS_KEY: TEST_SECRETS_KEY, DATABASE_URL: String(changed) }
  }
  const absent = url((each) => {
    each.pathname = '/absent'
  })
  assertRefused(
    await runProcess([], absent),
    CONFIGURATION,
    /: DATABASE_URL: PostgreSQL refuses it: database "absent" does not exist \(3D000\)/,
  )
  const wrong = url((each) => {
    each.password = 'wrong'
  })
  assertRefused(await runProcess([], wrong), CONFIGURATION, /: DATABASE_URL: PostgreSQL refuses it: .*\(28P01\)/)
  const stranger = url((each) => {
    each.username = 'stranger'
  })
  assertRefused(await runProcess([], stranger), CONFIGURATION, /: DATABASE_URL: PostgreSQL refuses it: .*\(28/)
})

function assertRefused({ code, output }: { code: number | null; output: string }, wanted: number, says: RegExp): void {
  assert.match(output, /^incident-feed: [^\n]+\n$/)
  assert.match(output, says)
  assert.equal(code, wanted, output)
}
