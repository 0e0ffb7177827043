import { createHash } from 'node:crypto'
import { generateKey } from '../src/domain/keys.ts'
import { StoreFull } from '../src/store/store.ts'
import { Attempts } from './attempts.ts'
import { GivenPositions, repairsOf } from './losses.ts'
import {
  type Account,
  type Change,
  type DeskAnswer,
  factsIn,
  Incident,
  Model,
  type matches,
  type Span,
  type Story,
  Violation,
  type Watch,
} from './model.ts'
import { Network, type Received } from './network.ts'
import { type Answer, type Node, type Request, type SharedDatabase, startNode } from './nodes.ts'
import { CopyClient, type StreamClient } from './streams.ts'
import { World } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A client gives up on an answer after this long, and asks another node. */
const CLIENT_TIMEOUT_MS = 30 * SECOND
const MOST_TRIES = 400
/**
 * A message shows what held at most this long before: what is on its way, and what a node has read
 * within the last second.
 */
export const MESSAGE_LAG_MS = 5 * SECOND
const SHORT_OUTAGE_MS = 25 * SECOND
/** Of a failover: all nodes notice it. */
const LEAST_OUTAGE_MS = 1500
const MOST_OUTAGE_MS = 5 * SECOND
const READ_EVERY_MS = 20
const RESTART_MS = SECOND
/** A node knows of a fork after this long. */
const FORKS_KEPT_MS = 6 * SECOND
/** All nodes have the log by then. */
const FOLLOWED_MS = 1500
/** All nodes know of a revoked key, a blocked account or a published incident after this long. */
const SETTLED_MS = 4 * SECOND
/** Everything that is owed by healthy nodes to healthy receivers arrives within this time. */
const MOST_WAIT_MS = 150 * SECOND
/** Of a node that has nothing to do but to repeat what it repeats. */
const MOST_TIMERS = 60
/** A story that is read so late is no news. */
const OLD_NEWS_MS = 29 * DAY
const NODE_NAMES = ['a', 'b', 'c']
export const OPERATOR_KEY = generateKey('live', (size) => new Uint8Array(size).fill(7))

/** Of requests without a key: per minute, address and node. */
export const ADDRESS_LIMIT = 100

const SETTINGS = {
  OPERATOR_KEY,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  RATE_LIMIT: '1000000',
  // Few, so that endpoints at one host compete.
  WEBHOOK_CONCURRENCY_PER_HOST: '8',
  TIP_PROOF_BITS: '1',
  RATE_LIMIT_ADDRESS: String(ADDRESS_LIMIT),
  SMTP_URL: 'smtp://mail.example.org',
  PUBLIC_URL: 'https://feed.example.org',
  TELEGRAM_BOT_TOKEN: '12345678:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ALERTS_PER_HOUR: '1000000',
  SIGNUPS_PER_HOUR: '1000000',
}

/** The nodes, the world around them, and the model that they are compared with. */
export class Simulation implements Disposable {
  readonly world: World
  readonly network: Network
  readonly database: SharedDatabase
  model = new Model()
  readonly streams: StreamClient[] = []
  readonly positions = new GivenPositions()
  readonly #copy: CopyClient = new CopyClient(this, OPERATOR_KEY)
  readonly attempts = new Attempts()
  readonly nodes: (Node | null)[]
  /** Numbers that are given once, whatever is restored. */
  reported = 0
  printed = 0
  watched = 0
  invited = 0
  /** Steps that have begun and have not ended. */
  readonly underWay = new Set<{ readonly action: string }>()
  readonly counts = { requests: 0, messages: 0, comparisons: 0, repeated: 0 }
  readonly #write: (line: string) => void
  readonly #start: number
  #unread: Arrived[] = []
  #keys = 0
  #restoredAt = Number.NEGATIVE_INFINITY
  /** Until then messages may come of what the database has lost. */
  #lost: { readonly model: Model; readonly stopped: ReadonlySet<Watch>; readonly until: number } | null = null
  /** The time of the nodes' answer to a loss. */
  #repairing: Span = { asked: 0, answered: 0 }
  #failure: Error | null = null
  #faults = 0
  #faultEndedAt = 0

