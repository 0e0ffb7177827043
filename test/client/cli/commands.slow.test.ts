import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { COMMANDS } from '../../../client/cli/commands.ts'
import { completionScript, SHELLS } from '../../../client/cli/completion/completion.ts'
import { explainError } from '../../../client/cli/explain-error.ts'
import { helpOf, overview } from '../../../client/cli/help.ts'
import { incidentTable } from '../../../client/cli/output/incident-text.ts'
import { table } from '../../../client/cli/output/table.ts'
import { type Incident, PositionLostError } from '../../../client/src/index.ts'
import { FILTER_PARAMETER_NAMES } from '../../../src/filter/parameters.ts'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { runClient, startClientProcess, startOnTerminal } from '../../support/commands.ts'
import { anIncident, incidentId } from '../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'

const COUNT = 60
const EVIL = 'Gunmen \u001b[2J\u001b]0;owned\u0007 "quoted",\nsecond line \u202eẹ̀kọ́'
let app: TestApp
let endpoint: TestEndpoint
let home: string
let env: Record<string, string>
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'incidents-'))
  endpoint = await startEndpoint()
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  await app.publish(Array.from({ length: COUNT }, (_, index) => anIncident(index + 1)))
  await app.publish([anIncident(COUNT + 1, { state: 'Lagos', lga: null, summary: EVIL, location: LAGOS })])
  env = { INCIDENT_FEED_KEY: (await app.issue()).text, INCIDENT_FEED_URL: app.url }
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
  await rm(home, { recursive: true })
})

const LAGOS = { ...anIncident().location, state_code: 'NG-LA', lga_code: null, lga_basis: null }
const incidents = (...words: string[]) => runClient(words, { home, env })
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Incident)

test('in a pipe, a list is one JSON object a line, and the note that there are more is no result', async () => {
  const { code, stdout, stderr } = await incidents('list', '--state', 'kaduna')
  assert.equal(code, 0)
  const listed = lines(stdout)
  assert.equal(listed.length, 50)
  assert.deepEqual(listed[0], await (await app.get(`/v1/incidents/${incidentId(COUNT)}`)).json())
  assert.match(stderr, /There are more: --limit N or --all/)
})

test('--limit and --all count over pages, --order and filters reach the service', async () => {
  const all = await incidents('list', '--all', '--format', 'json')
  assert.deepEqual([lines(all.stdout).length, all.stderr], [COUNT + 1, ''])
  const oldest = await incidents(
    'list',
    '--limit',
    '2',
    '--order',
    'oldest',
    '--type',
    'kidnapping',
    '--from',
    '2026-01-01',
  )
  assert.deepEqual(
    lines(oldest.stdout).map(({ id }) => id),
    [incidentId(1), incidentId(2)],
  )
  const lists = await incidents('list', '--state', 'Lagos,kano', '--state', 'zamfara')
  assert.equal(lines(lists.stdout).length, 1)
})

test('CSV is that of the service, GeoJSON one collection', async () => {
  const { stdout } = await incidents('list', '--all', '--format', 'csv')
  const records = parse(stdout, { columns: true }) as Record<string, string>[]
  assert.equal(records.length, COUNT + 1)
  assert.equal(stdout, await (await app.get('/v1/incidents?format=csv&limit=1000')).text())
  const few = await incidents('list', '--limit', '3', '--format', 'csv')
  assert.equal((parse(few.stdout, { columns: true }) as unknown[]).length, 3)
  const { features, type } = JSON.parse((await incidents('list', '--limit', '3', '--format', 'geojson')).stdout) as {
    features: unknown[]
    type: string
  }
  assert.deepEqual([type, features.length], ['FeatureCollection', 3])
})

