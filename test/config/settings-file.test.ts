import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/config/read-config.ts'
import { parseSettings, readEnvironment, takeSettingsFile } from '../../src/config/settings-file.ts'
import { runCommand } from '../support/commands.ts'
import { temporaryFolder } from '../support/folder.ts'

const quiet = () => {}

const FILE = String.raw`# a comment
; another
PORT=8081
  HOST = 0.0.0.0${'  '}
SMTP_URL=smtp://user:pa#ss;word@mail.example.org
MAIL_FROM="Incident Feed <a@example.org>"
QUOTED='it is "so" \ $HOME'
ESCAPED="a \"word\" and \$5 \x"
JOINED="one "'two 'three
LONG=first \
second
EMPTY=
SPACED="  kept  "
LINES="one
two"
LAST=end`.replaceAll('\\\\', '\\')

const READ = {
  PORT: '8081',
  HOST: '0.0.0.0',
  SMTP_URL: 'smtp://user:pa#ss;word@mail.example.org',
  MAIL_FROM: 'Incident Feed <a@example.org>',
  QUOTED: 'it is "so" \\ $HOME',
  ESCAPED: 'a "word" and $5 \\x',
  JOINED: 'one two three',
  LONG: 'first second',
  EMPTY: '',
  SPACED: '  kept  ',
  LINES: 'one\ntwo',
  LAST: 'end',
}

test('a file of settings is read as systemd reads an EnvironmentFile', () => {
  assert.deepEqual(parseSettings(FILE, 'f'), READ)
  assert.deepEqual(parseSettings('', 'f'), {})
  assert.deepEqual(parseSettings('A=1\r\nB=2\r\n', 'f'), { A: '1', B: '2' })
})

for (const [text, says] of [
  ['PORT 8080', /^SettingError: f, line 1: a setting is written NAME=value/],
  ['A=1\n\n# x\nexport B=2', /^SettingError: f, line 4: /],
  ['A="x\ny"\n=2', /^SettingError: f, line 3: /],
  ['A=1\nB="open', /^SettingError: f, line 2: the quotes of B are not closed$/],
] as const)
  test(`${JSON.stringify(text)} is refused with its line`, () => assert.throws(() => parseSettings(text, 'f'), says))

test('a flag goes before the environment, the environment before the file, the file before the default', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'settings')
  writeFileSync(file, 'PORT=1\nRATE_LIMIT=1\nHOST=file\nMAIL_FROM=file\n')
  const own = { RATE_LIMIT: '2', HOST: 'environment', MAIL_FROM: '' }
  for (const [variables, flag] of [
    [own, file],
    [{ ...own, INCIDENT_FEED_SETTINGS: file }, null],
    [{ ...own, INCIDENT_FEED_SETTINGS: '/nowhere' }, file],
  ] as const) {
    const { environment, fileNames } = readEnvironment(variables, flag, quiet)
    const { PORT, RATE_LIMIT, HOST, MAIL_FROM, SIGNUP } = readConfig(environment, ['--host', 'flag'])
    assert.deepEqual([PORT, RATE_LIMIT, HOST, MAIL_FROM, SIGNUP], [1, 2, 'flag', 'file', 'open'])
    assert.deepEqual(fileNames, ['PORT', 'RATE_LIMIT', 'HOST', 'MAIL_FROM'])
  }
  assert.equal(readConfig(readEnvironment({ INCIDENT_FEED_SETTINGS: 'none' }, null, quiet).environment, []).PORT, 8080)
  assert.throws(() => readEnvironment({ INCIDENT_FEED_SETTINGS: '/nowhere' }, null, quiet), /\/nowhere.*ENOENT.*none/)
})

test('--settings-file is taken out of the words of any command', () => {
  assert.deepEqual(takeSettingsFile(['keys', '--settings-file', 'f', 'list']), { file: 'f', words: ['keys', 'list'] })
  assert.deepEqual(takeSettingsFile(['--settings-file=f', '--port', '1']), { file: 'f', words: ['--port', '1'] })
  assert.deepEqual(takeSettingsFile(['keys', 'list']), { file: null, words: ['keys', 'list'] })
  for (const words of [['--settings-file'], ['--settings-file=']])
    assert.throws(() => takeSettingsFile(words), /--settings-file takes the file/)
})

