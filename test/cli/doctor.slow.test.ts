import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { NameServer } from '../../resilience/harness/names/name-server.ts'
import type { Status } from '../../src/cli/doctor/findings.ts'
import { Database } from '../../src/store/sqlite/database.ts'
import { MIGRATIONS, migrate } from '../../src/store/sqlite/migrate.ts'
import { startTestApp } from '../support/app.ts'
import { runCommand, runProcess } from '../support/commands.ts'
import { execute, testDatabase } from '../support/databases/postgres.ts'
import { openTestStore, TEST_SECRETS_KEY } from '../support/databases/stores.ts'
import { type NginxOptions, startNginx } from '../support/external-programs.ts'
import { smallDisk, temporaryFolder } from '../support/folder.ts'

interface Report {
  readonly status: Status
  readonly checks: { readonly check: string; readonly status: Status; readonly findings: { message: string }[] }[]
}

/** Runs the doctor without a name server that is not its own, unless the test gives one. */
async function doctor(
  environment: Record<string, string>,
  words: string[] = [],
  run: typeof runProcess | typeof runCommand = runCommand,
) {
  const { code, output } = await run(['doctor', '--json', ...words], environment)
  const report = JSON.parse(output) as Report
  const check = (name: string) => report.checks.find((each) => each.check === name)!
  const text = (name: string) =>
    check(name)
      .findings.map(({ message }) => message)
      .join('\n')
  return { code, report, status: (name: string) => check(name).status, text }
}

