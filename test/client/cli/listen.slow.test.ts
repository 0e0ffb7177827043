import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startTestApp, type TestApp, until } from '../../support/app.ts'
import { type ClientCommand, runClient, startClient, startOnTerminal } from '../../support/commands.ts'
import { anIncident, incidentId } from '../../support/incident.ts'
import { freePort, type Message, startEndpoint, type TestEndpoint } from '../../support/receivers.ts'

let app: TestApp
let laptop: TestEndpoint
let home: string
let env: Record<string, string>
let number = 0
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'incidents-listen-'))
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  laptop = await startEndpoint()
})
beforeEach(async () => {
  laptop.messages.length = 0
  laptop.answer = (response) => void response.writeHead(204).end()
  env = { INCIDENT_FEED_KEY: (await app.issue()).text, INCIDENT_FEED_URL: app.url }
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await laptop[Symbol.asyncDispose]()
  await rm(home, { recursive: true })
})

type Line = Record<string, unknown> & { event: string }

const linesOf = (command: ClientCommand): Line[] =>
  command
    .stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)

async function listen(...words: string[]) {
  const command = startClient(['listen', ...words], { home, env, input: null })
  await Promise.race([until(() => command.stdout().includes('"listening"'), 'listening'), command.ended])
  return command
}

async function createWatch(url: string, events = ['incident.created']) {
  const created = await app.post('/v1/watches', { name: 'Mine', url, filter: {}, events }, env.INCIDENT_FEED_KEY)
  return (await created.json()) as { id: string; secret: string }
}

async function deliveryOf(watchId: string): Promise<string | undefined> {
  const listed = await app.get(`/v1/watches/${watchId}/deliveries`, env.INCIDENT_FEED_KEY)
  return ((await listed.json()) as { data: { status: string }[] }).data[0]?.status
}

