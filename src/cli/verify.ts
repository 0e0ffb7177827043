import { ConfigError } from '../config/setting-kinds.ts'
import { POSITION_MESSAGE, type Position, parsePosition, positionText } from '../event-log/positions.ts'
import type { LogPosition, Store, VerifiedEvent } from '../store/store.ts'
import { DATABASE_OPTION, openStoreOf, parseOptions } from './arguments.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `incident-feed verify [--position …] [--database-url …]

--position  a position that was given earlier and kept elsewhere: the log must still have it`

const BATCH = 1000
/** Of each kind. */
const MOST_PRINTED = 20

/** Walks the log: who changes, adds or removes an event breaks the chain behind it. */
export async function verifyCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, { ...DATABASE_OPTION, position: { type: 'string' } }, USAGE)
  const position = values.position === undefined ? null : parsePosition(values.position)
  if (values.position !== undefined && (position === null || position.hash === ''))
    throw new ConfigError(`--position ${POSITION_MESSAGE}, with its hash\n\n${USAGE}`)
  await using store = await openStoreOf(values, terminal)
  const faults = new Faults(terminal)
  const { events, redacted, unlinked, last } = await walk(store, faults)
  if (position !== null) await requirePosition(store, position, faults)
  const count = new Intl.NumberFormat('en').format
  const gone = redacted > 0 ? `; ${count(redacted)} rewritten by redactions, whose documents cannot be checked` : ''
  terminal.print(`${count(events)} events, ${count(events - unlinked)} of them linked${gone}.`)
  if (unlinked > 0)
    terminal.print(`${count(unlinked)} have no link yet: the running service gives them theirs. Then run this again.`)
  if (faults.count > 0) {
    terminal.printError(`The log was changed, or is damaged: ${count(faults.count)} faults.`)
    terminal.exitCode = 1
  } else terminal.print(`The log is whole. Keep this position elsewhere, and give it next time: ${positionText(last)}`)
}

async function walk(store: Store, faults: Faults) {
  let last: LogPosition = { seq: 0, link: '' }
  let [events, redacted, unlinked] = [0, 0, 0]
  const end = await store.events.head()
  for (;;) {
    const batch = await store.chain.verify(last, BATCH)
    for (const event of batch) {
      events++
      if (event.link === '') unlinked++
      else faults.add(faultOf(event, unlinked > 0))
      if (event.seal === 'redacted') redacted++
    }
    last = batch.at(-1) ?? last
    if (batch.length < BATCH) break
  }
  if (last.seq < end.seq && !(await store.chain.forks()).some(({ seenSeq }) => seenSeq === end.seq))
    faults.add(`events ${last.seq + 1} to ${end.seq}: are missing at the end`)
  return { events, redacted, unlinked, last }
}

function faultOf({ seq, isLinked, seal }: VerifiedEvent, isBehindUnlinked: boolean): string | null {
  if (isBehindUnlinked) return `event ${seq}: has a link, but one before it has none`
  if (!isLinked) return `event ${seq}: does not follow the event before it; one of them was changed, or some between`
  return seal === 'changed' ? `event ${seq}: its document was changed, and no redaction says so` : null
}

async function requirePosition(store: Store, { seq, hash, text }: Position, faults: Faults): Promise<void> {
  const link = await store.events.linkOf(seq)
  if (!link?.startsWith(hash)) faults.add(`position ${text}: is not in the log any more`)
}

class Faults {
  readonly #terminal: Terminal
  count = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  add(fault: string | null): void {
    if (fault !== null && ++this.count <= MOST_PRINTED) this.#terminal.printError(fault)
  }
}