/** A folder with a migrated SQLite database. */
async function aStore() {
  const folder = await temporaryFolder()
  const path = join(folder.path, 'feed.db')
  const url = `sqlite:${path}`
  const store = await openTestStore(url)
  await store[Symbol.asyncDispose]()
  return { folder: folder.path, path, url, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

describe('incident-feed doctor', () => {
  it('checks nothing else while settings are wrong, and names them all', async () => {
    const { code, report, status, text } = await doctor({ PORT: 'x', RATE_LIMIT: '0' })
    assert.equal(code, 1)
    assert.match(text('settings'), /PORT takes.*RATE_LIMIT takes/s)
    assert.equal(report.status, 'failed')
    for (const { check } of report.checks.slice(1)) assert.equal(status(check), 'skipped', check)
  })

  it('reads the settings of a file, where every name counts', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'feed.env')
    await writeFile(file, `DATABASE_URL="sqlite:${folder.path}/feed.db"\nWHATEVER=1\n# a comment\nTRUSTPROXY=1\n`)
    const { text } = await doctor({}, ['--settings-file', file])
    assert.match(text('settings'), /TRUSTPROXY is not a setting.*WHATEVER is not a setting/s)
    assert.match(text('database'), new RegExp(`no database at ${folder.path}/feed.db yet`))
    const { code, output } = await runCommand(['doctor', '--settings-file', '/no/such/file'])
    assert.equal(code, 78)
    assert.match(output, /^incident-feed: the settings in \/no\/such\/file cannot be read \(ENOENT\)/)
  })

  it('finds all wrong values at once, and repeats no secret', async () => {
    const environment = { PORT: 'eighty', SECRETS_KEY: 'hunter2', DEMO: 'true' }
    const { report, status, text } = await doctor(environment, ['--signup', 'maybe'])
    assert.deepEqual(
      report.checks[0]!.findings.map(({ message }) => message.split(' ', 2).join(' ')),
      ['PORT takes', 'SECRETS_KEY takes', 'SIGNUP takes'],
    )
    assert.doesNotMatch(text('settings'), /hunter2/)
    assert.equal(status('database'), 'skipped')
  })

  it('leaves what it finds: pending migrations, and a file that others can read', async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'feed.db')
    using database = new Database(new DatabaseSync(path))
    migrate(database, MIGRATIONS.slice(0, -1))
    await chmod(path, 0o644)
    const first = await doctor({ DATABASE_URL: `sqlite:${path}` })
    const second = await doctor({ DATABASE_URL: `sqlite:${path}` })
    for (const { text } of [first, second]) assert.match(text('database'), /mode 0644.*1 migrations are pending/s)
    assert.equal((await stat(path)).mode & 0o777, 0o644)
  })

  it('finds a damaged file and a full disk', async (context: TestContext) => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'feed.db'), 'not a database, but a text that is long enough')
    const damaged = await doctor({ DATABASE_URL: `sqlite:${folder.path}/feed.db` })
    assert.equal(damaged.code, 1)
    assert.match(damaged.text('database'), /not a SQLite database/)
    const disk = await smallDisk(8)
    if (typeof disk === 'string') return context.skip(disk)
    await using _disk = disk
    const full = await doctor({ DATABASE_URL: `sqlite:${disk.path}/feed.db` })
    assert.equal(full.status('disk'), 'failed')
  })

  it('greets the mail server and logs in, without sending', async () => {
    await using here = await aStore()
    let mails = 0
    const smtp = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'feed@example.org' && password === 'right/word'
          ? done(null, { user: username })
          : done(new Error('Invalid username or password')),
      onMailFrom(_address, _session, done) {
        mails++
        done()
      },
    })
    smtp.listen(0, '127.0.0.1')
    await once(smtp.server, 'listening')
    const { port } = smtp.server.address() as AddressInfo
    const withLogin = (login: string) =>
      doctor({ DATABASE_URL: here.url, SMTP_URL: `smtp://${login}127.0.0.1:${port}`, MAIL_FROM: 'feed@example.org' })
    const right = await withLogin('feed%40example.org:right%2Fword@')
    assert.equal(right.status('mail'), 'ok', right.text('mail'))
    assert.match(right.text('mail'), /accepts the login as feed@example\.org/)
    const wrong = await withLogin('feed%40example.org:wrong@')
    assert.equal(wrong.status('mail'), 'failed')
    assert.match(wrong.text('mail'), /refuses the login/)
    assert.ok(!wrong.text('mail').includes('wrong'), 'the password is not repeated')
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
    const gone = await withLogin('')
    assert.match(gone.text('mail'), /does not answer/)
    assert.equal(mails, 0)
  })

  it('asks the name servers that the service asks', async () => {
    await using here = await aStore()
    await using server = await NameServer.listen((name) => (name === 'feed.example.org' ? '192.0.2.1' : 'unknown'))
    const settings = { DATABASE_URL: here.url, DNS_SERVERS: server.address, TRUST_PROXY: 'loopback' }
    const known = await doctor({ ...settings, PUBLIC_URL: 'https://feed.example.org' })
    assert.match(known.text('dns'), /^feed\.example\.org is 192\.0\.2\.1$/)
    const unknown = await doctor({ ...settings, PUBLIC_URL: 'https://nowhere.example.org' })
    assert.equal(unknown.status('dns'), 'warning')
    assert.match(unknown.text('public address'), /does not answer/)
  })

  describe('with PostgreSQL', () => {
    it('finds everything in order', async () => {
      await using database = await testDatabase()
      const { code, status, text } = await doctor({ DATABASE_URL: database.url, SECRETS_KEY: TEST_SECRETS_KEY })
      assert.equal(status('database'), 'ok', text('database'))
      assert.match(text('database'), /Connected to PostgreSQL \d+/)
      assert.equal(status('secrets'), 'ok')
      assert.match(text('clock'), /agrees with that of the database/)
      // Name servers are not the subject here, and may be absent.
      assert.equal(code, status('dns') === 'failed' ? 1 : 0)
    })

    it('creates no table in an empty database', async () => {
      await using database = await testDatabase('empty')
      const { text } = await doctor({ DATABASE_URL: database.url, SECRETS_KEY: TEST_SECRETS_KEY })
      assert.match(text('database'), /no tables of this service yet/)
      assert.deepEqual(await execute(database.url, `SELECT 1 FROM pg_tables WHERE schemaname = 'public'`), [])
    })

    it('finds a missing key, a wrong password, and a user who may not write', async () => {
      await using database = await testDatabase()
      const noKey = await doctor({ DATABASE_URL: database.url })
      assert.equal(noKey.code, 1)
      assert.match(noKey.text('secrets'), /SECRETS_KEY is not set/)

      const wrongPassword = new URL(database.url)
      wrongPassword.password = 'wrong'
      const refused = await doctor({ DATABASE_URL: wrongPassword.href, SECRETS_KEY: TEST_SECRETS_KEY })
      assert.match(refused.text('database'), /password authentication failed/)
      assert.equal(refused.status('secrets'), 'ok', 'what needs no database is still checked')

      const user = `reader_${Math.random().toString(36).slice(2)}`
      await execute(database.url, `CREATE USER ${user} PASSWORD 'x'`)
      try {
        await execute(database.url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`)
        const reader = new URL(database.url)
        reader.username = user
        reader.password = 'x'
        const reading = await doctor({ DATABASE_URL: reader.href, SECRETS_KEY: TEST_SECRETS_KEY })
        assert.match(reading.text('database'), /cannot be written: permission denied/)
      } finally {
        await execute(database.url, `DROP OWNED BY ${user}`)
        await execute(database.url, `DROP USER ${user}`)
      }
    })
  })

  describe('behind nginx', () => {
    // Node reads NODE_EXTRA_CA_CERTS when a process starts.
    const doctorProcess = (environment: Record<string, string>) => doctor(environment, [], runProcess)

    async function behindNginx(trustProxy: string, options: NginxOptions = {}) {
      const here = await aStore()
      const settings = { DATABASE_URL: here.url, TRUST_PROXY: trustProxy, SECRETS_KEY: TEST_SECRETS_KEY }
      const service = await startTestApp(settings)
      const nginx = await startNginx(Number(new URL(service.url).port), { host: 'localhost', ...options })
      const certificates = typeof nginx === 'string' ? '' : nginx.certificateFile
      const publicUrl = typeof nginx === 'string' ? '' : `https://localhost:${nginx.port}`
      return {
        missing: typeof nginx === 'string' ? nginx : null,
        environment: { ...settings, PUBLIC_URL: publicUrl, NODE_EXTRA_CA_CERTS: certificates },
        async [Symbol.asyncDispose]() {
          if (typeof nginx === 'object') await nginx[Symbol.asyncDispose]()
          await service[Symbol.asyncDispose]()
          await here[Symbol.asyncDispose]()
        },
      }
    }

    it('finds that the sample is right', async (context) => {
      await using behind = await behindNginx('loopback')
      if (behind.missing !== null) return context.skip(behind.missing)
      const { code, report, text } = await doctorProcess(behind.environment)
      assert.match(text('public address'), /answers and is this service/)
      assert.match(text('proxy'), /The proxy at 127\.0\.0\.1 is trusted/)
      assert.match(text('clock'), /agrees with that of PUBLIC_URL/)
      assert.equal(code, 0, JSON.stringify(report, null, 2))
    })

    it('warns if X-Forwarded-For arrives and TRUST_PROXY is not set', async (context) => {
      await using behind = await behindNginx('false')
      if (behind.missing !== null) return context.skip(behind.missing)
      const { status, text } = await doctorProcess(behind.environment)
      assert.equal(status('proxy'), 'warning')
      assert.match(text('proxy'), /TRUST_PROXY is not set: all clients count as one/)
    })

    it('fails if a client can choose its address', async (context) => {
      const change = (sample: string) =>
        sample.replace('X-Forwarded-For $remote_addr', 'X-Forwarded-For $http_x_forwarded_for')
      await using behind = await behindNginx('loopback', { change })
      if (behind.missing !== null) return context.skip(behind.missing)
      const { code, text } = await doctorProcess(behind.environment)
      assert.equal(code, 1)
      assert.match(text('proxy'), /believes the address that a client writes/)
    })

    it('fails if the public address leads to a service with another database, or to a certificate that nobody trusts', async (context) => {
      await using behind = await behindNginx('loopback')
      if (behind.missing !== null) return context.skip(behind.missing)
      await using other = await aStore()
      const elsewhere = await doctorProcess({ ...behind.environment, DATABASE_URL: other.url })
      assert.equal(elsewhere.code, 1)
      assert.match(elsewhere.text('public address'), /a service with another database/)
      const untrusted = await doctorProcess({ ...behind.environment, NODE_EXTRA_CA_CERTS: '' })
      assert.match(untrusted.text('public address'), /self-signed certificate/)
    })
  })
})
