import { type Change, type Filter, matches, Violation } from './model.ts'
import type { Node } from './nodes.ts'
import type { World } from './world.ts'

const RECONNECT_MS = 500
/** A refused client asks again later: its account may be unblocked. */
const REFUSED_MS = 20_000

/** The world of a client. */
interface Surroundings {
  readonly world: Pick<World, 'now' | 'random'>
  readonly readyNodes: readonly Node[]
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
  #position: number | null = null
  #checked = 0
  #listedAt = 0
  #close: (() => void) | null = null

  constructor(around: Surroundings, number: number, key: string, filter: Filter, isFromStart: boolean) {
    this.#around = around
    this.#number = number
    this.#key = key
    this.#filter = filter
    if (isFromStart) [this.#position, this.#since] = [0, Number.NEGATIVE_INFINITY]
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
        ...(this.#position === null ? {} : { 'last-event-id': String(this.#position) }),
      },
      read,
      closed.resolve,
    )
    if (stream?.status !== 200) {
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
    const position = Number(fields.get('id'))
    const event = fields.get('event')
    if (fields.has('id')) this.#position = position
    // It was away for so long that it has to list again.
    if (event === 'reset') this.#listedAt = position
    if (event === undefined || !event.startsWith('incident.')) return
    if (position <= (this.#seen.at(-1) ?? 0))
      throw new Violation(`stream ${this.#number} got event ${position} after event ${this.#seen.at(-1)}`)
    this.#seen.push(position)
  }

  /** The log went back in time: what was streamed since did not happen. */
  restored(log: readonly Change[]): void {
    const last = log.at(-1)?.seq ?? 0
    this.#seen.splice(this.#seen.findLastIndex((seq) => seq <= last) + 1)
    this.#checked = Math.min(this.#checked, log.length)
  }

  /** Every change that matched was streamed once, in order, and nothing else. */
  check(log: readonly Change[]): void {
    const since = this.#since
    const position = this.#position
    if (since === null || position === null) return
    const seen = new Set(this.#seen)
    for (const change of log.slice(this.#checked)) {
      const seq = change.seq!
      if (seq > position) break
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
      if (!seen.has(seq) && !isImport && concerns && change.asked > since && seq > this.#listedAt)
        throw new Violation(
          `stream ${this.#number} never got event ${seq}, ${change.kind} of incident ${change.incident.number}`,
        )
    }
  }
}