  constructor(
    seed: number,
    start: number,
    nodes: number,
    openDatabase: (world: World) => SharedDatabase,
    write: (line: string) => void,
  ) {
    this.world = new World(seed, start)
    this.#start = start
    this.#write = write
    this.network = new Network(this.world)
    this.database = openDatabase(this.world)
    this.nodes = Array.from({ length: nodes }, () => null)
    this.network.onReceived = (received) => this.#onReceived(received)
    this.inBackground(this.#copy.run())
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
    await this.world.runUntil(this.world.now + mostMs, () => isDone)
    if (!isDone)
      throw new Violation(
        `nothing has come of it after ${mostMs / SECOND} s: ${Array.from(this.underWay, ({ action }) => action).join(', ')}`,
      )
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

  /** A fault of a node, a clock or the store, until its work is done. */
  async during<Result>(fault: Promise<Result>): Promise<Result> {
    this.#faults++
    try {
      return await fault
    } finally {
      this.#faults--
      this.#faultEndedAt = this.world.now
    }
  }

  /** Since when nodes, clocks and the store have worked without fail. */
  get calmSince(): number {
    return this.#faults > 0 ? Number.POSITIVE_INFINITY : this.#faultEndedAt
  }

  fail(error: unknown): void {
    this.#failure ??= error as Error
  }

  /** Waits until it holds, for at most so long; whether it does. */
  async waitFor(holds: () => boolean, mostMs: number): Promise<boolean> {
    const latest = this.world.now + mostMs
    while (!holds() && this.world.now < latest) await this.sleep(100)
    return holds()
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.world.after(ms, resolve))
  }

  /** As a supervisor does: a process that ends because the disk is full is started again. */
  async startNode(index: number): Promise<void> {
    const node = await startNode(NODE_NAMES[index] ?? `n${index}`, this.world, this.database, this.network, SETTINGS)
    this.nodes[index] = node
    const startAgain = async (error: unknown) => {
      if (!(error instanceof StoreFull)) throw error
      node.kill()
      await this.sleep(RESTART_MS)
      await this.startNode(index)
    }
    await node.whenReady().then(() => this.inBackground(node.keepServing().catch(startAgain)), startAgain)
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
    return { body: parsed<Body>(status, answer, `${request.method} ${request.path}`), span }
  }

  /** A page, as a browser asks for it. */
  async demandPage(status: number, path: string): Promise<void> {
    const { answer } = await this.ask({ method: 'GET', path }, null)
    if (answer.status !== status)
      throw new Violation(`GET ${path} must be answered ${status}, not ${answer.status}: ${answer.text.slice(0, 300)}`)
  }

  #onReceived(received: Received): void {
    this.counts.messages++
    this.#unread.push({ ...received, calmSince: this.calmSince })
    const { address, id, text, isTaken, behaviour, at } = received
    for (const watch of this.model.watchesAt(address))
      if (behaviour === 'is gone') watch.isGone(at)
      else if (isTaken) watch.takesAgain(at)
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
    this.note(`  ${address} ${isTaken ? 'takes' : 'does not take'} ${id ?? 'a message'} ${digest}`)
  }