test('--q finds words, --area a saved area, --fields chooses members in every format', async () => {
  const circle = { lat: 10, lng: 8, radius_km: 1 }
  const saved = await app.post('/v1/areas', { name: 'Empty', circle }, env.INCIDENT_FEED_KEY)
  const { id: area } = (await saved.json()) as { id: string }
  assert.equal((await incidents('list', '--area', area)).stdout, '')
  assert.equal((await incidents('list', '--area', 'are_01jd8z0c5xk3m9q2v7w4t6r8y0')).code, 4)
  const found = lines(
    (await incidents('list', '--q', 'second line', '--fields', 'summary', '--fields', 'state,id')).stdout,
  )
  assert.deepEqual(found, [{ id: incidentId(COUNT + 1), state: 'Lagos', summary: EVIL }])
  const csv = await incidents('list', '--fields', 'severity,lat', '--limit', '2', '--format', 'csv')
  assert.equal(csv.stdout, await (await app.get('/v1/incidents?format=csv&limit=2&fields=severity,lat')).text())
  const { features } = JSON.parse(
    (await incidents('list', '--fields', 'severity', '--limit', '1', '--format', 'geojson')).stdout,
  ) as { features: { properties: object }[] }
  assert.deepEqual(Object.keys(features[0]!.properties), ['id', 'severity'])
  const created = await incidents('watch', 'create', '--name', 'Area', '--url', endpoint.url, '--area', area)
  const watch = JSON.parse(created.stdout) as { id: string; filter: object }
  assert.deepEqual(watch.filter, { area })
  assert.equal((await incidents('watch', 'delete', watch.id, '--yes')).code, 0)
  const later = await incidents('list', '--occurred-from', '2026-01-01T01:01:00Z', '--all')
  assert.deepEqual(lines(later.stdout).map(({ id }) => id), [incidentId(COUNT + 1)]) // biome-ignore format: one check
})

test('on a terminal, chosen members are the columns', async () => {
  const words = ['list', '--limit', '1', '--state', 'lagos', '--fields', 'lga,casualties,summary']
  await using command = startOnTerminal(words, { home, env })
  assert.equal(await command.ended, 0)
  assert.match(command.stdout(), /^ID +LGA {2}CASUALTIES +SUMMARY\r\ninc_\d+ {7}\{"killed":.*\} {2}Gunmen/)
  assert(!command.stdout().includes('\u001b['), JSON.stringify(command.stdout()))
})

test('on a terminal a list is a table, in which no text of others moves the cursor', async () => {
  await using command = startOnTerminal(['list', '--limit', '2'], { home, env })
  assert.equal(await command.ended, 0)
  assert.match(
    command.stdout(),
    /OCCURRED +SEVERITY +TYPE +ID +PLACE +SUMMARY\r\n2026-01-01 01:01 {2}high +kidnapping {2}inc_\d+ {2}Lagos /,
  )
  assert(!command.stdout().includes('\u001b['), JSON.stringify(command.stdout()))
  for (const mark of ['\u0007', '\u202e']) assert(!command.stdout().includes(mark))
})

test('trends compares groups, as lines of JSON or as a table', async () => {
  const { code, stdout } = await incidents('trends', '--group-by', 'state', '--only', 'lagos', '--at', '2026-01-15')
  const [lagos, ...others] = lines(stdout) as unknown as { state: { key: string }; periods: { text: string }[] }[]
  assert.deepEqual([code, lagos!.state.key, others], [0, 'NG-LA', []])
  assert.equal(lagos!.periods[1]!.text, '1 in January 2026; there is too little history to say what is usual.')
  await using command = startOnTerminal(['trends', '--group-by', 'lga', '--at', '2026-01-15'], { home, env })
  assert.equal(await command.ended, 0)
  assert.match(command.stdout(), /GROUP +PERIOD +VERDICT +COMPARED\r\nChikun, Kaduna +2025-12 +– +0 in December 2025;/)
  assert.match(command.stdout(), /LGA unknown +2026-01 +– +1 in January 2026;/)
  const none = await incidents('trends', '--group-by', 'state', '--higher')
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'Nothing is higher than usual.\n'])
  const wrong = await incidents('trends', '--group-by', 'state', '--only', 'kadunna')
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /Kaduna/)
})

test('get shows an incident, and its exit code says if there is none', async () => {
  const { code, stdout } = await incidents('get', incidentId(7))
  assert.deepEqual([code, (JSON.parse(stdout) as Incident).id], [0, incidentId(7)])
  const missing = await incidents('get', incidentId(999))
  assert.deepEqual([missing.code, missing.stdout], [4, ''])
  assert.match(missing.stderr, /^error: There is no incident with this id\.\n$/)
})

