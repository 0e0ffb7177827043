import type { AttachedRecords } from './queries/idempotency.ts'
import { queries } from './queries/queries.ts'
import { type AppendedEvents, eventsWritten, planWrite, type WritePlan } from './queries/write-plan.ts'
import {
  type LogHead,
  type NewAuditEntry,
  NewerSchema,
  type NotificationTopic,
  type Quotas,
  type ReceiptStore,
  type Redactions,
  type Snapshot,
  type Sources,
  type Store,
  StoreBusy,
  StoreFull,
  StoreUnavailable,
  type Tips,
  type WritableStore,
} from './store.ts'

/** A database: runs the methods of the store's parts. */
interface Engine {
  call: Call
  /** Commits the records with what the call writes. */
  callAttaching(attached: AttachedRecords, ...call: Parameters<Call>): Promise<AttachingResult>
  snapshot(): Promise<Snapshot>
  listen(topic: NotificationTopic, listener: () => void): () => void
  /** Notifies this process at once of events up to the head. */
  onAppended(head: LogHead): void
  readonly quotas: Quotas | null
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
}

/** Methods that each engine writes by itself, because speed or locking differs. */
const OWN_METHODS = {
  deliveries: ['lease', 'leaseOfWatch', 'recordAttempts', 'add'],
  fanOut: ['write'],
  redactions: ['erase'],
} as const

type OwnMethods = typeof OWN_METHODS
export type OwnParts = {
  readonly [Name in keyof OwnMethods]: Pick<Store[Name], OwnMethods[Name][number] & keyof Store[Name]>
}

export type Call = (part: string, method: string, values: readonly unknown[]) => Promise<unknown>

interface AttachingResult {
  readonly value: unknown
  readonly receiptStored: boolean
}

type PartName = Exclude<
  keyof Store,
  'reader' | 'quotas' | 'readTime' | 'isAway' | 'withReceipt' | 'withAudit' | typeof Symbol.asyncDispose
>
type WritablePart = Exclude<keyof WritableStore, 'withAudit'>

/** The store without what only one engine has. */
export function assembleStore(database: Engine): Omit<Store, 'readTime' | typeof Symbol.asyncDispose> {
  const reachability = new Reachability(database.elapsed)
  const { quotas } = database
  const engine: Engine = {
    ...database,
    call: (...values) => reachability.observe(() => database.call(...values)),
    callAttaching: (...values) => reachability.observe(() => database.callAttaching(...values)),
  }
  const named = (Object.keys(queries) as PartName[]).map((name) => [name, partOf(engine, engine.call, name)])
  const parts = Object.fromEntries(named) as Pick<Store, PartName>
  const { after, followHead, onAppend } = parts.events
  return {
    ...parts,
    reader: { snapshot: parts.incidents.snapshot, after, followHead, onAppend, lagMs: 0, isStandby: false },
    quotas: quotas && {
      reserve: (...values) => reachability.observe(() => quotas.reserve(...values)),
      deleteExpired: (...values) => reachability.observe(() => quotas.deleteExpired(...values)),
    },
    isAway: () => reachability.isAway,
    withReceipt: (receipt) => attachingStore(engine, { receipt }),
    withAudit: (auditEntry) => attachingStore(engine, { auditEntry }),
  }
}

/** No call of a request takes longer while the database works. */
const SILENT_AFTER_MS = 1_500

/**
 * Knows that the database is away: since it last answered, it has refused a call, or kept one
 * waiting for long. A node makes several calls a second by itself, so it soon knows of the return.
 */
class Reachability {
  readonly #elapsed: () => number
  #answeredAt = Number.NEGATIVE_INFINITY
  #hasRefused = false
  #pending = 0
  /** The start of the first call since the last answer. */
  #waitingSince: number | null = null

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  get isAway(): boolean {
    return this.#hasRefused || (this.#waitingSince !== null && this.#elapsed() - this.#waitingSince > SILENT_AFTER_MS)
  }