const verify = ({ body, headers }: Message, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { event: string; incident: { id: string } }

const publish = async (changes = {}) => {
  const incident = anIncident(++number, changes)
  await app.publish([incident])
  return incident
}

test('messages of a filter reach the endpoint with a signature that standardwebhooks accepts', async () => {
  await using command = await listen('--state', 'kaduna', '--forward-to', laptop.url)
  const [listening] = linesOf(command)
  const elsewhere = { ...anIncident().location, state_code: 'NG-LA', lga_code: null, lga_basis: null }
  await publish({ state: 'Lagos', lga: null, location: elsewhere })
  const incident = await publish()
  await until(() => laptop.messages.length === 1, 'the message')
  assert.equal(verify(laptop.messages[0]!, listening!.secret as string).incident.id, incident.id)
  await until(() => linesOf(command).length === 2, 'the report')
  const { event, kind, incident_id, status, attempt, error, url } = linesOf(command)[1]!
  assert.deepEqual(
    [event, kind, incident_id, status, attempt, error, url],
    ['forwarded', 'incident.created', incident.id, 204, 1, null, laptop.url],
  )
  command.interrupt()
  assert.equal(await command.ended, 130)
  assert.equal(laptop.messages.length, 1)
})

test('headers of the user are sent besides those of the message, which has none of the watch', async () => {
  await using server = await startEndpoint()
  const { id, secret } = await createWatch(server.url)
  const headers = { 'X-Token': 's3cret' }
  await app.patch(`/v1/watches/${id}`, { headers }, env.INCIDENT_FEED_KEY!, null)
  const own = ['--header', 'X-Team: roads, rails', '--header', 'X-Local:yes']
  await using command = await listen('--watch', id, '--forward-to', laptop.url, ...own)
  await publish()
  await until(() => laptop.messages.length === 1 && server.messages.length === 1, 'both')
  const [{ headers: arrived }] = laptop.messages as [Message]
  assert.deepEqual([arrived['x-team'], arrived['x-local'], arrived['x-token']], ['roads, rails', 'yes', undefined])
  assert.equal(server.messages[0]!.headers['x-token'], 's3cret')
  verify(laptop.messages[0]!, secret)
  assert.equal(command.stdout().includes('s3cret'), false)
})

test('what a watch sends, its tests and what is sent again reach the listener, and its own endpoint too', async () => {
  await using server = await startEndpoint()
  const { id, secret } = await createWatch(server.url)
  await using command = await listen('--watch', id, '--forward-to', laptop.url)
  assert.equal(linesOf(command)[0]!.secret, null)
  const incident = await publish()
  await until(() => laptop.messages.length === 1 && server.messages.length === 1, 'both')
  assert.equal(verify(laptop.messages[0]!, secret).incident.id, incident.id)
  assert.equal(laptop.messages[0]!.body, server.messages[0]!.body)
  assert.equal((await runClient(['trigger', 'incident.created'], { home, env })).code, 0)
  await until(() => laptop.messages.length === 2, 'the test')
  verify(laptop.messages[1]!, secret)
  assert.equal(laptop.messages[1]!.json.test, true)
  const sent = laptop.messages[0]!.json.id
  assert.equal((await runClient(['watch', 'resend', sent], { home, env })).code, 0)
  await until(() => laptop.messages.length === 3, 'the resent one')
  verify(laptop.messages[2]!, secret)
  assert.equal(laptop.messages[2]!.json.id, sent)
  await until(() => linesOf(command).length === 4, 'the reports')
  assert.deepEqual(
    linesOf(command)
      .slice(1)
      .map(({ test: isTest, resent }) => [isTest, resent]),
    [
      [false, false],
      [true, false],
      [false, true],
    ],
  )
  await app.delete(`/v1/watches/${id}`, env.INCIDENT_FEED_KEY!)
  // The service notices at the next event.
  await publish()
  assert.equal(await command.ended, 1)
  assert.match(command.stderr(), /The watch was deleted/)
})

test('each event goes to its own endpoint, and one without is only shown', async () => {
  await using corrected = await startEndpoint()
  await using command = await listen(
    '--event',
    'incident.created,incident.updated,incident.retracted',
    '--forward',
    `incident.created=${laptop.url}`,
    '--forward',
    `incident.updated=${corrected.url}`,
  )
  const incident = await publish()
  await until(() => linesOf(command).length === 2, 'the first message')
  await app.publish([{ ...incident, version: 2, summary: 'Corrected.' }], 'incident.updated')
  await until(() => linesOf(command).length === 3, 'the correction')
  await app.publish([{ ...incident, version: 3, status: 'retracted' }], 'incident.retracted')
  await until(() => linesOf(command).length === 4, 'the retraction')
  assert.deepEqual(
    [laptop.messages, corrected.messages].map((all) => all.map(({ json }) => json.event)),
    [['incident.created'], ['incident.updated']],
  )
  const shown = linesOf(command).find(({ event }) => event === 'message')!
  assert.equal(shown.kind, 'incident.retracted')
  assert.equal((JSON.parse(shown.body as string) as Message['json']).incident.id, incident.id)
})

test('while the endpoint is down or answers an error, a message is sent again', async () => {
  const port = await freePort()
  await using command = await listen('--forward-to', `localhost:${port}/hook`)
  const incident = await publish()
  await until(() => linesOf(command).some(({ event }) => event === 'failed'), 'the failure')
  const [, failed] = linesOf(command)
  assert.deepEqual([failed!.status, failed!.retry_in_seconds], [null, 1])
  assert.match(failed!.error as string, /connection refused/)
  const answers = [500, 302, 204]
  const server = createHttpServer((request, response) => {
    request.resume()
    response.writeHead(answers.shift()!, { location: '/elsewhere' }).end()
  }).listen(port)
  await until(() => linesOf(command).some(({ event }) => event === 'forwarded'), 'the message')
  server.close()
  const last = linesOf(command).at(-1)!
  assert.deepEqual([last.event, last.incident_id, last.status], ['forwarded', incident.id, 204])
  assert((last.attempt as number) >= 4)
})

test('a lost connection is said and made again, and what came meanwhile is not missed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'incidents-restart-'))
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'feed.db')}`, PORT: String(await freePort()) }
  const first = await startTestApp(settings)
  const { text } = await first.issue()
  env = { INCIDENT_FEED_KEY: text, INCIDENT_FEED_URL: first.url }
  await using command = await listen('--forward-to', laptop.url)
  await first.publish([anIncident(9001)])
  await until(() => laptop.messages.length === 1, 'the first message')
  await first[Symbol.asyncDispose]()
  await until(() => /trying again in \d+ s/.test(command.stderr()), 'the notice')
  await using second = await startTestApp(settings)
  await second.publish([anIncident(9002), anIncident(9003)])
  await until(() => laptop.messages.length >= 3, 'what came meanwhile')
  assert.match(command.stderr(), /Connected again/)
  assert.deepEqual(laptop.messages.map(({ json }) => json.incident.id).sort(), [9001, 9002, 9003].map(incidentId))
  const [listening] = linesOf(command)
  for (const message of laptop.messages) verify(message, listening!.secret as string)
  assert.equal(linesOf(command).filter(({ event }) => event === 'listening').length, 1)
  await rm(folder, { recursive: true })
})

test('on a terminal, r sends the newest message again, o opens its incident and q quits', async () => {
  const opened = join(home, 'opened')
  const browser = join(home, 'browser.sh')
  await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o755 })
  await using command = startOnTerminal(['listen', '--forward-to', laptop.url], {
    home,
    env: { ...env, BROWSER: browser },
  })
  await until(() => command.stdout().includes('q quit'), 'the introduction')
  const [secret] = /whsec_\S+/.exec(command.stdout())!
  const incident = await publish()
  await until(() => /incident\.created {2}inc_\d+ {2}204 in \d+ ms/.test(command.stdout()), 'the report')
  command.child.stdin!.write('r')
  await until(() => laptop.messages.length === 2, 'the second time')
  for (const message of laptop.messages) assert.equal(verify(message, secret).incident.id, incident.id)
  command.child.stdin!.write('o')
  await until(async () => (await readFile(opened, 'utf8').catch(() => '')) === `${app.url}/incidents/${incident.id}\n`)
  command.child.stdin!.write('q')
  assert.equal(await command.ended, 0)
})

test('on a terminal, r asks the service to send the message of a watch again, signed anew', async () => {
  const { id, secret } = await createWatch(laptop.url)
  await using command = startOnTerminal(['listen', '--watch', id, '--forward-to', laptop.url], { home, env })
  await until(() => command.stdout().includes('q quit'), 'the introduction')
  await publish()
  await until(
    () => laptop.messages.length === 2 && command.stdout().includes('204 in'),
    'to the endpoint and forwarded',
  )
  // While an attempt is not recorded yet, asking for the delivery again asks for that attempt.
  await until(async () => (await deliveryOf(id)) === 'delivered', 'the record')
  command.child.stdin!.write('r')
  await until(() => laptop.messages.length === 4 && command.stdout().includes('(resent)'), 'both again')
  for (const message of laptop.messages) verify(message, secret)
  command.child.stdin!.write('\u0003')
  assert.equal(await command.ended, 130)
})

const WRONG: [string[], number, RegExp][] = [
  [['--watch', 'wat_00000000000000000000000000'], 4, /^error: /],
  [['--watch', 'wat_1', '--state', 'Kaduna'], 2, /A watch has its own filter and events: leave out --state/],
  [['--area', 'are_01jd8z0c5xk3m9q2v7w4t6r8y0'], 4, /Your account has no such area/],
  [['--state', 'Kadunna'], 2, /did you mean Kaduna\?/],
  [['--forward-to', 'ftp://localhost'], 2, /is no address; write it as localhost:3000\/hook/],
  [['--forward', 'localhost:3000'], 2, /--forward takes event=URL/],
  [['--forward', 'incident.create=localhost:3000'], 2, /did you mean incident\.created\?/],
  [['--header', 'X-Team'], 2, /--header takes name:value/],
  [['--header', 'Webhook-Id: x'], 2, /--header cannot set Webhook-Id/],
  [['--header', 'X Team: x'], 2, /is no header that can be sent/],
  [['--event', 'incident.made'], 2, /--event incident\.made is unknown/],
]

for (const [words, expected, message] of WRONG) {
  test(`incidents listen ${words.join(' ')}: exit ${expected}, with what would be right`, async () => {
    const { code, stdout, stderr } = await runClient(['listen', ...words], { home, env })
    assert.match(stderr, message)
    assert.deepEqual([code, stdout], [expected, ''])
  })
}