const WRONG: [string[], number, RegExp][] = [
  [['list', '--state', 'Kadunna'], 2, /"Kadunna" is not a state of Nigeria\.\n--state: did you mean Kaduna\?/],
  [['list', '--fields', 'sumary'], 2, /--fields sumary is unknown; did you mean summary\?/],
  [['tail', '--q', 'bridge'], 2, /There is no option --q/],
  [['tail', '--area', 'nowhere'], 4, /Your account has no such area/],
  [['list', '--format', 'xml'], 2, /--format xml is unknown; it takes table, json, csv, geojson/],
  [['list', '--format', 'csv', '--state', 'Kadunna'], 2, /did you mean Kaduna\?/],
  [['list', '--sice', '7d'], 2, /There is no option --sice; did you mean --since\?/],
  [['list', '--since'], 2, /--since needs a value: --since TIME/],
  [['list', '--since', '--all'], 2, /--since needs a value/],
  [['list', '--limit', '0'], 2, /--limit takes a whole number from 1/],
  [['list', '--limit', '5', '--all'], 2, /not both/],
  [['list', 'kaduna'], 2, /"kaduna" is not expected here/],
  [['get'], 2, /<id> is missing: incidents get <id>/],
  [['lits'], 2, /There is no command "lits"; did you mean list\?/],
  [['watch', 'crate'], 2, /did you mean watch create\?/],
  [['watch'], 2, /Usage: incidents watch <command>/],
  [[], 2, /Usage: incidents <command>/],
  [['watch', 'create', '--name', 'x'], 2, /needs --name and --url/],
  [['watch', 'delete', 'wat_1'], 2, /add --yes/],
  [['trigger', 'incident.burnt'], 2, /is no event/],
  [['completion', 'tcsh'], 2, /there are bash, zsh, fish/],
]

for (const [words, expected, message] of WRONG) {
  test(`incidents ${words.join(' ')}: exit ${expected}, with what would be right`, async () => {
    const { code, stdout, stderr } = await incidents(...words)
    assert.match(stderr, message)
    assert.deepEqual([code, stdout], [expected, ''])
    assert.doesNotMatch(stderr, /\n\s+at /)
  })
}

test('a wrong key, no key and no service have exit codes and advice', async () => {
  const wrong = await runClient(['list'], { home, env: { ...env, INCIDENT_FEED_KEY: 'inf_live_wrong' } })
  assert.equal(wrong.code, 3)
  assert.match(wrong.stderr, /Run "incidents login", or set INCIDENT_FEED_KEY/)
  const none = await runClient(['list'], { home })
  assert.equal(none.code, 3)
  assert.match(none.stderr, /incidents login --url/)
  const away = await runClient(['get', 'inc_1'], { home, env: { ...env, INCIDENT_FEED_URL: 'http://127.0.0.1:1' } })
  assert.equal(away.code, 1)
  assert.match(away.stderr, /^error: The service cannot be reached/)
})

test('login checks the key, stores it for the user only, and logout forgets it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'incidents-login-'))
  const refused = await runClient(['login', '--url', app.url], { home: folder, input: 'inf_live_wrong\n' })
  assert.equal(refused.code, 3)
  const file = join(folder, '.config/incident-feed/client.json')
  await assert.rejects(stat(file))
  const given = await runClient(['login', '--url', app.url], { home: folder, input: `${env.INCIDENT_FEED_KEY}\n` })
  assert.equal(given.code, 0, given.stderr)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert(!given.stdout.includes(env.INCIDENT_FEED_KEY!))
  assert.equal(lines((await runClient(['list', '--limit', '1'], { home: folder })).stdout).length, 1)
  const elsewhere = await runClient(['list'], { home: folder, env: { INCIDENT_FEED_URL: 'https://evil.example' } })
  assert.equal(elsewhere.code, 3)
  assert.match(elsewhere.stderr, /The stored key belongs to/)
  await writeFile(file, '{')
  assert.equal((await runClient(['list'], { home: folder })).code, 3)
  assert.equal((await runClient(['logout'], { home: folder })).code, 0)
  await assert.rejects(readFile(file))
  await rm(folder, { recursive: true })
})

test('login with an e-mail address signs up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'incidents-signup-'))
  const { code, stderr } = await runClient(['login', '--url', app.url, '--email', 'new@example.org'], { home: folder })
  assert.equal(code, 0, stderr)
  assert.equal((await runClient(['list', '--limit', '1'], { home: folder })).code, 0)
  await rm(folder, { recursive: true })
})