  async observe<Result>(call: () => Promise<Result>): Promise<Result> {
    const startedAt = this.#elapsed()
    this.#waitingSince ??= startedAt
    this.#pending++
    try {
      const result = await call()
      this.#recordAnswer()
      return result
    } catch (error) {
      const isAnswer = error instanceof StoreFull || error instanceof NewerSchema
      if (!(error instanceof StoreUnavailable) || isAnswer) this.#recordAnswer()
      // A call that waited in vain for a connection has not reached the database.
      else if (!(error instanceof StoreBusy) && startedAt >= this.#answeredAt) this.#hasRefused = true
      throw error
    } finally {
      if (--this.#pending === 0) this.#waitingSince = null
    }
  }

  #recordAnswer(): void {
    this.#answeredAt = this.#elapsed()
    this.#hasRefused = false
    this.#waitingSince = null
  }
}

/**
 * Every call commits the records with what it writes. A request uses one part: others stay unmade.
 */
function attachingStore(engine: Engine, attached: AttachedRecords, onReceiptStored = () => {}): ReceiptStore {
  const call: Call = async (...values) => {
    const { value, receiptStored } = await engine.callAttaching(attached, ...values)
    if (receiptStored) noteStored()
    return value
  }
  const noteStored = () => {
    store.receiptStored = true
    onReceiptStored()
  }
  const store: Partial<Record<string, unknown>> = {
    receiptStored: false,
    withAudit: (auditEntry: NewAuditEntry) => attachingStore(engine, { ...attached, auditEntry }, noteStored),
  }
  const get = (_: object, name: string) => {
    // A promise that is resolved with the store asks for `then`.
    if (Object.hasOwn(queries, name)) store[name] ??= partOf(engine, call, name as WritablePart)
    return store[name]
  }
  return new Proxy(store, { get }) as unknown as ReceiptStore
}

/** One method for each query, and for each that the engine writes by itself. */
function partOf<Name extends PartName>(engine: Engine, call: Call, name: Name): Store[Name] {
  const own: readonly string[] = (OWN_METHODS as Partial<Record<string, readonly string[]>>)[name] ?? []
  const methods = [...Object.keys(queries[name]), ...own]
  const part = Object.fromEntries(
    methods.map((method) => [method, (...values: unknown[]) => call(name, method, values)]),
  ) as unknown
  const adapted = ADAPTED[name] as ((engine: Engine, part: unknown) => Store[Name]) | undefined
  return adapted?.(engine, part) ?? (part as Store[Name])
}

/** Incidents are written as a plan, which is made outside of the database's thread. */
interface PlannedMethods {
  incidents: { save(plan: WritePlan): Promise<AppendedEvents> }
  redactions: {
    apply(write: Omit<Parameters<Redactions['apply']>[0], 'changes'>, plan: WritePlan): Promise<AppendedEvents>
  }
  tips: {
    add(tip: Parameters<Tips['add']>[0], plan: WritePlan, use: Parameters<Tips['add']>[2]): ReturnType<Tips['add']>
    addTo(addition: Omit<Parameters<Tips['addTo']>[0], 'change'>, plan: WritePlan): ReturnType<Tips['addTo']>
  }
  sources: {
    saveItem(owner: string, write: Parameters<Sources['saveItem']>[1], plan: WritePlan): ReturnType<Sources['saveItem']>
  }
}

type Planned<Name extends keyof PlannedMethods> = Omit<Store[Name], keyof PlannedMethods[Name]> & PlannedMethods[Name]
type Adapted = {
  readonly [Name in PartName]?: (
    engine: Engine,
    part: Name extends keyof PlannedMethods ? Planned<Name> : Store[Name],
  ) => Store[Name]
}

const ADAPTED: Adapted = {
  incidents: (engine, incidents) => ({
    ...incidents,
    async save(changes, now, batch) {
      if (changes.length === 0 && batch === undefined) return []
      const plan = planWrite(changes, now, batch)
      const head = await incidents.save(plan)
      if (plan.events.length > 0) engine.onAppended(head)
      return eventsWritten(plan, head)
    },
    snapshot: () => engine.snapshot(),
  }),
  redactions: (engine, redactions) => ({
    ...redactions,
    async apply({ changes, ...write }, now) {
      const plan = planWrite(changes, now)
      const head = await redactions.apply(write, plan)
      if (plan.events.length > 0) engine.onAppended(head)
      return eventsWritten(plan, head).map((event) => ({ ...event, redacted: true }))
    },
  }),
  tips: (_, tips) => ({
    ...tips,
    add: async (tip, report, submission) => tips.add(tip, planWrite([report], tip.receivedAt), submission),
    addTo: async ({ change, ...addition }, now) => tips.addTo(addition, planWrite([change], now)),
  }),
  sources: (_, sources) => ({
    ...sources,
    saveItem: async (owner, write, now) => sources.saveItem(owner, write, planWrite(write.reports, now)),
  }),
  events: ({ listen }, events) => ({ ...events, onAppend: (listener) => listen('events', listener) }),
  desk: ({ listen }, desk) => ({ ...desk, onChange: (listener) => listen('desk', listener) }),
  watches: ({ listen }, watches) => ({ ...watches, onChange: (listener) => listen('watches', listener) }),
  deliveries: ({ listen }, deliveries) => ({ ...deliveries, onDue: (listener) => listen('deliveries', listener) }),
  gazetteer: ({ listen }, gazetteer) => ({ ...gazetteer, onChange: (listener) => listen('gazetteer', listener) }),
}
