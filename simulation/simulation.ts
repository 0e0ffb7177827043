import { createHash } from 'node:crypto'
import { generateKey } from '../src/domain/keys.ts'
import {
  type Account,
  admissionOf,
  type Change,
  type DeskAnswer,
  factsIn,
  Incident,
  type Key,
  Model,
  type matches,
  type Span,
  Violation,
  type Watch,
} from './model.ts'
import { Network, type Received } from './network.ts'
import { type Answer, type Node, type Request, SharedDatabase, startNode } from './nodes.ts'
import type { StreamClient } from './streams.ts'
import { World } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** A client gives up on an answer after this long, and asks another node. */
const CLIENT_TIMEOUT_MS = 30 * SECOND
const MOST_TRIES = 400
/**
 * A message shows what held at most this long before: what is on its way, and what a node has read
 * within the last second.
 */
export const MESSAGE_LAG_MS = 5 * SECOND
/** All nodes know of a revoked key, a blocked account or a published incident after this long. */
const SETTLED_MS = 4 * SECOND
/** Everything that is owed by healthy nodes to healthy receivers arrives within this time. */
const MOST_WAIT_MS = 150 * SECOND
const NODE_NAMES = ['a', 'b', 'c']
const OPERATOR_KEY = generateKey('live', (size) => new Uint8Array(size).fill(7))

const SETTINGS = {
  OPERATOR_KEY,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  RATE_LIMIT: '1000000',
  SMTP_URL: 'smtp://mail.example.org',
  PUBLIC_URL: 'https://feed.example.org',
  TELEGRAM_BOT_TOKEN: '12345678:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ALERTS_PER_HOUR: '1000000',
}

/** The nodes, the world around them, and the model that they are compared with. */
export class Simulation implements Disposable {
  readonly world: World
  readonly network: Network
  readonly database: SharedDatabase
  readonly model = new Model()
  readonly streams: StreamClient[] = []
  readonly nodes: (Node | null)[]
  /** Reports that were begun, so that each has a number of its own. */
  reported = 0
  invited = 0
  readonly counts = { requests: 0, messages: 0, comparisons: 0, repeated: 0 }
  readonly #write: (line: string) => void
  readonly #start: number
  /** Changes that the log has not shown yet, and those by their number. */
  readonly #bySeq = new Map<number, Change>()
  readonly #owed = new Map<Watch, Set<Change>>()
  #unread: Received[] = []
  #position = 0
  #keys = 0
  #failure: Error | null = null

  constructor(seed: number, start: number, nodes: number, write: (line: string) => void) {
    this.world = new World(seed, start)
    this.#start = start
    this.#write = write
    this.network = new Network(this.world)
    this.database = new SharedDatabase(this.world)
    this.nodes = Array.from({ length: nodes }, () => null)
    this.network.onReceived = (received) => this.#onReceived(received)
  }

  [Symbol.dispose](): void {
    this.world[Symbol.dispose]()
  }

  /** One line of the history, which is the same for the same seed. */
  note(text: string): void {
    const at = this.world.now - this.#start
    const [day, rest] = [Math.floor(at / 86_400_000), at % 86_400_000]
    const clock = new Date(Math.floor(rest)).toISOString().slice(11, 23)
    this.#write(`day ${day} ${clock}  ${text}`)
  }

  /** Lets time pass until the work is done. */
  async until<Result>(work: Promise<Result>, mostMs = 30 * MINUTE): Promise<Result> {
    let isDone = false
    const ended = work.finally(() => {
      isDone = true
    })
    ended.catch(() => {})
    const latest = this.world.now + mostMs
    while (!isDone && this.world.now < latest) await this.world.runUntil(this.world.now + 50)
    if (!isDone) throw new Violation(`nothing has come of it after ${mostMs / SECOND} s`)
    return ended
  }