  /** Nothing is sent that was not true a moment ago, and nothing that was taken out. */
  #checkTruth({ at, address, text }: Received): void {
    for (const id of incidentIdsIn(text)) {
      const incident = this.model.find(id)
      if (incident === undefined) continue
      for (const { word, answered } of incident.redacted)
        if (answered < at - MESSAGE_LAG_MS && text.includes(word))
          throw new Violation(`${address} was sent the word "${word}", which was taken out of ${id}`)
    }
    const [watch] = this.model.watchesAt(address)
    if (watch?.channel !== 'webhook' || !text.startsWith('{')) return
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
  async compare(isEnd = false): Promise<void> {
    this.counts.comparisons++
    await this.pass(SETTLED_MS)
    await this.until(this.#readLog())
    this.#readMessages()
    await this.until(this.#readItems())
    const latest = this.world.now + MOST_WAIT_MS
    for (let late = this.#late(isEnd); late !== null; late = this.#late(isEnd)) {
      if (this.world.now > latest) throw new Violation(late)
      await this.pass(2 * SECOND)
      this.#readMessages()
      await this.until(this.#readItems())
    }
    for (const client of this.streams) client.check(this.model.log)
    while (!(await this.until(this.#copy.follow()))) await this.pass(SECOND)
    this.#copy.check(this.model.list({}))
    await this.until(this.positions.check(this))
    this.#checkSequences()
    await this.until(this.#checkCounts())
    await this.#checkRetention()
    for (const { machine } of this.readyNodes)
      if (machine.timers > MOST_TIMERS)
        throw new Violation(`node ${machine.name} waits for ${machine.timers} timers, and nothing is left to do`)
  }

  /** Digests have come at their hour. */
  async checkDigests(): Promise<void> {
    const latest = this.world.now + MOST_WAIT_MS
    this.#readMessages()
    for (let late = this.#late(false, true); late !== null; late = this.#late(false, true)) {
      if (this.world.now > latest) throw new Violation(`${late}, in the morning`)
      await this.pass(2 * SECOND)
      this.#readMessages()
    }
  }

  /**
   * The clock that all nodes follow is hours ahead for a while, or says 2040. Nothing is deleted or
   * given up because of that, and afterwards newspapers are read as often as before.
   */
  async visitAnotherTime(chance: readonly number[], printStory: () => Promise<string>): Promise<void> {
    const { database, world } = this
    const [, fraction = 0] = chance
    const ahead = Math.round(fraction < 0.5 ? (1 + fraction * 38) * HOUR : fraction * 28 * 365 * DAY)
    const before = world.now
    const kept = await this.#countYoung(before)
    const visit = async () => {
      database.clockOffset = ahead
      this.note(`the clock of the store is ${Math.round(ahead / HOUR)} hours ahead; ${await printStory()}`)
      await this.pass(VISIT_MS)
      await world.skipTo(world.now + 25 * MINUTE)
      await this.pass(VISIT_MS)
      database.clockOffset = 0
      await this.pass(VISIT_MS)
      this.note(`the clock of the store is right again; ${await printStory()}`)
      const latest = world.now + 3 * MINUTE
      for (let unread = await this.#unreadStory(); unread !== null; unread = await this.#unreadStory()) {
        if (world.now > latest) throw new Violation(`${unread} after the clock was right again`)
        await this.pass(10 * SECOND)
      }
    }
    await this.during(visit())
    for (const [index, [table, , days]] of KEPT_FOR.entries()) {
      const left = (await this.#countYoung(before))[index]!
      if (left < kept[index]!)
        throw new Violation(
          `of ${kept[index]} rows of ${table}, kept for ${days} days, ${left} are left after a visit to another time`,
        )
    }
  }

  /** Rows of each table that were far from the end of their time at that moment. */
  async #countYoung(now: number): Promise<number[]> {
    const counts: number[] = []
    for (const [table, since, days] of KEPT_FOR)
      counts.push(
        days < 30
          ? 0
          : await this.database.count(`FROM ${table} WHERE ${since} > ${Math.floor(now - (days - 2) * DAY)}`),
      )
    return counts
  }

  /** A sentence about a story that a newspaper without faults has printed, and nobody has read. */
  async #unreadStory(): Promise<string | null> {
    await this.until(this.#readItems())
    for (const { number, printedAt, copies } of this.model.unread)
      for (const { paper, outcome } of copies)
        if (outcome === null && paper.healthySince <= printedAt) return `story ${number} of ${paper.feed} was not read`
    return null
  }

  /** In quiet times to come, rows are kept for as long as they must be, and no longer. */
  async checkKept(): Promise<void> {
    const { model, network, database } = this
    const last = network.received.findLast(({ isTaken }) => isTaken)!.at
    const count = () => database.count(`FROM deliveries WHERE finished_at > ${last - HOUR}`)
    const kept = await count()
    await this.#passQuietly(last + 30 * DAY - HOUR)
    const left = await count()
    if (left < kept) throw new Violation(`of ${kept} deliveries ${left} are left after less than 30 days`)
    const revoked = model.accounts.flatMap(({ keys }) => keys.flatMap((key) => key.revoked ?? []))
    const dueOf = ({ answered }: Span) => answered + 90 * DAY + CLEANED_EVERY_MS + HOUR
    const firstDue = (spans: readonly Span[]) =>
      spans
        .map(dueOf)
        .filter((due) => due > this.world.now)
        .sort((one, other) => one - other)
        .slice(0, 1)
    for (const due of [...firstDue(revoked), ...firstDue(model.tips)].sort((one, other) => one - other)) {
      await this.#passQuietly(due)
      await this.#checkRetention()
    }
  }

  async #passQuietly(until: number): Promise<void> {
    await this.world.skipTo(until)
    await this.pass(5 * SECOND)
  }

  /** The desk counts what there is: no report was made twice. */
  async #checkCounts(): Promise<void> {
    const { body } = await this.demand<{ status: Record<string, number> }>(200, {
      method: 'GET',
      path: '/v1/desk/counts',
    })
    const counted = Map.groupBy(this.model.incidents, (incident) => incident.status)
    for (const [status, count] of Object.entries(body.status)) {
      const expected = counted.get(status)?.length ?? 0
      if (count !== expected) throw new Violation(`the desk counts ${count} ${status} incidents; expected: ${expected}`)
    }
  }

  /** Each node deletes at the first moment of a day what has been kept for long enough. */
  async #checkRetention(): Promise<void> {
    if (this.world.now < this.#restoredAt + CLEANED_EVERY_MS) return
    for (const [table, since, days] of KEPT_FOR) {
      const before = this.world.now - days * DAY - CLEANED_EVERY_MS
      const found = await this.database.count(`FROM ${table} WHERE ${since} < ${Math.floor(before)}`)
      if (found > 0) throw new Violation(`${found} rows of ${table} are older than ${days} days`)
    }
  }

  /** The log has exactly the changes that people were told of, each incident's in order. */
  async #readLog(): Promise<void> {
    await this.#readChanges(true)
    const missing = this.#missing()
    if (missing !== null) throw new Violation(missing)
    this.model.repairs.clear()
  }

  /** Reads the log while people work: some node has all that was answered. */
  async #readLogMeanwhile(): Promise<void> {
    const latest = this.world.now + SETTLED_MS
    for (await this.#readChanges(false); this.#missing() !== null; await this.#readChanges(false)) {
      if (this.world.now > latest) throw new Violation(this.#missing()!)
      await this.sleep(READ_EVERY_MS)
    }
  }

  /** A node may be behind as long as it is not settled. */
  async #readChanges(isSettled: boolean): Promise<void> {
    for (;;) {
      const { body } = await this.demand<ChangesPage>(200, {
        method: 'GET',
        path: `/v1/changes?after=${this.model.position}&limit=1000`,
      })
      for (const entry of body.data) this.#addLogged(entry, isSettled)
      this.positions.add(this.model.position)
      if (body.data.length < 1000) break
    }
  }

  /** A sentence about something that is not in the log; null if nothing is missing. */
  #missing(): string | null {
    const [left] = this.model.imports.values()
    if (left !== undefined && left.span.answered <= this.world.now)
      return `${left.facts.summary} was imported, and is not in the log`
    for (const incident of this.model.incidents) {
      const missing = incident.changes.find(({ seq }) => seq === null)
      if (missing !== undefined && !incident.isBusy)
        return `${missing.kind} of incident ${incident.number} was answered, and is not in the log`
    }
    for (const [id, { kinds, isSure, isDone }] of this.model.repairs)
      if (isSure && !isDone) return `${id} was lost, and ${kinds} of it is not in the log`
    return null
  }

  #addLogged(logged: ChangesPage['data'][number], isSettled: boolean): void {
    const { seq, position, event, incident_id, incident: shown, redacted } = logged
    if (event === 'incident.imported') this.#addImported(incident_id, shown)
    const repair = this.model.repairs.get(incident_id)
    const isRepair = repair?.kinds.includes(event) === true
    const incident = isRepair ? repair.decide(event, this.#repairing) : this.model.find(incident_id)
    if (isRepair) repair.isDone = true
    const change = incident?.changes.find((each) => each.seq === null)
    if (change?.kind !== event)
      throw new Violation(
        `the log has ${event} of incident ${incident?.number ?? incident_id} as ${seq}; expected: ${change?.kind ?? 'nothing'}`,
      )
    const { model } = this
    if (seq !== model.lastSeq + 1) throw new Violation(`event ${seq} follows event ${model.lastSeq}`)
    model.position = position
    this.positions.add(position)
    if (redacted) model.redactedSeq = seq
    change.seq = seq
    if (shown !== null) change.incident.publishedAt = shown.published_at
    if (shown !== null && repair !== undefined) change.incident.version = shown.version
    if (shown !== null && 'reason' in shown) throw new Violation(`event ${seq} says why an incident was withdrawn`)
    const { isPublic, isBusy, number } = change.incident
    if (shown !== null && !isPublic && !isBusy && isSettled)
      throw new Violation(`the log shows incident ${number}, which is not public, with event ${seq}`)
    model.changes.set(seq, change)
    model.log.push(change)
    if (event === 'incident.imported') return
    for (const watch of model.watches) {
      const claim = watch.claimOf(change)
      if (claim !== 'must not') watch.counted++
      const isStopped = this.#lost !== null && change.asked <= this.#lost.until && this.#lost.stopped.has(watch)
      if (claim !== 'must' || repair?.isSure === false || isStopped) continue
      const owed = model.owed.get(watch)
      if (owed === undefined) model.owed.set(watch, new Set([change]))
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
    const owed = this.model.owed.get(watch) ?? new Set()
    this.model.owed.set(watch, owed)
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
      const lost = this.#lost !== null && received.at <= this.#lost.until ? this.#lost.model : null
      try {
        this.#checkTruth(received)
        const watches = this.model.watchesAt(received.address)
        if (watches[0]?.channel === 'webhook') this.#readWebhook(received, watches, lost !== null)
        else if (watches.length > 0) this.#readForPeople(received, watches)
      } catch (error) {
        if (lost === null || !isOf(lost, received)) throw error
      }
    }
  }

  /** Of a loss, what was on its way comes with numbers and ids that are given again. */
  #readWebhook(received: Arrived, watches: readonly Watch[], isLosing: boolean): void {
    const { address, id, text, isTaken, at } = received
    const { event, seq, sequence, watch_id, test, incident: shown } = JSON.parse(text) as WebhookBody
    if (test === true) return
    const watch = watches.find((each) => each.id === watch_id)
    if (watch === undefined) throw new Violation(`${address} was sent a message of ${watch_id}, which is not its own`)
    this.attempts.check(watch, received, received.calmSince)
    const change = this.model.changes.get(seq)
    if (change === undefined) throw new Violation(`${watch.name} was sent event ${seq}, which is not in the log`)
    if (change.kind !== event || (watch.claimOf(change) === 'must not' && !watch.recovered.has(seq)))
      throw new Violation(
        `${watch.name} was sent ${event} of incident ${change.incident.number}, which is not for it: ${JSON.stringify(watch.filter)}`,
      )
    if (shown.id !== change.incident.id) throw new Violation(`${watch.name} was sent event ${seq} without its incident`)
    if (event === 'incident.retracted' && 'summary' in shown)
      throw new Violation(`${watch.name} was sent what was withdrawn with event ${seq}`)
    const isLost = shown.reason === 'lost'
    if (isLost !== change.isLost && isLost !== change.incident.isLost)
      throw new Violation(`${watch.name} was sent event ${seq} with the reason ${shown.reason}`)
    if (!isLosing) watch.sequences.set(seq, sequence)
    const earlier = watch.taken.get(seq)
    if (earlier !== undefined && earlier.id !== null && earlier.id !== id)
      throw new Violation(`${watch.name} was sent event ${seq} twice, as ${earlier.id} and as ${id}`)
    if (earlier !== undefined) this.counts.repeated++
    if (isTaken && earlier === undefined) watch.taken.set(seq, { id: isLosing ? null : id, at })
  }

  /** Messages of a watch are numbered without gaps: the last has the number of all. */
  #checkSequences(): void {
    for (const { name, sequences, counted, recovered } of this.model.watches) {
      const numbers = new Set(sequences.values())
      const last = Math.max(0, ...numbers)
      if (numbers.size < sequences.size || last > counted + recovered.size)
        throw new Violation(
          `${name} was sent ${sequences.size} messages with ${numbers.size} numbers up to ${last}; at most ${counted + recovered.size} were for it`,
        )
    }
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

  /** Each story was queued once, as it was printed; what another newspaper copied is known. */
  async #readItems(): Promise<void> {
    const { unread } = this.model
    const papers = new Set([...unread].flatMap(({ copies }) => copies.map(({ paper }) => paper)))
    const items = new Map<string, FeedItem>()
    for (const { id } of papers) {
      const path = `/v1/admin/sources/${id}/items?limit=200`
      const { body } = await this.demand<{ data: FeedItem[] }>(200, { method: 'GET', path })
      for (const item of body.data) {
        // Redacted with its incident.
        if (item.url === null) continue
        if (items.has(item.url)) throw new Violation(`${item.url} was taken twice`)
        items.set(item.url, item)
      }
    }
    for (const story of unread) {
      for (const copy of story.copies) {
        const item = copy.outcome === null ? items.get(copy.url) : undefined
        if (item === undefined) continue
        copy.outcome = item.state
        if (item.state === 'queued') await this.#addQueued(story, item)
      }
      const outcomes = story.copies.map(({ outcome }) => outcome)
      if (outcomes.includes(null)) continue
      unread.delete(story)
      if (this.world.now - story.printedAt > OLD_NEWS_MS && outcomes.includes('too_old')) continue
      const isFirst = (outcome: string | null) => outcome === 'queued' || outcome === 'proposed'
      if (outcomes.filter(isFirst).length !== 1 || outcomes.some((one) => one !== 'duplicate' && !isFirst(one)))
        throw new Violation(`story ${story.number} became ${outcomes.join(', ')}`)
    }
  }