test('secrets are read from files, of the environment, of the file of settings and of flags', async () => {
  await using folder = await temporaryFolder()
  const place = (name: string, content: string, mode = 0o600) => {
    const path = join(folder.path, name)
    writeFileSync(path, content, { mode })
    chmodSync(path, mode)
    return path
  }
  const key = Buffer.alloc(32, 7).toString('base64')
  const url = place('url', 'postgres://user:word@host/name\n')
  const smtp = place('smtp', 'smtp://mail.example.org\r\n')
  const shared = place('operator', 'inf_live_x', 0o644)
  const settings = place('settings', `SMTP_URL_FILE=${smtp}\nDATABASE_URL=sqlite:other.db\nSECRETS_KEY_FILE=/nowhere\n`)
  writeFileSync(settings, `SMTP_URL_FILE=${smtp}\nDATABASE_URL=sqlite:other.db\n`)
  const warnings: string[] = []
  const own = { DATABASE_URL_FILE: url, OPERATOR_KEY_FILE: shared }
  const { environment } = readEnvironment(own, settings, (message) => warnings.push(message))
  const config = readConfig(environment, ['--secrets-key-file', place('key', `${key}\n`)])
  assert.equal(config.DATABASE_URL, 'postgres://user:word@host/name')
  assert.equal(config.SMTP_URL, 'smtp://mail.example.org')
  assert.equal(config.OPERATOR_KEY, 'inf_live_x')
  assert.deepEqual(config.SECRETS_KEY, [Buffer.alloc(32, 7)])
  assert.equal(warnings.length, 1)
  assert.match(warnings[0]!, /can read \S+operator, the file of OPERATOR_KEY_FILE; run: chmod o-r/)
  for (const [wrong, says] of [
    [{ DATABASE_URL: 'sqlite:x', DATABASE_URL_FILE: url }, /DATABASE_URL and DATABASE_URL_FILE are both set/],
    [{ SECRETS_KEY_FILE: '/nowhere' }, /SECRETS_KEY_FILE: \/nowhere cannot be read \(ENOENT\)/],
    [{ SECRETS_KEY_FILE: place('empty', '\n') }, /SECRETS_KEY_FILE: \S+ is empty/],
    [{ SECRETS_KEY_FILE: place('odd', 'hunter2') }, /^SettingError: SECRETS_KEY takes (?!.*hunter2)/],
  ] as const)
    assert.throws(() => readConfig(wrong, []), says)
})

test('every command reads the file of settings; a misspelled name is told with a suggestion', async () => {
  await using folder = await temporaryFolder()
  const database = join(folder.path, 'feed.db')
  const file = join(folder.path, 'settings')
  writeFileSync(file, `DATABASE_URL=sqlite:${database}\nRATE_LIMT=5\nWHATEVER=1\n`)
  const created = await runCommand(['keys', 'create', '--create', '--settings-file', file])
  assert.equal(created.code, 0, created.output)
  assert.ok(existsSync(database))
  assert.match(
    created.output,
    /^incident-feed: warning: RATE_LIMT is not a setting, so it has no effect. Did you mean RATE_LIMIT\?\nincident-feed: warning: WHATEVER is not/,
  )
  const listed = await runCommand(['keys', 'list'], { INCIDENT_FEED_SETTINGS: file, DATABSE_URL: 'x', OTHER: '1' })
  assert.equal(listed.code, 0, listed.output)
  assert.match(listed.output, /warning: DATABSE_URL is not a setting, so it has no effect. Did you mean DATABASE_URL\?/)
  assert.doesNotMatch(listed.output, /OTHER/)
  assert.match(listed.output, /\tread,?.*\n/)
})

test('a command makes no database by mistake: it says where it looked, and what makes one', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'new/feed.db')
  const DATABASE_URL = `sqlite:${path}`
  const file = join(folder.path, 'rows.csv')
  writeFileSync(file, 'type\n')
  for (const words of [
    ['accounts', 'create', '--email', 'a@example.org', '--name', 'Ada', '--role', 'admin'],
    ['accounts', 'list'],
    ['keys', 'create'],
    ['imports', 'list'],
    ['sources', 'list'],
    ['places', 'import', file],
    ['import', 'csv', file],
    ['boundaries', 'install', file],
    ['secrets', 'replace-lost'],
  ]) {
    const { code, output } = await runCommand(words, { DATABASE_URL })
    assert.equal(code, 78, words.join(' '))
    assert.match(output, /: There is no database at \S+new\/feed\.db; DATABASE_URL or --database-url .*--create\n$/)
    assert.equal(existsSync(join(folder.path, 'new')), false, words.join(' '))
  }
  assert.equal((await runCommand(['keys', 'create', '--create'], { DATABASE_URL })).code, 0)
  assert.equal((await runCommand(['accounts', 'list'], { DATABASE_URL })).code, 0)
})

test('the example for systemd is a file of settings that the service takes', () => {
  const example = join(import.meta.dirname, '../../deploy/systemd/settings')
  const { environment, fileNames } = readEnvironment({}, example, quiet)
  assert.equal(readConfig(environment, []).DATABASE_URL, 'sqlite:/var/lib/incident-feed/incident-feed.db')
  assert.ok(fileNames.includes('PUBLIC_URL'))
  const { stdout, status } = spawnSync('sh', ['-c', `. ${example}; echo $DATABASE_URL`], { encoding: 'utf8' })
  assert.deepEqual([status, stdout.trim()], [0, 'sqlite:/var/lib/incident-feed/incident-feed.db'])
})