test('login on a terminal does not show the key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'incidents-terminal-'))
  await using command = startOnTerminal(['login', '--url', app.url], { home: folder })
  await until(() => command.stdout().includes('Key (not shown):'))
  command.child.stdin!.write(`${env.INCIDENT_FEED_KEY}\r`)
  assert.equal(await command.ended, 0, command.stdout())
  assert(!command.stdout().includes(env.INCIDENT_FEED_KEY!.slice(9)))
  assert.match(command.stdout(), /Logged in at/)
  await rm(folder, { recursive: true })
})

test('watches are created, listed, paused, resumed, tested and deleted', async () => {
  const created = await incidents('watch', 'create', '--name', 'Roads', '--url', endpoint.url, '--state', 'kaduna')
  assert.equal(created.code, 0, created.stderr)
  const watch = JSON.parse(created.stdout) as { id: string; secret: string; filter: object }
  assert.match(watch.secret, /^whsec_/)
  assert.deepEqual((JSON.parse((await incidents('watch', 'list')).stdout) as { id: string }).id, watch.id)
  assert.match((await incidents('watch', 'pause', watch.id)).stdout, /"status":"paused"/)
  assert.match((await incidents('watch', 'resume', watch.id)).stdout, /"status":"active"/)
  const tested = await incidents('watch', 'test', watch.id)
  assert.equal(tested.code, 0, tested.stderr)
  assert.equal((await incidents('trigger', 'incident.updated')).code, 0)
  assert.equal(endpoint.messages.at(-1)!.json.event, 'incident.updated')
  endpoint.answer = (response) => response.writeHead(500).end()
  const failed = await incidents('trigger', 'incident.created', '--watch', watch.id)
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, /"delivered":false/)
  endpoint.answer = (response) => response.writeHead(204).end()
  const [last] = lines((await incidents('watch', 'deliveries', watch.id)).stdout) as unknown as { id: string }[]
  assert.match(last!.id, /^msg_/)
  assert.equal((await incidents('watch', 'delete', watch.id, '--yes')).code, 0)
  assert.equal((await incidents('watch', 'pause', watch.id)).code, 4)
  assert.match((await incidents('trigger')).stderr, /There is no watch/)
})

test('tail prints changes as they come, says when the connection is lost, and misses nothing', async () => {
  await using command = startClientProcess(['tail', '--state', 'kaduna'], { home, env, input: null })
  await until(() => command.stderr().includes('Connected.'))
  await app.publish([anIncident(1001), anIncident(1002, { state: 'Lagos', location: LAGOS })])
  await until(() => command.stdout().includes(incidentId(1001)))
  assert.deepEqual(
    command
      .stdout()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { incident_id: string }).incident_id),
    [incidentId(1001)],
  )
  command.child.kill('SIGINT')
  assert.equal(await command.ended, 130)
})

test('a loss of what tail has printed is a failure, and is said', () => {
  const problem = { code: 'position_lost', detail: 'Continue from 5.BBBBBBBBBBB.', resume_after: '5.BBBBBBBBBBB' }
  const error = new PositionLostError('GET /v1/stream', new Response(null, { status: 410 }), problem, null)
  assert.deepEqual(explainError(error), { text: problem.detail, code: 1 })
})

test('a reader that has seen enough ends the command without a word', async () => {
  await using command = startClientProcess(['tail'], { home, env, input: null })
  await until(() => command.stderr().includes('Connected.'))
  command.child.stdout!.destroy()
  await app.publish([anIncident(1003)])
  await app.publish([anIncident(1004)])
  assert.equal(await command.ended, 0)
  assert.equal(command.stderr(), 'Connected.\n')
})

test('on a terminal, tail opens the newest incident with o and ends with q', async () => {
  const opened = join(home, 'opened')
  const browser = join(home, 'browser.sh')
  await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o755 })
  await using command = startOnTerminal(['tail'], { home, env: { ...env, BROWSER: browser } })
  await until(() => command.stdout().includes('Connected.'))
  await app.publish([anIncident(1005)])
  await until(() => command.stdout().includes(incidentId(1005)))
  assert.match(command.stdout(), /\d\d:\d\d:\d\d {2}incident\.created {2}inc_\d+ {2}high kidnapping {2}Chikun, Kaduna/)
  command.child.stdin!.write('o')
  await until(async () => (await readFile(opened, 'utf8').catch(() => '')).includes(incidentId(1005)))
  assert.equal(await readFile(opened, 'utf8'), `${app.url}/incidents/${incidentId(1005)}\n`)
  command.child.stdin!.write('q')
  assert.equal(await command.ended, 0)
})