  async pass(ms: number): Promise<void> {
    await this.world.runUntil(this.world.now + ms)
    if (this.#failure !== null) throw this.#failure
  }

  /** Work of the background: its failure ends the simulation. */
  inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.fail(error))
  }

  fail(error: unknown): void {
    this.#failure ??= error as Error
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.world.after(ms, resolve))
  }

  async startNode(index: number): Promise<void> {
    const node = await startNode(NODE_NAMES[index] ?? `n${index}`, this.world, this.database, this.network, SETTINGS)
    this.nodes[index] = node
    await node.whenReady()
  }

  get readyNodes(): Node[] {
    return this.nodes.filter((node) => node?.isReady === true) as Node[]
  }

  /** Asks once; null if there was no answer. */
  async askOnce(node: Node, request: Request): Promise<Answer | null> {
    this.counts.requests++
    const late = Promise.withResolvers<null>()
    const timer = this.world.after(CLIENT_TIMEOUT_MS, () => late.resolve(null))
    const answer = await Promise.race([node.request(request), late.promise])
    timer.isCancelled = true
    if (answer !== null && answer.status >= 500 && answer.status !== 503)
      throw new Violation(
        `${request.method} ${request.path} was answered ${answer.status}: ${answer.text.slice(0, 300)}`,
      )
    return answer
  }

  /** Asks until there is an answer: any node, with the same idempotency key. */
  async ask(
    request: Request,
    key: string | null = OPERATOR_KEY,
  ): Promise<{ readonly answer: Answer; readonly span: Span; tries: number }> {
    const idempotency = request.method === 'POST' ? { 'idempotency-key': `k${++this.#keys}` } : {}
    const headers = { ...idempotency, ...request.headers }
    const asked = this.world.now
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const nodes = this.readyNodes
      const node = nodes[Math.floor(this.world.random() * nodes.length)]
      const answer =
        node === undefined ? null : await this.askOnce(node, { ...request, key: key ?? undefined, headers })
      if (answer !== null && !isTemporary(answer)) return { answer, span: { asked, answered: this.world.now }, tries }
      await this.sleep(SECOND + this.world.random() * 2 * SECOND)
    }
    throw new Violation(`${request.method} ${request.path}: no answer after ${MOST_TRIES} tries`)
  }

  /** As `ask`, for what must succeed. */
  async demand<Body>(status: number, request: Request, key?: string | null): Promise<{ body: Body; span: Span }> {
    const { answer, span } = await this.ask(request, key)
    if (answer.status !== status)
      throw new Violation(
        `${request.method} ${request.path} must be answered ${status}, not ${answer.status}: ${answer.text.slice(0, 300)}`,
      )
    return { body: (answer.text === '' ? null : JSON.parse(answer.text)) as Body, span }
  }

  #onReceived(received: Received): void {
    this.counts.messages++
    this.#unread.push(received)
    const { address, id, text, isTaken } = received
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
    this.note(`  ${address} ${isTaken ? 'takes' : 'does not take'} ${id ?? 'a message'} ${digest}`)
  }

  /** Nothing is sent that was not true a moment ago, and nothing that was taken out. */
  #checkTruth({ at, address, text, secrets }: Received): void {
    for (const id of incidentIdsIn(text)) {
      const incident = this.model.find(id)
      if (incident === undefined) continue
      for (const { word, answered } of incident.redacted)
        if (answered < at - MESSAGE_LAG_MS && text.includes(word))
          throw new Violation(`${address} was sent the word "${word}", which was taken out of ${id}`)
    }
    const [watch] = this.model.watchesAt(address)
    if (watch?.channel !== 'webhook' || !text.startsWith('{')) return
    if (!watch.secrets.some((secret) => secrets.includes(secret)))
      throw new Violation(`${watch.name} cannot verify a message: its secret is not among those that signed it`)
    const { event, incident: shown, test } = JSON.parse(text) as WebhookBody
    const incident = this.model.find(shown.id)
    if (test === true || incident === undefined) return
    const isSame =
      event === 'incident.retracted'
        ? ({ isPublic }: { isPublic: boolean }) => !isPublic
        : ({ facts, isPublic }: (typeof incident.versions)[number]) =>
            isPublic && facts.summary === shown.summary && facts.killed === (shown.casualties?.killed ?? null)
    if (!incident.mayHaveBeen(isSame, at, MESSAGE_LAG_MS))
      throw new Violation(
        `${watch.name} was sent ${event} of incident ${incident.number} while it was not true: ${JSON.stringify(shown).slice(0, 400)}`,
      )
  }

  /** Waits until everything has arrived that is owed, then compares everything with the model. */
  async compare(): Promise<void> {
    this.counts.comparisons++
    await this.pass(SETTLED_MS)
    await this.until(this.#readLog())
    this.#readMessages()
    const latest = this.world.now + MOST_WAIT_MS
    for (let late = this.#late(); late !== null; late = this.#late()) {
      if (this.world.now > latest) throw new Violation(late)
      await this.pass(2 * SECOND)
      this.#readMessages()
    }
    for (const client of this.streams) client.check(this.model.log)
  }

  /** The log has exactly the changes that people were told of, each incident's in order. */
  async #readLog(): Promise<void> {
    for (;;) {
      const { body } = await this.demand<ChangesPage>(200, {
        method: 'GET',
        path: `/v1/changes?after=${this.#position}&limit=1000`,
      })
      for (const entry of body.data) this.#addLogged(entry)
      if (body.data.length < 1000) break
    }
    const [left] = this.model.imports.values()
    if (left !== undefined && left.span.answered < this.world.now)
      throw new Violation(`${left.facts.summary} was imported, and is not in the log`)
    for (const incident of this.model.incidents) {
      const missing = incident.changes.find(({ seq }) => seq === null)
      if (missing !== undefined && !incident.isBusy)
        throw new Violation(`${missing.kind} of incident ${incident.number} was answered, and is not in the log`)
    }
  }

  #addLogged({ seq, event, incident_id, incident: shown }: ChangesPage['data'][number]): void {
    if (event === 'incident.imported') this.#addImported(incident_id, shown)
    const incident = this.model.find(incident_id)
    const change = incident?.changes.find((each) => each.seq === null)
    if (change?.kind !== event)
      throw new Violation(
        `the log has ${event} of incident ${incident?.number ?? incident_id} as ${seq}; expected: ${change?.kind ?? 'nothing'}`,
      )
    if (seq !== this.#position + 1) throw new Violation(`event ${seq} follows event ${this.#position}`)
    this.#position = seq
    change.seq = seq
    if (shown !== null) change.incident.publishedAt = shown.published_at
    this.#bySeq.set(seq, change)
    this.model.log.push(change)
    if (event === 'incident.imported') return
    for (const watch of this.model.watches) {
      if (watch.claimOf(change) !== 'must') continue
      const owed = this.#owed.get(watch)
      if (owed === undefined) this.#owed.set(watch, new Set([change]))
      else owed.add(change)
    }
  }

  /** An incident of a file is public as it says there, and nobody is told. */
  #addImported(id: string, shown: DeskAnswer | null): void {
    const expected = this.model.imports.get(shown?.summary ?? '')
    if (shown === null || expected === undefined) throw new Violation(`${id} was imported from no file`)
    this.model.imports.delete(shown.summary)
    const facts = factsIn(shown)
    const { severity } = facts
    if (JSON.stringify(facts) !== JSON.stringify({ ...expected.facts, severity }))
      throw new Violation(`${JSON.stringify(expected.facts)} was imported as ${JSON.stringify(facts)}`)
    const incident = new Incident(id, this.model.incidents.length + 1, facts, expected.span)
    incident.version = shown.version
    incident.decided('confirmed', facts, 'incident.imported', expected.span)
    this.model.add(incident)
  }

  /** The watch is owed all of the time that its filter matches, though it was not active. */
  recovered(watch: Watch, since: number): void {
    const owed = this.#owed.get(watch) ?? new Set()
    this.#owed.set(watch, owed)
    for (const change of this.model.log)
      if (change.asked >= since && watch.wouldGet(change)) {
        watch.recovered.add(change.seq!)
        if (!watch.taken.has(change.seq!)) owed.add(change)
      }
  }

  /** Everything that arrived was for this receiver, and twice only with the same id. */
  #readMessages(): void {
    const unread = this.#unread
    this.#unread = []
    for (const received of unread) {
      this.#checkTruth(received)
      const watches = this.model.watchesAt(received.address)
      if (watches[0]?.channel === 'webhook') this.#readWebhook(received, watches)
      else if (watches.length > 0) this.#readForPeople(received, watches)
    }
  }

  #readWebhook({ address, id, text, isTaken, at }: Received, watches: readonly Watch[]): void {
    const { event, seq, watch_id, test } = JSON.parse(text) as WebhookBody
    if (test === true) return
    const watch = watches.find((each) => each.id === watch_id)
    if (watch === undefined) throw new Violation(`${address} was sent a message of ${watch_id}, which is not its own`)
    const change = this.#bySeq.get(seq)
    if (change === undefined) throw new Violation(`${watch.name} was sent event ${seq}, which is not in the log`)
    if (change.kind !== event || (watch.claimOf(change) === 'must not' && !watch.recovered.has(seq)))
      throw new Violation(
        `${watch.name} was sent ${event} of incident ${change.incident.number}, which is not for it: ${JSON.stringify(watch.filter)}`,
      )
    const earlier = watch.taken.get(seq)
    if (earlier !== undefined && earlier.id !== id)
      throw new Violation(`${watch.name} was sent event ${seq} twice, as ${earlier.id} and as ${id}`)
    if (earlier !== undefined) this.counts.repeated++
    if (isTaken && earlier === undefined) watch.taken.set(seq, { id, at })
  }

  #readForPeople({ address, text, isTaken, at }: Received, watches: readonly Watch[]): void {
    if (isTaken) for (const watch of watches) watch.toldAt = at
    for (const id of incidentIdsIn(text)) {
      const incident = this.model.find(id)
      if (incident === undefined) throw new Violation(`${address} was told of ${id}, which does not exist`)
      const told = watches.filter((watch) => incident.changes.some((change) => watch.claimOf(change) !== 'must not'))
      if (told.length === 0)
        throw new Violation(`${address} was told of incident ${incident.number}, which is not for it`)
      if (isTaken) for (const watch of told) watch.told.set(id, [...(watch.told.get(id) ?? []), at])
    }
  }

  /** A sentence about something that should have arrived by now; null if nothing is missing. */
  #late(isEnd = false): string | null {
    for (const [watch, owed] of this.#owed) {
      if (watch.isRemoved) this.#owed.delete(watch)
      for (const change of owed) {
        if (hasArrived(watch, change) || isOutdated(change)) owed.delete(change)
        else if (watch.isActive && (isEnd || (watch.healthySince <= change.asked && !watch.isDaily)))
          return `${watch.name} never got ${change.kind} of incident ${change.incident.number} (event ${change.seq})`
      }
    }
    return null
  }

  /** The same after all outages: nothing was lost. */
  async compareAtEnd(): Promise<void> {
    await this.compare()
    const late = this.#late(true)
    if (late !== null) throw new Violation(late)
  }

  /** Each key may do what it may, at every node. */
  async checkKey(key: Key): Promise<void> {
    for (const [scope, method, path] of PROBES) {
      const now = this.world.now
      const expected = admissionOf(key, scope, now)
      for (const node of this.readyNodes) {
        const answer = await this.askOnce(node, {
          method,
          path,
          key: key.text,
          ...(method === 'POST' ? { body: {} } : {}),
        })
        if (answer === null || isTemporary(answer)) continue
        const admitted = answer.status === 401 || answer.status === 403 ? answer.status : 200
        if (admitted !== expected)
          throw new Violation(
            `${method} ${path} with a key of account ${key.account.number} (${key.account.role}, ${key.account.status}; ${key.scopes.join(', ')}) was answered ${answer.status}; expected: ${expected}`,
          )
      }
    }
  }

  /**
   * A node that has followed the log for years answers like one that has just read it, and nothing
   * that was taken out is left in the database.
   */
  async checkAfresh(): Promise<void> {
    for (const { redacted } of this.model.incidents) for (const { word } of redacted) this.#checkErased(word)
    const index = this.nodes.length
    this.nodes.push(null)
    await this.startNode(index)
    const fresh = this.nodes.pop()!
    for (const path of FRESH_QUESTIONS) {
      const answers = await Promise.all([fresh, ...this.readyNodes].map((node) => this.#askWhole(node, path)))
      const refused = answers.find((answer) => answer !== null && answer.status !== 200)
      if (refused) throw new Violation(`${path} was answered ${refused.status}: ${refused.text.slice(0, 200)}`)
      const [expected, ...others] = answers.map((answer) => answer && contentOf(answer.text))
      if (others.some((other) => other !== expected && other !== null && expected !== null))
        throw new Violation(
          `${path} is answered in another way by a node that has just read the log: ${firstDifference(expected!, others)}`,
        )
    }
    await fresh.stop()
  }

  /** Sizes and hashes of files are worked out at the first question; asks until all are there. */
  async #askWhole(node: Node, path: string): Promise<Answer | null> {
    for (let tries = 0; ; tries++) {
      const answer = await this.askOnce(node, { method: 'GET', path, key: OPERATOR_KEY })
      if (tries === MOST_TRIES || !answer?.text.includes('"complete":false')) return answer
      await this.sleep(SECOND)
    }
  }

  #checkErased(word: string): void {
    for (const { name, columns } of this.database.textColumns()) {
      const found = this.database.query(
        `SELECT 1 FROM ${name} WHERE ${columns.map((column) => `instr(${column}, ?) > 0`).join(' OR ')} LIMIT 1`,
        ...columns.map(() => word),
      )
      if (found.length > 0) throw new Violation(`"${word}" was taken out, and is in ${name}`)
    }
  }

  /** A list of any node is the model's, to the end, on pages of any size. */
  async checkList(filter: Parameters<typeof matches>[0], limit: number): Promise<void> {
    const expected = this.model.list(filter).map(({ id }) => id)
    const publishedAt = (id: string) => this.model.find(id)?.publishedAt ?? ''
    const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
    for (const node of this.readyNodes) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = `${query}&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`
        const answer = await this.askOnce(node, { method: 'GET', path: `/v1/incidents?${page}`, key: OPERATOR_KEY })
        if (answer === null || isTemporary(answer)) return
        const body = JSON.parse(answer.text) as { data: { id: string }[]; next_cursor: string | null }
        seen.push(...body.data.map(({ id }) => id))
        cursor = body.next_cursor
        if (seen.length > expected.length + limit) break
      }
      // Within a second any order is right.
      const byTime = seen.every((id, index) => index === 0 || publishedAt(seen[index - 1]!) >= publishedAt(id))
      if (!byTime || seen.toSorted().join() !== expected.toSorted().join())
        throw new Violation(
          `node ${node.machine.name} lists ${seen.length} incidents for ${query} by ${limit}; expected: ${expected.length}${difference(seen, expected)}`,
        )
    }
  }

  accountOf(fraction: number, fits: (account: Account) => boolean = () => true): Account | undefined {
    const fitting = this.model.accounts.filter(fits)
    return fitting[Math.floor(fraction * fitting.length)]
  }
}

