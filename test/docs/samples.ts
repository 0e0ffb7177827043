import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { LookupFunction, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type IssuedKey, openAccount } from '../../src/accounts/keys.ts'
import { explainWatch } from '../../src/api/watches/contract.ts'
import type { SampleLanguage } from '../../src/lib/code-samples.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { geographyFiles } from '../support/boundaries.ts'
import { addUnplacedStory, aProof, aTip, EASY_PROOF, postTip, proposeSource } from '../support/desk.ts'
import { anIncident, aReport } from '../support/incident.ts'
import { type MailServer, startMailServer } from '../support/mail.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'
import { cookieOf, postSession, SoftwarePasskey, sendByCookie } from '../support/sign-in.ts'

/** A service with enough in it for every sample to succeed. */
export interface SampleService extends AsyncDisposable {
  readonly app: TestApp
  readonly endpoint: TestEndpoint
  /** Makes what a sample needs to find, and returns its variables by name. */
  variablesFor(endpointId: string, names: readonly string[]): Promise<Record<string, string>>
}

export async function startSampleService(settings: Record<string, string> = {}): Promise<SampleService> {
  const mail: MailServer = await startMailServer()
  const endpoint = await startEndpoint()
  const folder = await mkdtemp(join(tmpdir(), 'sample-service-'))
  const app = await startTestApp(
    {
      ...(await geographyFiles(folder)),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: mail.url,
      SIGNUPS_PER_HOUR: '1000',
      ...EASY_PROOF,
      ...settings,
    },
    { lookup: toLoopback },
  )
  const may = { published_at: '2026-05-02T06:00:00Z' }
  await app.publish([anIncident(1, may), anIncident(2, recently()), anIncident(3, recently())])
  return {
    app,
    endpoint,
    variablesFor: (id, names) => variablesFor({ app, endpoint }, id, names),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await endpoint[Symbol.asyncDispose]()
      await mail[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

/** Times of an incident that was published an hour ago. */
export function recently(): { occurred_at: string; published_at: string; updated_at: string } {
  const time = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z`
  return { occurred_at: time, published_at: time, updated_at: time }
}

/** The hosts of the samples exist wherever the tests run. */
const toLoopback: LookupFunction = (_host, options, callback) => {
  const found = { address: '127.0.0.1', family: 4 }
  if (options.all) callback(null, [found])
  else callback(null, found.address, found.family)
}

type Parts = Pick<SampleService, 'app' | 'endpoint'>
const PUBLIC = new Set(['readIncident', 'listCorrections', 'readAlert'])

async function variablesFor(
  { app, endpoint }: Parts,
  id: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  // An account is deleted only by its address, and only without a role.
  const own: IssuedKey =
    id === 'deleteMe'
      ? await openAccount(app.store, { email: 'you@example.org', name: null }, {}, Date.now())
      : await app.issue({ scopes: ['read', 'watch', 'operate'] })
  const send = async (path: string, body: unknown = '') => {
    const response = await app.post(path, body, own.text)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const summary = 'Gunmen abducted Amina Bello and ten others on the road out of Gusau.'
  const reported = async () => (await send('/v1/reports', aReport({ summary }))).id
  const decided = async (move: string, body: unknown = '') => {
    const incident = await reported()
    await send(`/v1/desk/incidents/${incident}/${move}`, body)
    return incident
  }
  /** An incident in the state that the endpoint needs. */
  const incidents: Readonly<Record<string, () => Promise<string>>> = {
    retractIncident: () => decided('confirm'),
    reopenIncident: () => decided('reject'),
    undoStep: () => decided('reject'),
    releaseIncident: () => decided('claim'),
    unmergeIncident: async () => decided('merge', { into: await reported() }),
    restoreIncident: async () => {
      const incident = await decided('confirm')
      await send(`/v1/desk/incidents/${incident}/retract`)
      return incident
    },
    listTips: async () => {
      await postTip(app.url, { ...aTip({ contact: 'Amina' }), proof: await aProof(app.url) })
      const response = await app.get('/v1/desk/incidents?origin=tip', own.text)
      return ((await response.json()) as { data: { id: string }[] }).data[0]!.id
    },
  }
  const watched = async () => (await send('/v1/watches', { name: randomUUID(), url: endpoint.url, filter: {} })).id
  const known: Record<string, string> = {
    KEY: own.text,
    VERSION: '1',
    LAST_EVENT_ID: '0',
    IDEMPOTENCY_KEY: randomUUID(),
  }
  const make: Readonly<Record<string, () => Promise<string>>> = {
    INCIDENT_ID: () => (PUBLIC.has(id) ? Promise.resolve(anIncident(1).id) : (incidents[id] ?? reported)()),
    OTHER_INCIDENT_ID: reported,
    OTHER_ID: async () => {
      const other = await reported()
      if (id === 'offerDuplicate') await send(`/v1/desk/incidents/${known.INCIDENT_ID}/duplicates/${other}/dismiss`)
      return other
    },
    REPORT_ID: reported,
    PROPOSAL_ID: () => proposeSource(app.store, known.INCIDENT_ID!),
    UNPLACED_STORY_ID: () => addUnplacedStory(app.store),
    AREA_ID: async () =>
      (await send('/v1/areas', { name: randomUUID(), circle: { lat: 10.5, lng: 7.4, radius_km: 25 } })).id,
    SITE_ID: async () =>
      (
        await send('/v1/sites', {
          name: randomUUID(),
          sites: [{ name: 'Depot', latitude: 10.5, longitude: 7.4, radius_km: 25 }],
        })
      ).id,
    WATCH_ID: watched,
    DELIVERY_ID: async () => {
      const watch = await watched()
      await decided('confirm')
      await until(() => endpoint.messages.some(({ json }) => json.watch_id === watch), 'the delivery')
      return endpoint.messages.find(({ json }) => json.watch_id === watch)!.json.id
    },
    KEY_ID: async () => (await send('/v1/keys', { name: 'another' })).id,
    PUBLISHABLE_KEY: async () => ((await send('/v1/keys', { kind: 'publishable' })) as unknown as { key: string }).key,
    ACCOUNT_ID: async () => (await app.issue()).key.accountId,
    SOURCE_ID: async () =>
      (await send('/v1/admin/sources', { url: `${endpoint.url}/${randomUUID()}`, publisher: 'Herald', paused: true }))
        .id,
    PLACE_ID: async () => (await send('/v1/admin/places', { name: 'Gonin Gora', lat: 10.41, lng: 7.41 })).id,
    PASSKEY_ID: () => addPasskey(app.url, own.text),
    STEP_ID: async () => {
      const response = await app.get(`/v1/desk/incidents/${known.INCIDENT_ID}`, own.text)
      return ((await response.json()) as { desk: { undo: { step: string } } }).desk.undo.step
    },
  }
  if (id === 'explainWatch') {
    const named = explainWatch.query.incident.example
    await app.publish([anIncident(4, { ...recently(), id: named })])
  }
  if (id === 'removePublisher') await send('/v1/desk/publishers', { name: 'Zamfara Herald', class: 'local' })
  // Others depend on the incident.
  for (const name of names.toSorted((one) => (one === 'INCIDENT_ID' ? -1 : 0))) {
    if (known[name] !== undefined) continue
    if (make[name] === undefined)
      throw new Error(`test/docs/samples.ts has nothing for $${name}: add it to variablesFor`)
    known[name] = await make[name]()
  }
  return known
}

async function addPasskey(url: string, key: string): Promise<string> {
  const cookie = cookieOf(await postSession(url, { key }))!
  const options = await sendByCookie(url, cookie, 'POST', '/v1/passkeys/options', { for: 'registration' })
  const { challenge } = (await options.json()) as { challenge: string }
  const credential = new SoftwarePasskey(url).register(challenge)
  const added = await sendByCookie(url, cookie, 'POST', '/v1/passkeys', { credential })
  return ((await added.json()) as { id: string }).id
}

/** One sample as a page shows it, in each language that it has. */
export interface RenderedSample {
  /** The anchor of the sample: `listIncidents-sample` in the reference, `sample-3` in a guide. */
  readonly anchor: string
  readonly texts: Readonly<Partial<Record<SampleLanguage, string>>>
}

const GROUP =
  /<div class="sample" id="([^"]+)"[^>]*>.*?<\/div>((?:<pre class="code \w+" tabindex="0"><code>[^<]*<\/code><\/pre>)+)/gs
const CODE = /<pre class="code (\w+)" tabindex="0"><code>([^<]*)<\/code>/g
const PLAIN = /<pre class="plain (\w*)" tabindex="0"><code>([^<]*)<\/code>/g

export function samplesOn(page: string): readonly RenderedSample[] {
  return [...page.matchAll(GROUP)].map(([, anchor, codes]) => ({
    anchor: anchor!,
    texts: Object.fromEntries([...codes!.matchAll(CODE)].map(([, language, text]) => [language!, unescapeHtml(text!)])),
  }))
}

/** Blocks of code in one language only, with what the fence calls it. */
export function plainBlocksOn(page: string): readonly { readonly language: string; readonly text: string }[] {
  return [...page.matchAll(PLAIN)].map(([, language, text]) => ({ language: language!, text: unescapeHtml(text!) }))
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

const run = promisify(execFile)

/**
 * The program that runs a language, how it shows its version, and the file that the sample is in.
 */
const PROGRAMS: Readonly<Record<SampleLanguage, { program: string; version: string; file: string; before: string[] }>> =
  {
    curl: { program: 'sh', version: '-c', file: 'sample.sh', before: [] },
    javascript: { program: process.execPath, version: '--version', file: 'sample.mjs', before: [] },
    python: { program: 'python3', version: '--version', file: 'sample.py', before: [] },
    php: { program: 'php', version: '--version', file: 'sample.php', before: [] },
    go: { program: 'go', version: 'version', file: 'sample.go', before: ['run'] },
  }

/** Why the samples of a language cannot run here, or false. */
export function missing(language: SampleLanguage): string | false {
  const { program, version } = PROGRAMS[language]
  try {
    if (language === 'curl') execFileSync('curl', ['--version'], { stdio: 'ignore' })
    else execFileSync(program, [version], { stdio: 'ignore' })
    return false
  } catch {
    return `${language === 'curl' ? 'curl' : program} is not installed here: its samples are not run`
  }
}

/** A folder with the sample, and the command that runs it as it is printed. */
export interface PreparedSample extends AsyncDisposable {
  readonly folder: string
  readonly program: string
  readonly options: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

export async function prepareSample(
  language: SampleLanguage,
  text: string,
  variables: Readonly<Record<string, string>>,
): Promise<PreparedSample> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'))
  const { program, file, before } = PROGRAMS[language]
  await writeFile(join(folder, file), text)
  // Read by curl itself: the sample stays as it is printed, and the status is seen.
  await writeFile(join(folder, '.curlrc'), 'silent\nwrite-out = "\\n%{http_code}\\n"\n')
  return {
    folder,
    program,
    options: [...before, file],
    environment: { ...process.env, CURL_HOME: folder, ...variables },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Runs a sample to its end; throws if it fails. */
export async function runSample(
  language: SampleLanguage,
  text: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly output: string }> {
  await using prepared = await prepareSample(language, text, variables)
  const stdout = await outputOf(language, prepared)
  const shown = language === 'curl' ? /\n(\d{3})\n$/.exec(stdout) : /^(?:HTTP\/1\.1 )?(\d{3})\b/.exec(stdout)
  return { status: Number(shown?.[1] ?? 0), output: language === 'curl' ? stdout.replace(/\n\d{3}\n$/, '') : stdout }
}

/** Starting Node or Python takes ten times as long as what a sample does. */
async function outputOf(language: SampleLanguage, prepared: PreparedSample): Promise<string> {
  const { folder, program, options, environment: env } = prepared
  if (language === 'javascript') return runInThread(join(folder, options[0]!), env)
  if (language === 'python') return runInFork(prepared)
  return (await run(program, [...options], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout
}

/** Runs a program of Node in a thread of its own. */
async function runInThread(file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const thread = new Worker(file, { env, execArgv: [], stdout: true, stderr: true })
  const failed = Promise.withResolvers<never>()
  thread.once('error', failed.reject)
  const ended = once(thread, 'exit') as Promise<[number]>
  const [output, errors, [code]] = await Promise.race([
    Promise.all([textOf(thread.stdout), textOf(thread.stderr), ended]),
    failed.promise,
  ])
  if (code !== 0) throw new Error(`Command failed with ${code}: ${output}${errors}`)
  return output
}

/** A Python that has loaded what samples import, and runs each in a copy of itself. */
const FORKING_PYTHON = `
import base64, hashlib, hmac, json, os, runpy, sys, time, traceback, urllib.parse, urllib.request
for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.dup2(os.open(job["output"], os.O_WRONLY | os.O_CREAT), 1)
            os.dup2(1, 2)
            os.chdir(job["folder"])
            os.environ.clear()
            os.environ.update(job["environment"])
            runpy.run_path(job["file"], run_name="__main__")
            code = 0
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code if isinstance(code, int) else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
`

let python: ReturnType<typeof startPython> | null = null

async function runInFork({ folder, program, options, environment }: PreparedSample): Promise<string> {
  python ??= startPython(program)
  const output = join(folder, 'output')
  python.stdin.write(`${JSON.stringify({ folder, file: options[0], environment, output })}\n`)
  // A line: what is read at once may be a part of an answer.
  const { value: code = 'no answer' } = await python.answers.next()
  const text = await readFile(output, 'utf8')
  if (code !== '0') throw new Error(`Command failed with ${code}: ${text}`)
  return text
}

/** It ends with this process, which it does not keep from ending. */
function startPython(program: string) {
  const child = spawn(program, ['-c', FORKING_PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.unref()
  for (const pipe of [child.stdin, child.stdout] as unknown as Socket[]) pipe.unref()
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { stdin: child.stdin, answers }
}

/** Runs a sample that does not end until its output has the text, then ends it. */
export async function runUntil(
  language: SampleLanguage,
  text: string,
  variables: Readonly<Record<string, string>>,
  wanted: RegExp,
): Promise<string> {
  await using prepared = await prepareSample(language, text, variables)
  const { folder, program, options, environment } = prepared
  const child = spawn(program, [...options], { cwd: folder, env: environment, detached: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      let output = ''
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString()
      })
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (wanted.test(output)) resolve(output)
      })
      child.on('close', (code) => reject(new Error(`the sample ended with ${code}: ${output}${errors}`)))
    })
  } finally {
    // The whole group: `sh` and `go run` start the program that holds the connection.
    process.kill(-child.pid!, 'SIGKILL')
  }
}