  async #addQueued(
    { number, title, state, killed, dayBefore, printedAt }: Story,
    { incident_ids }: FeedItem,
  ): Promise<void> {
    const path = `/v1/desk/incidents/${incident_ids.join()}`
    const { body } = await this.demand<DeskAnswer>(200, { method: 'GET', path })
    const facts = factsIn(body)
    if (facts.summary !== title || facts.state !== state || facts.killed !== killed || body.status !== 'reported')
      throw new Violation(`story ${number}, "${title}", was queued as ${body.status} ${JSON.stringify(facts)}`)
    if (!facts.occurredAt.startsWith(dayBefore))
      throw new Violation(`story ${number} is of the day after ${dayBefore}, and was queued for ${facts.occurredAt}`)
    const span = { asked: printedAt, answered: this.world.now }
    const incident = new Incident(body.id, this.model.incidents.length + 1, facts, span)
    incident.version = body.version
    this.model.add(incident)
  }

  /** A sentence about something that should have arrived by now; null if nothing is missing. */
  #late(isEnd = false, isMorning = false): string | null {
    const today = this.world.now - HOUR
    for (const { number, printedAt, copies } of isMorning ? [] : this.model.unread)
      for (const { paper, outcome } of copies)
        if (outcome === null && printedAt < today && (isEnd || paper.healthySince <= printedAt))
          return `story ${number} of ${paper.feed} was never read`
    for (const [watch, owed] of this.model.owed) {
      if (watch.isRemoved) this.model.owed.delete(watch)
      for (const change of owed) {
        if (hasArrived(watch, change) || isOutdated(change)) owed.delete(change)
        else if (watch.isActive && (isEnd || isDue(watch, change, isMorning)))
          return `${watch.name} never got ${change.kind} of incident ${change.incident.number} (event ${change.seq})`
      }
    }
    return null
  }

  /**
   * A node that has followed the log for years answers like one that has just read it, and nothing
   * that was taken out is left in the database.
   */
  async checkAfresh(): Promise<void> {
    await this.#checkStored()
    const index = this.nodes.length
    this.nodes.push(null)
    await this.startNode(index)
    const fresh = this.nodes.pop()!
    for (const path of FRESH_QUESTIONS) {
      const answers = await Promise.all([fresh, ...this.readyNodes].map((node) => this.#askWhole(node, path)))
      const refused = answers.find((answer) => answer !== null && answer.status >= 400)
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

  /** Names that were taken out are in no table, and secrets of watches nowhere as they are. */
  async #checkStored(): Promise<void> {
    const redacted = new Set(this.model.incidents.flatMap((incident) => incident.redacted.map(({ word }) => word)))
    const secrets = new Set(this.model.watches.flatMap((watch) => watch.secrets))
    for await (const { table, text } of this.database.texts()) {
      for (const [word] of text.matchAll(NAMES))
        if (redacted.has(word)) throw new Violation(`"${word}" was taken out, and is in ${table}`)
      for (const [word] of text.matchAll(SECRETS))
        if (secrets.has(word)) throw new Violation(`the secret of a watch is in ${table} as it is`)
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

  /** Keeps all that an operator needs to go back to this moment. */
  async backUp(): Promise<Backup> {
    await this.until(this.#readLogMeanwhile())
    this.#readMessages()
    return { bringBack: await this.database.copy(), model: this.model.copy(), at: this.world.now }
  }

  /**
   * The database is lost, and yesterday's backup takes its place, as the documentation says. What
   * came after it did not happen; the world outside remembers it.
   */
  async restore({ bringBack, model, at }: Backup): Promise<void> {
    const { model: lost, nodes, world } = this
    for (const node of nodes) node?.kill()
    // Messages that were on their way arrive.
    await this.pass(SECOND)
    this.#readMessages()
    await bringBack()
    this.#goBackTo(model, at)
    {
      await using store = await this.until(this.database.openStore())
      await this.until(store.chain.fork(null, Math.floor(world.now)))
    }
    for (let index = 0; index < nodes.length; index++) await this.until(this.startNode(index))
    if (lost.lastSeq === model.lastSeq) return
    const { answer } = await this.until(this.ask({ method: 'GET', path: `/v1/changes?after=${lost.position}` }))
    const isTold = answer.status === 410
    if (!isTold) throw new Violation(`a lost position was answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  }

  /** Forgets what came after the moment; the world outside remembers it. */
  #goBackTo(model: Model, at: number): void {
    const { model: lost, world } = this
    this.#restoredAt = world.now
    this.#faultEndedAt = world.now
    this.attempts.forget()
    for (const watch of model.watches)
      watch.healthySince = lost.watches.find(({ number }) => number === watch.number)!.healthySince
    for (const [index, paper] of model.newspapers.entries()) paper.healthySince = lost.newspapers[index]!.healthySince
    for (const story of lost.stories) if (story.printedAt > at) model.print(story)
    // No number of what was lost is given again.
    for (const watch of model.watches) watch.counted = Math.max(watch.counted, Math.ceil(world.now)) + SKIPPED_MESSAGES
    this.model = model
    this.positions.lose(model.lastSeq)
    for (const client of this.streams) client.restored(model.log)
  }

  /**
   * A standby takes the place of the database, and lacks its last transactions. All nodes go on:
   * those that have seen what was lost say so, and withdraw it. `publish` is what people do next.
   */
  async lose({ bringBack, model, at }: Backup, chance: readonly number[], publish: () => Promise<string>) {
    const { database, positions, world } = this
    const [outage, isNoted, isSudden] = chance as [number, number, number]
    if (isSudden > 0.3) await this.pass(FOLLOWED_MS)
    await this.until(this.#readLogMeanwhile())
    this.#readMessages()
    const lost = this.model
    const heads = await this.until(Promise.all(this.readyNodes.map((node) => this.#headOf(node))))
    const isRemembered = heads.some(({ node, seq }) => node.readyAt <= at && seq > model.lastSeq)
    const isKnown = isRemembered && heads.every(({ seq }) => seq === lost.lastSeq)
    database.faultOf = () => 'lost before'
    positions.isClosed = true
    await this.pass(LEAST_OUTAGE_MS + outage * (MOST_OUTAGE_MS - LEAST_OUTAGE_MS))
    await bringBack()
    const isPromoted = isNoted < 0.7
    if (isPromoted) await database.promote()
    database.faultOf = () => 'none'
    this.#goBackTo(model, at)
    // Until a node knows, nothing is sent for a deleted account or a removed watch.
    const ended = new Set(lost.watches.flatMap(({ number, isActive }) => (isActive ? [] : [number])))
    const stopped = new Set(model.watches.filter(({ number }) => ended.has(number)))
    for (const watch of stopped) model.owed.delete(watch)
    // The node that had sent a message may record it now, or another sends it again.
    for (const [{ number }, owed] of model.owed) {
      const watch = lost.watches.find((each) => each.number === number)!
      for (const change of owed) if (hasArrived(watch, lost.changes.get(change.seq!)!)) owed.delete(change)
    }
    this.#lost = { model: lost, stopped, until: world.now + SETTLED_MS }
    this.#repairing = { asked: world.now, answered: world.now + MINUTE }
    model.repairs = repairsOf(lost, model, (seq) => isKnown && seq >= lost.redactedSeq)
    this.note(
      `the database has lost ${lost.lastSeq - model.lastSeq} events after ${model.lastSeq}${isPromoted ? ' and is promoted' : ''}, seen ${heads.map((h) => h.node.machine.name + h.seq)}`,
    )
    // Without a branch of its own, the log must not go on before a node has noted the loss.
    const publishing = isPromoted ? publish() : null
    await this.pass(SETTLED_MS)
    await this.until(this.waitFor(() => this.readyNodes.length === this.nodes.length, MINUTE))
    positions.isClosed = false
    const begun = heads.find(({ cursor, seq }) => cursor !== null && seq > model.lastSeq)
    await this.until(this.#checkLost(lost, isPromoted || isRemembered ? begun?.cursor : null))
    this.note(await this.until(publishing ?? publish()))
  }

  async #headOf(node: Node) {
    const answer = await this.askOnce(node, { method: 'GET', path: '/v1/incidents?limit=1', key: OPERATOR_KEY })
    const { meta, next_cursor } = parsed<ListPage>(200, answer!)
    return { node, seq: meta.seq, cursor: next_cursor }
  }

  /** No node shows what was lost, and a list that was begun with it does not go on. */
  async #checkLost(lost: Model, cursor: string | null | undefined): Promise<void> {
    for (const node of this.readyNodes) {
      const ask = (path: string) => this.askOnce(node, { method: 'GET', path, key: OPERATOR_KEY })
      for (const { id, isPublic } of lost.log.slice(this.model.log.length).map(({ incident }) => incident)) {
        const answer = isPublic && this.model.find(id)?.isPublic !== true ? await ask(`/v1/incidents/${id}`) : null
        if (answer?.status === 200) throw new Violation(`node ${node.machine.name} shows ${id}, which was lost`)
      }
      // A node that had nothing of it looks for forks when it is asked.
      const goOn = () => ask(`/v1/incidents?limit=1&cursor=${cursor}`)
      if (cursor) await goOn()
      if (cursor) await this.sleep(FORKS_KEPT_MS)
      const answer = cursor ? await goOn() : null
      if (answer?.status === 200) throw new Violation(`node ${node.machine.name} goes on with a list of what was lost`)
    }
  }

  accountOf(fraction: number, fits: (account: Account) => boolean = () => true): Account | undefined {
    const fitting = this.model.accounts.filter(fits)
    return fitting[Math.floor(fraction * fitting.length)]
  }
}

/** At most, by all nodes together. */
const SKIPPED_MESSAGES = 100_000_000

/** The names of people in summaries, which are taken out. */
export const NAMES = /Ojo\d+[xn]/g
const SECRETS = /whsec_[\w+/=]+/g

/** A key by which a report came is kept. */
const HAS_REPORTED = "EXISTS (SELECT 1 FROM steps WHERE step = 'report' AND key_id = keys.id)"
/** Tables with the time since when a row is kept, and for how many days. */
const KEPT_FOR = [
  ['deliveries', 'finished_at', 30],
  ['idempotency', 'claimed_at', 1],
  ['keys', `CASE WHEN NOT ${HAS_REPORTED} THEN coalesce(revoked_at, expires_at) END`, 90],
  ['tips', 'received_at', 90],
  ['sessions', 'expires_at', 0],
  ['sign_in_links', 'expires_at', 1],
  // An open proposal keeps its story.
  ['source_items', "CASE WHEN state <> 'proposed' THEN last_seen_at END", 90],
] as const
/** The interval of cleaning, the length of a day's work, and the most that a clock jumps. */
const CLEANED_EVERY_MS = 4 * HOUR
/** All nodes follow a clock by then, and newspapers have been polled. */
const VISIT_MS = 80_000

/** A message, and since when nothing had failed. */
type Arrived = Received & { readonly calmSince: number }

export interface Backup {
  readonly bringBack: () => Promise<void>
  readonly model: Model
  readonly at: number
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

interface WebhookBody {
  readonly event: Change['kind']
  readonly seq: number
  readonly sequence: number
  readonly watch_id: string
  readonly test?: boolean
  readonly incident: {
    readonly id: string
    readonly reason?: string
    readonly summary?: string
    readonly casualties?: { readonly killed: number | null }
  }
}

interface FeedItem {
  readonly url: string | null
  readonly state: string
  readonly incident_ids: readonly string[]
}

interface ListPage {
  readonly meta: { readonly seq: number }
  readonly next_cursor: string | null
}

interface ChangesPage {
  readonly data: readonly {
    readonly seq: number
    readonly position: string
    readonly event: Change['kind']
    readonly incident_id: string
    readonly redacted?: boolean
    readonly incident: (DeskAnswer & { readonly published_at: string }) | null
  }[]
}

/** The service cannot answer now, or still works on the same request. */
export function parsed<Body>(status: number, answer: Answer, request = 'a request'): Body {
  if (answer.status !== status)
    throw new Violation(`${request} must be answered ${status}, not ${answer.status}: ${answer.text.slice(0, 300)}`)
  return (answer.text === '' ? null : JSON.parse(answer.text)) as Body
}

function isTemporary({ status, text }: Answer): boolean {
  return status === 503 || status === 429 || (status === 409 && text.includes('idempotency'))
}

function incidentIdsIn(text: string): Set<string> {
  return new Set(text.match(/inc_[0-9a-z]{26}/g))
}

/** Whether a message may be of what was lost. */
function isOf(lost: Model, { address, text }: Received): boolean {
  const [watch] = lost.watchesAt(address)
  if (watch?.channel !== 'webhook') return watch !== undefined
  const { seq, event, incident } = JSON.parse(text) as WebhookBody
  const change = lost.changes.get(seq)
  return change?.kind === event && change.incident.id === incident.id
}

function hasArrived(watch: Watch, change: Change): boolean {
  if (watch.channel === 'webhook') return watch.taken.has(change.seq!)
  const told = watch.told.get(change.incident.id)
  // People who were not told of it are not told that it was withdrawn.
  if (told === undefined && change.kind === 'incident.retracted') return true
  // A long digest does not name all that it counts.
  return watch.isDaily ? watch.toldAt >= change.asked : (told?.some((at) => at >= change.asked) ?? false)
}

/** Whether it should have arrived by now: a digest in the morning, all else soon. */
function isDue({ isDaily, healthySince }: Watch, { asked }: Change, isMorning: boolean): boolean {
  if (isDaily) return isMorning && healthySince <= asked
  // After a short outage the third attempt comes through.
  return healthySince <= asked + SHORT_OUTAGE_MS
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