/** Read models of every kind. */
const FRESH_QUESTIONS = [
  '/v1/incidents?limit=500',
  '/v1/incidents?state=Kaduna,Lagos&min_severity=high&order=oldest&limit=200',
  '/v1/incidents?q=Report%207&limit=100',
  '/v1/incidents?near=9.62,6.55&radius_km=2&limit=100',
  '/v1/stats?group_by=state,type',
  '/v1/stats?group_by=month',
  '/v1/tiles/6/33/30.mvt',
  '/v1/archive',
  '/v1/incidents?format=csv&limit=300',
]

/** Without what tells of the moment of the answer. */
function contentOf(text: string): string {
  return text.replaceAll(/"(as_of|generated_at|in_step_at)":"[^"]*"/g, '')
}

function firstDifference(expected: string, others: readonly (string | null)[]): string {
  const other = others.find((each) => each !== null && each !== expected)!
  const at = [...expected].findIndex((letter, index) => letter !== other[index])
  return `${JSON.stringify(other.slice(at - 60, at + 80))}; expected: ${JSON.stringify(expected.slice(at - 60, at + 80))}`
}

/** For each scope a request that needs it, and changes nothing. */
const PROBES = [
  ['read', 'GET', '/v1/incidents?limit=1'],
  ['watch', 'GET', '/v1/watches'],
  ['report', 'POST', '/v1/reports'],
  ['review', 'GET', '/v1/desk/counts'],
  ['admin', 'GET', '/v1/admin/accounts?limit=1'],
] as const

