import { RequestError, request } from '../shared/parts/request.ts'
import { type Claim, type DeskIncident, incidentPath } from './desk-api.ts'
import { personId, serverNow } from './person.ts'
import { replaceRow } from './queue.ts'
import { claimHolder } from './queue-filter.ts'
import { currentId, knownIncident, noteIncident } from './report.ts'

/**
 * A report is claimed once one has looked at it for so long, not while leafing through the list.
 */
const SETTLE_MS = 1500
/** Well before a claim lapses. */
const RENEW_MS = 5 * 60_000

/** The report that this page has claimed. */
let ownClaim: string | null = null

/** The report whose claim is on its way: it must be released even if its answer is never seen. */
let askedFor: string | null = null

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Claims the current report after a moment, renews the claim, and releases it when one moves on.
 */
export function startClaims(): void {
  const settle = () => {
    clearTimeout(timer)
    const id = currentId.get()
    if (ownClaim !== null && ownClaim !== id) void releaseClaim(ownClaim)
    if (id !== null) timer = setTimeout(() => void claimReport(id), SETTLE_MS)
  }
  currentId.subscribe(settle)
  settle()
  setInterval(() => {
    const id = currentId.get()
    if (id !== null && document.visibilityState === 'visible') void claimReport(id)
  }, RENEW_MS)
  addEventListener('pagehide', () => {
    const id = ownClaim ?? askedFor
    if (id !== null) void fetch(incidentPath(id, 'release'), { method: 'POST', keepalive: true }).catch(() => {})
  })
}

/** The claim of a colleague that has not lapsed. */
export function foreignClaim(incident: DeskIncident): Claim | null {
  const holder = claimHolder(incident, serverNow())
  return holder !== null && holder !== personId() ? incident.desk.claim : null
}

/** Claims an open report for this page; a colleague's claim stays unless it is taken over. */
export async function claimReport(id: string, takeOver = false): Promise<void> {
  const known = knownIncident(id)
  if (known === null || known.status !== 'reported' || (!takeOver && foreignClaim(known) !== null)) return
  askedFor = id
  try {
    const body = takeOver ? { take_over: true } : {}
    noteClaimed(await request<DeskIncident>('POST', incidentPath(id, 'claim'), { body }))
    if (currentId.get() === id) ownClaim = id
    else void releaseClaim(id)
  } catch (error) {
    // A colleague was faster, or the service is away: the stream brings whose claim it is.
    if (!(error instanceof RequestError)) throw error
    // Leaving the page ends its requests first: the claim may have been made all the same.
    if (error.status === 0) return
  }
  if (askedFor === id) askedFor = null
}

async function releaseClaim(id: string): Promise<void> {
  if (ownClaim === id) ownClaim = null
  try {
    noteClaimed(await request<DeskIncident>('POST', incidentPath(id, 'release')))
  } catch (error) {
    // It lapses by itself.
    if (!(error instanceof RequestError)) throw error
  }
}

/** A decision ends the claim at the service. */
export function forgetClaim(id: string): void {
  if (ownClaim === id) ownClaim = null
}

function noteClaimed(answer: DeskIncident): void {
  const known = knownIncident(answer.id)
  if (known === null || known.version !== answer.version || known.status !== answer.status) return
  const next = { ...known, desk: { ...known.desk, claim: answer.desk.claim } }
  noteIncident(next)
  replaceRow(next)
}
