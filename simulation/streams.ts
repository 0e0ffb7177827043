import { type GivenPositions, seqOf } from './losses.ts'
import { type Change, type Filter, type Incident, matches, Violation } from './model.ts'
import type { Answer, Node, Request } from './nodes.ts'
import type { World } from './world.ts'

const RECONNECT_MS = 500
/** A refused client asks again later: its account may be unblocked. */
const REFUSED_MS = 20_000
const COPIED_EVERY_MS = 3000

/** The world of a client. */
interface Surroundings {
  readonly world: Pick<World, 'now' | 'random'>
  readonly readyNodes: readonly Node[]
  readonly positions: GivenPositions
  askOnce(node: Node, request: Request): Promise<Answer | null>
  sleep(ms: number): Promise<void>
  fail(error: unknown): void
}

/** A program that follows the feed: it reconnects, to any node, where it was. */
export class StreamClient {
  readonly #around: Surroundings
  readonly #number: number
  readonly #key: string
  readonly #filter: Filter
  readonly #seen: number[] = []
  /** The time when it first listened: it is owed what was published afterwards. */
  #since: number | null = null
  #position: string | null = null
  /** Whether the log has lost the position, and nobody has told it. */
  #isLost = false
  #checked = 0
  #listedAt = 0
  #close: (() => void) | null = null