interface WebhookBody {
  readonly event: Change['kind']
  readonly seq: number
  readonly watch_id: string
  readonly test?: boolean
  readonly incident: {
    readonly id: string
    readonly summary?: string
    readonly casualties?: { readonly killed: number | null }
  }
}

interface ChangesPage {
  readonly data: readonly {
    readonly seq: number
    readonly event: Change['kind']
    readonly incident_id: string
    readonly incident: (DeskAnswer & { readonly published_at: string }) | null
  }[]
}

/** The service cannot answer now, or still works on the same request. */
function isTemporary({ status, text }: Answer): boolean {
  return status === 503 || status === 429 || (status === 409 && text.includes('idempotency'))
}

function incidentIdsIn(text: string): Set<string> {
  return new Set(text.match(/inc_[0-9a-z]{26}/g))
}

function hasArrived(watch: Watch, change: Change): boolean {
  if (watch.channel === 'webhook') return watch.taken.has(change.seq!)
  const told = watch.told.get(change.incident.id)
  // People who were not told of it are not told that it was withdrawn.
  if (told === undefined && change.kind === 'incident.retracted') return true
  // A long digest does not name all that it counts.
  return watch.isDaily ? watch.toldAt >= change.asked : (told?.some((at) => at >= change.asked) ?? false)
}

/** Whether a later decision has made it untrue: then it need not be told. */
function isOutdated({ incident, kind, answered }: Change): boolean {
  const isRetraction = kind === 'incident.retracted'
  return incident.versions.some((version) => version.answered > answered && version.isPublic === isRetraction)
}

function difference(seen: readonly string[], expected: readonly string[]): string {
  const missing = expected.filter((id) => !seen.includes(id)).slice(0, 3)
  const further = seen.filter((id) => !expected.includes(id)).slice(0, 3)
  const parts = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(further.length > 0 ? [`further: ${further.join(', ')}`] : []),
  ]
  return parts.length > 0 ? `; ${parts.join('; ')}` : '; another order'
}