describe('help', () => {
  const run = promisify(execFile)

  test('every command is listed and explains every option', () => {
    const all = overview(COMMANDS)
    for (const command of COMMANDS) {
      assert(all.includes(command.name), command.name)
      const help = helpOf(command)
      assert(help.startsWith(`Usage: incidents ${command.name}`))
      for (const { name, about } of command.options) assert(help.includes(`--${name}`) && help.includes(about), name)
    }
  })

  test('a list takes every filter of the API', () => {
    const options = COMMANDS.find(({ name }) => name === 'list')!.options.map(({ name }) => name.replaceAll('-', '_'))
    // An older name of min_confidence.
    const filters = FILTER_PARAMETER_NAMES.filter((name) => name !== 'confidence')
    assert.deepEqual(filters.filter((name) => !options.includes(name)), []) // biome-ignore format: one check
  })

  test('--help and --version work everywhere and need no key', async () => {
    for (const words of [
      ['--help'],
      ['help'],
      ['watch', '--help'],
      ['watch', 'create', '--help'],
      ['list', '--help'],
    ]) {
      const { code, stdout, stderr } = await runClient(words, { home: tmpdir() })
      assert.deepEqual([code, stderr], [0, ''], words.join(' '))
      assert.match(stdout, /^Usage: incidents/)
    }
    assert.match((await runClient(['--version'], { home: tmpdir() }, startClientProcess)).stdout, /^\d+\.\d+\.\d+\n$/)
  })

  test('bash completes commands, options and values', async () => {
    const script = completionScript('bash', COMMANDS)
    const complete = async (...words: string[]) => {
      const set = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _incidents`
      const { stdout } = await run('bash', ['-c', `${script}\n${set}; echo "\${COMPREPLY[*]}"`])
      return stdout.trim()
    }
    assert.equal(await complete('incidents', 'li'), 'list listen')
    assert.equal(await complete('incidents', 'watch', 'p'), 'pause')
    assert.equal(await complete('incidents', 'list', '--format', ''), 'table json csv geojson')
    assert.equal(await complete('incidents', 'list', '--min-s'), '--min-severity')
    assert.equal(await complete('incidents', 'list', '--fields', 'su'), 'summary')
    for (const command of ['list', 'tail', 'listen', 'watch create'])
      assert.equal(await complete('incidents', ...command.split(' '), '--ar'), '--area')
    assert.equal(await complete('incidents', 'watch', 'create', '--event', 'incident.u'), 'incident.updated')
    assert.equal(await complete('incidents', 'completion', '--h'), '--help')
  })

  for (const shell of SHELLS) {
    test(`the ${shell} script names every command and option`, async (context) => {
      const script = completionScript(shell, COMMANDS)
      for (const { name, options } of COMMANDS) {
        for (const word of name.split(' ')) assert(script.includes(word), word)
        for (const option of options) assert(script.includes(option.name), option.name)
      }
      const parses = await run(shell, ['-n', '-c', script]).catch((error: NodeJS.ErrnoException) => error)
      if (!(parses instanceof Error)) return
      if (parses.code === 'ENOENT') return context.skip(`there is no ${shell} here`)
      throw parses
    })
  }

  test('a table fits the terminal, counts letters with their marks once, and keeps rows in one line', () => {
    const text = table(
      ['A', 'B'],
      [
        ['ẹ̀kọ́', 'x'.repeat(100)],
        ['longer', 'one\ntwo'],
      ],
      30,
    )
    const rows = text.trimEnd().split('\n')
    assert.equal(rows.length, 3)
    assert.equal(rows[1], `ẹ̀kọ́     ${'x'.repeat(21)}…`)
    assert.equal(rows[2], 'longer  one two')
  })

  test('on a terminal of 80 columns rows fit and ids are whole', () => {
    const incident = anIncident(1, { type: 'insurgent_attack', state: 'Zamfara', lga: 'Talata Mafara' }) as Incident
    const row = table(...incidentTable([incident], 80), 80).split('\n')[1]!
    assert(row.includes(incident.id), row)
    assert(row.length <= 80, row)
    assert.equal(incidentTable([], 120)[0].at(-1), 'SUMMARY')
  })
})
