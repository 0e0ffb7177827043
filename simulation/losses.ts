import { type Change, Incident, type Kind, type Model, type Repair, type Span, Violation } from './model.ts'
import type { Answer, Request } from './nodes.ts'

/* The database loses its end, as after a failover to a standby that was behind. */

/**
 * Of each incident that was told of what was lost: it is as it was, or withdrawn if it was not
 * public. `isKnown` tells which events no node lacks, and some node has had since they came.
 */
export function repairsOf(lost: Model, kept: Model, isKnown: (seq: number) => boolean): Map<string, Repair> {
  const told = lost.log.slice(kept.log.length).filter(({ kind }) => kind !== 'incident.imported')
  const repairs = new Map<string, Repair>()
  for (const [id, changes] of Map.groupBy(told, ({ incident }) => incident.id)) {
    const stored = kept.find(id)
    const last = changes.at(-1)!
    const published = changes.filter(({ kind }) => kind !== 'incident.retracted')
    const wasPublic = published.length > 0
    // Not all may have been told of a withdrawal that was lost; a node may remember only that.
    const isKnownAsPublic = stored?.isPublic === true || !wasPublic || published.some(({ seq }) => isKnown(seq!))
    const isSure = isKnown(last.seq!) && isKnownAsPublic
    const kinds = (isSure ? [last] : changes).flatMap((change) => answerTo(change, wasPublic, stored) ?? [])
    const decide = (kind: Kind, span: Span) => {
      const isUpdate = kind === 'incident.updated'
      const incident = isUpdate ? stored! : withdrawn(last, stored, kept)
      const status = isUpdate || incident.status === 'merged' ? incident.status : 'retracted'
      incident.decided(status, incident.facts, kind, span, !isUpdate)
      return incident
    }
    if (kinds.length > 0) repairs.set(id, { isDone: false, isSure, kinds, decide })
  }
  return repairs
}

/** Null if nobody has to be told. `wasPublic`: some event that was lost had published it. */
function answerTo({ kind, incident }: Change, wasPublic: boolean, stored: Incident | undefined): Kind | null {
  if (stored?.isPublic !== true) return wasPublic ? 'incident.retracted' : null
  const isWithdrawn = kind === 'incident.retracted' && incident.status !== 'merged'
  return isWithdrawn ? 'incident.retracted' : 'incident.updated'
}

/** The desk finds it as it was last published. */
function withdrawn(
  { incident: was, facts, asked, answered }: Change,
  stored: Incident | undefined,
  kept: Model,
): Incident {
  if (stored?.versions.some(({ isPublic }) => isPublic)) return stored
  const span = { asked, answered }
  const known = kept.find(was.id)
  const incident = known ?? new Incident(was.id, kept.incidents.length + 1, facts, span)
  incident.facts = facts
  incident.publishedAt = was.publishedAt
  incident.versions.push({ ...span, facts, isPublic: true, isImported: false })
  if (known === undefined) kept.add(incident)
  return incident
}

/** At each comparison. */
const LOST_ASKED = 6
const KEPT_ASKED = 3

/** Asks any node until one answers. */
interface Asking {
  readonly world: { random(): number }
  ask(request: Request): Promise<{ readonly answer: Answer }>
}

/** Positions that clients were given, and for each whether the log still has it. */
export class GivenPositions {
  /** The last event that is in the log and was before the position; null for one in the log. */
  readonly #given = new Map<string, number | null>()
  /** While nodes may not know of a loss. */
  isClosed = false

  add(position: string): void {
    if (!this.isClosed && !this.#given.has(position)) this.#given.set(position, null)
  }

  /** The log ends there, and goes on on another branch. */
  lose(lastSeq: number): void {
    for (const [position, common] of this.#given)
      if ((common ?? seqOf(position)) > lastSeq) this.#given.set(position, lastSeq)
  }

  /** A lost one is refused, with the last that is on both branches; all others are continued. */
  async check(asking: Asking): Promise<void> {
    const given = [...this.#given]
    const isLost = ([, common]: (typeof given)[number]) => common !== null
    const lost = given.filter(isLost)
    const kept = given.filter((each) => !isLost(each))
    for (const [of, count] of [
      [lost, LOST_ASKED],
      [kept, KEPT_ASKED],
    ] as const)
      for (let asked = 0; asked < count && of.length > 0; asked++) {
        const [position, common] = of[Math.floor(asking.world.random() * of.length)]!
        await checkPosition(asking, position, common)
      }
  }
}

async function checkPosition(asking: Asking, position: string, common: number | null): Promise<void> {
  const ask = (after: string) => asking.ask({ method: 'GET', path: `/v1/changes?limit=1&after=${after}` })
  const { answer } = await ask(position)
  const { resume_after, data } = JSON.parse(answer.text) as { resume_after?: string; data?: { seq: number }[] }
  if (answer.status !== (common === null ? 200 : 410))
    throw new Violation(`the position ${position}, of which ${common} is left, was answered ${answer.status}`)
  if (common === null && data!.length > 0 && data![0]!.seq !== seqOf(position) + 1)
    throw new Violation(`event ${data![0]!.seq} follows the position ${position}`)
  if (common === null) return
  // Earlier than necessary if the fork that it names was lost as well.
  const isCommon = resume_after !== undefined && seqOf(resume_after) <= common
  if (!isCommon || (await ask(resume_after)).answer.status !== 200)
    throw new Violation(`the lost position ${position} goes on from ${resume_after}; expected: ${common}`)
}

/** Clients need not know how a position is written; the simulation does. */
export function seqOf(position: string): number {
  return Number.parseInt(position, 10)
}
