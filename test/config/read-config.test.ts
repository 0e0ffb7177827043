import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readConfig } from '../../src/config/read-config.ts'
import { ConfigError } from '../../src/config/setting-kinds.ts'
import { SETTINGS } from '../../src/config/settings.ts'

test('uses the documented defaults', () => {
  const config = readConfig({}, [])
  assert.equal(config.PORT, 8080)
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.DATABASE_URL, 'sqlite:data/incident-feed.db')
  assert.equal(config.SIGNUP, 'open')
  assert.equal(config.DEMO, false)
  assert.equal(config.PUBLIC_URL, null)
})

test('a flag overrides the environment, in both of its forms', () => {
  assert.equal(readConfig({ PORT: '1' }, ['--port', '2']).PORT, 2)
  assert.equal(readConfig({ PORT: '1' }, ['--port=2']).PORT, 2)
  assert.equal(readConfig({ RATE_LIMIT: '7' }, ['--demo', '--signup', 'closed']).RATE_LIMIT, 7)
  assert.deepEqual(
    [
      readConfig({}, ['--demo']).DEMO,
      readConfig({}, ['--demo', 'false']).DEMO,
      readConfig({}, ['--demo', '--port', '1']).DEMO,
    ],
    [true, false, true],
  )
})

test('a flag may be spelled like the setting', () => {
  assert.equal(readConfig({}, ['--RATE_LIMIT', '300']).RATE_LIMIT, 300)
  assert.equal(readConfig({}, ['--rate_limit=300']).RATE_LIMIT, 300)
  assert.equal(readConfig({}, ['--MAIL_FROM=A_B <a@example.org>']).MAIL_FROM, 'A_B <a@example.org>')
})

test('an empty value counts as absent, for every setting', () => {
  const names = Object.keys(SETTINGS)
  const empty = Object.fromEntries(names.map((name) => [name, '']))
  const flags = names.map((name) => `--${name}=`)
  const defaults = readConfig({}, [])
  assert.deepEqual(readConfig(empty, []), defaults)
  assert.deepEqual(readConfig({}, flags), defaults)
  assert.equal(readConfig({ OPERATOR_KEY: '' }, []).OPERATOR_KEY, null)
  assert.equal(readConfig({ PORT: '7' }, ['--port=']).PORT, 7)
  assert.equal(readConfig({ STREAMS_PER_ACCOUNT: '', STREAMS_PER_KEY: '3' }, []).STREAMS_PER_ACCOUNT, 3)
})

const KEY = Buffer.alloc(32, 7).toString('base64')

test('SECRETS_KEY takes several keys, the current one first', () => {
  const older = Buffer.alloc(32, 8)
  const keys = readConfig({ SECRETS_KEY: `${KEY}, ${older.toString('base64')}` }, []).SECRETS_KEY
  assert.deepEqual(keys, [Buffer.alloc(32, 7), older])
})

const WRONG: [Record<string, string>, string[], RegExp][] = [
  [{ PORT: 'eighty' }, [], /^PORT takes a whole number from 0 to 65535, not "eighty"$/],
  [{ PORT: '65536' }, [], /^PORT takes/],
  [{ PORT: '-1' }, [], /^PORT takes/],
  [{ SIGNUP: 'maybe' }, [], /^SIGNUP takes open, email, closed, not "maybe"$/],
  [{ PUBLIC_URL: 'example.org' }, [], /^PUBLIC_URL takes a URL with http:\/\/ or https:\/\/, not "example.org"$/],
  [{ DEMO: 'yes' }, [], /^DEMO takes true or false/],
  [{ TRUST_PROXY: 'true' }, [], /Write how many proxies a request passes \(TRUST_PROXY=1\), or the networks/],
  [{}, ['--trust-proxy', 'true'], /^TRUST_PROXY=true would let every client choose its address/],
  [{ TRUST_PROXY: '0.0.0.0/0' }, [], /^TRUST_PROXY takes false, how many proxies/],
  [{ TRUST_PROXY: '10.0.0.0/8,nginx' }, [], /^TRUST_PROXY takes/],
  [{ DATABASE_URL: 'sqlite://feed.db' }, [], /^DATABASE_URL takes sqlite:<file>, sqlite::memory: or postgres:/],
  [{ SECRETS_KEY: 'hunter2' }, [], /^SECRETS_KEY takes keys of 32 bytes in base64 [^"]*generates one$/],
  [{ SECRETS_KEY: `${KEY},` }, [], /^SECRETS_KEY takes/],
  [{ SECRETS_KEY: KEY.slice(0, -4) }, [], /^SECRETS_KEY takes/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'no value' }, [], /^OTEL_EXPORTER_OTLP_HEADERS takes name=value, [^"]*$/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'key=%0d%0aevil: 1' }, [], /^OTEL_EXPORTER_OTLP_HEADERS takes name=value, [^"]*$/],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, [], /^OTEL_TRACES_SAMPLER_ARG takes a number from 0 to 1, not "1.5"$/],
  [{}, ['--prot', '80'], /^--prot is not a setting; the settings are: --port/],
  [{}, ['8080'], /^8080 is not a setting/],
  [{}, ['--port'], /^--port takes a whole number/],
  [{}, ['--constructor', '1'], /is not a setting/],
  [{}, ['--'], /^-- is not a setting/],
  [{}, ['-p', '80'], /^-p is not a setting/],
  [{}, ['--port', '-1'], /^PORT takes a whole number from 0 to 65535, not "-1"$/],
  [{}, ['--demo=yes'], /^DEMO takes true or false, not "yes"$/],
  [{}, ['--demo', 'yes'], /^yes is not a setting/],
]

for (const [environment, flags, message] of WRONG) {
  test(`${JSON.stringify(environment)} ${flags.join(' ')} stops the start and says why`, () => {
    assert.throws(
      () => readConfig(environment, flags),
      (error) => error instanceof ConfigError && message.test(error.message),
    )
  })
}

test('all wrong values are told together, and no secret is repeated', () => {
  assert.throws(
    () => readConfig({ PORT: 'eighty', SECRETS_KEY: 'hunter2', DEMO: 'true' }, ['--signup', 'maybe', '--host']),
    /^SettingError: --host takes a text\nPORT takes [^\n]*\nSECRETS_KEY takes (?!.*hunter2)[^\n]*\nSIGNUP takes open, email, closed, not "maybe"$/,
  )
})

test('docs/settings.md has every setting with its default, its values and its meaning', async () => {
  const page = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` \| (.*) \| (.*) \| (.*) \|$/gm)].map((row) => row.slice(1, 5))
  const real = Object.entries(SETTINGS).map(([name, { fallback, takes, description }]) => [
    name,
    fallback === null ? 'none' : `\`${fallback}\``,
    takes.replace('<', '\\<'),
    description,
  ])
  assert.deepEqual(documented, real)
})