  constructor(around: Surroundings, number: number, key: string, filter: Filter, isFromStart: boolean) {
    this.#around = around
    this.#number = number
    this.#key = key
    this.#filter = filter
    if (isFromStart) [this.#position, this.#since] = ['0', Number.NEGATIVE_INFINITY]
  }

  /** Loses the connection. */
  disconnect(): void {
    this.#close?.()
  }

  async run(): Promise<void> {
    const { world } = this.#around
    for (;;) {
      const nodes = this.#around.readyNodes
      const node = nodes[Math.floor(world.random() * nodes.length)]
      const isRefused = node !== undefined && (await this.#listen(node)) === 'refused'
      await this.#around.sleep((isRefused ? REFUSED_MS : RECONNECT_MS) * (1 + world.random()))
    }
  }

  async #listen(node: Node): Promise<'refused' | 'closed'> {
    const query = new URLSearchParams(Object.entries(this.#filter).map(([name, value]) => [name, String(value)]))
    const closed = Promise.withResolvers<void>()
    let unread = ''
    const read = (text: string) => {
      const frames = (unread + text).split('\n\n')
      unread = frames.pop()!
      try {
        for (const frame of frames) this.#read(frame)
      } catch (error) {
        this.#around.fail(error)
      }
    }
    const stream = await node.stream(
      `/v1/stream?${query}`,
      {
        authorization: `Bearer ${this.#key}`,
        ...(this.#position === null ? {} : { 'last-event-id': this.#position }),
      },
      read,
      closed.resolve,
    )
    if (stream?.status !== 200) {
      if (stream?.status === 410) {
        await closed.promise
        this.#goBack(unread)
      }
      stream?.close()
      return stream?.status === 401 || stream?.status === 403 ? 'refused' : 'closed'
    }
    this.#since ??= this.#around.world.now
    this.#close = stream.close
    await closed.promise
    this.#close = null
    return 'closed'
  }

  #read(frame: string): void {
    const fields = new Map(frame.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    const event = fields.get('event')
    const id = fields.get('id')
    if (id !== undefined) {
      this.#position = id
      this.#around.positions.add(id)
    }
    const seq = seqOf(this.#position ?? '0')
    // It was away for so long that it has to list again.
    if (event === 'reset') this.#listedAt = seq
    if (event === undefined || !event.startsWith('incident.')) return
    if (seq <= (this.#seen.at(-1) ?? 0))
      throw new Violation(`stream ${this.#number} got event ${seq} after event ${this.#seen.at(-1)}`)
    this.#seen.push(seq)
  }

  /** Forgets what the log has not any more. */
  #goBack(problem: string): void {
    const { resume_after } = JSON.parse(problem) as { resume_after: string }
    this.#position = resume_after
    this.#isLost = false
    this.#seen.splice(this.#seen.findLastIndex((seq) => seq <= seqOf(resume_after)) + 1)
  }

  /** The log went back in time. */
  restored(log: readonly Change[]): void {
    this.#checked = Math.min(this.#checked, log.length)
    this.#isLost = seqOf(this.#position ?? '0') > log.length
  }

  /** Every change that matched was streamed once, in order, and nothing else. */
  check(log: readonly Change[]): void {
    const since = this.#since
    const position = this.#position
    if (since === null || position === null || this.#isLost) return
    const seen = new Set(this.#seen)
    for (const change of log.slice(this.#checked)) {
      const seq = change.seq!
      if (seq > seqOf(position)) break
      this.#checked++
      const versions = change.incident.versions.filter((version) => version.isPublic && version.asked <= change.asked)
      // Of a correction also the version before; what was withdrawn is not withdrawn again.
      const wasPublic = change.incident.changes.findLast(({ seq: other }) => other !== null && other < seq)
      const isRepeated = change.kind === 'incident.retracted' && wasPublic?.kind === 'incident.retracted'
      const last = isRepeated
        ? []
        : change.incident.versionsFor(change).slice(change.kind === 'incident.updated' ? -2 : -1)
      const concerns = last.some(({ facts }) => matches(this.#filter, facts))
      const isImport = change.kind === 'incident.imported'
      if (seen.has(seq) && (isImport || !versions.some(({ facts }) => matches(this.#filter, facts))))
        throw new Violation(`stream ${this.#number} got event ${seq}, which is not for it`)
      // Of what was lost it was told with its position, or not at all.
      if (!seen.has(seq) && !isImport && !change.isLost && concerns && change.asked > since && seq > this.#listedAt)
        throw new Violation(
          `stream ${this.#number} never got event ${seq}, ${change.kind} of incident ${change.incident.number}`,
        )
    }
  }
}

interface CopiedChange {
  readonly seq: number
  readonly event: string
  readonly incident_id: string
  incident: { readonly summary: string; readonly casualties: { readonly killed: number | null } } | null
}

/** A program that keeps a copy of all incidents: it asks any node for what has changed. */
export class CopyClient {
  readonly #around: Surroundings
  readonly #key: string
  readonly #changes: CopiedChange[] = []
  #position = '0'
  /** Their incidents are to be asked for. */
  #unsure: CopiedChange[] = []

  constructor(around: Surroundings, key: string) {
    this.#around = around
    this.#key = key
  }

  async run(): Promise<void> {
    for (;;) {
      await this.#around.sleep(COPIED_EVERY_MS * (0.5 + this.#around.world.random()))
      await this.follow()
    }
  }

  /** Reads all that a node has; whether one has answered. */
  async follow(): Promise<boolean> {
    const { readyNodes, world } = this.#around
    const node = readyNodes[Math.floor(world.random() * readyNodes.length)]
    const refused = new Set<string>()
    while (await this.#readAgain(node)) {
      const path = `/v1/changes?limit=100&after=${this.#position}`
      const answer =
        node === undefined ? null : await this.#around.askOnce(node, { method: 'GET', path, key: this.#key })
      if (answer?.status === 400) throw new Violation(`a copy at ${this.#position} was answered ${answer.text}`)
      if (answer?.status !== 200 && answer?.status !== 410) return false
      const body = JSON.parse(answer.text) as
        | { readonly resume_after: string }
        | { readonly data: CopiedChange[]; readonly next_after: string; readonly has_more: boolean }
      if ('resume_after' in body) {
        if (refused.has(this.#position)) throw new Violation(`${this.#position} was refused, given and refused again`)
        refused.add(this.#position)
        this.#goBack(body.resume_after)
        continue
      }
      this.#position = body.next_after
      this.#around.positions.add(this.#position)
      for (const change of body.data)
        if (this.#changes.push(change) !== change.seq)
          throw new Violation(`a copy of ${this.#changes.length - 1} changes got change ${change.seq}`)
      if (!body.has_more) return true
      if (body.data.length === 0) throw new Violation(`nothing follows ${this.#position}, but there is more`)
    }
    return false
  }

  /** Forgets what came after; a withdrawal that was lost may have emptied what came before. */
  #goBack(position: string): void {
    if (seqOf(position) >= seqOf(this.#position))
      throw new Violation(`${this.#position} was refused, and is to be continued from ${position}`)
    this.#position = position
    this.#changes.splice(seqOf(position))
    const last = new Map(this.#changes.map((change) => [change.incident_id, change]))
    this.#unsure = [...last.values()].filter(
      ({ event, incident }) => incident === null && event !== 'incident.retracted',
    )
  }

  /** Whether nothing is unsure any more. */
  async #readAgain(node: Node | undefined): Promise<boolean> {
    for (const change of this.#unsure) {
      const request = { method: 'GET', path: `/v1/incidents/${change.incident_id}`, key: this.#key } as const
      const answer = node === undefined ? null : await this.#around.askOnce(node, request)
      if (answer === null || ![200, 404, 410].includes(answer.status)) return false
      if (answer.status === 200) change.incident = JSON.parse(answer.text) as CopiedChange['incident']
    }
    this.#unsure = []
    return true
  }

  /** The copy has what is public, as it is. */
  check(expected: readonly Incident[]): void {
    const copied = new Map<string, string>()
    for (const { incident_id, incident } of this.#changes)
      if (incident === null) copied.delete(incident_id)
      else copied.set(incident_id, `${incident.summary} ${incident.casualties.killed}`)
    const wrong = expected.find(({ id, facts }) => copied.get(id) !== `${facts.summary} ${facts.killed}`)
    if (wrong !== undefined || copied.size !== expected.length)
      throw new Violation(
        `a copy has ${copied.size} incidents, and ${copied.get(wrong?.id ?? '')} as incident ${wrong?.number}; expected: ${expected.length}`,
      )
  }
}
