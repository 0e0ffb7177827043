import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SEVERITIES } from '../../src/domain/taxonomy.ts'
import { aReport } from '../../test/support/incident.ts'
import { type ApiResponse, type Client, NoResponse } from './clients/client.ts'
import type { IncidentVersions } from './incident-versions.ts'

const PLACES = [
  ['Zamfara', 'Gusau'],
  ['Kaduna', 'Kaduna'],
  ['Borno', 'Maiduguri'],
] as const
/**
 * The chance that a confirmation is followed by a correction, and by the retraction of an older
 * incident.
 */
const CORRECTED = 0.35
const RETRACTED = 0.4
/** A key that is held for longer than this is never released. */
const MAX_CLAIM_MS = 60_000
const CLAIM_RETRY_MS = 250
/** Retracting at once would leave little to deliver; the older of these is retracted. */
const KEPT_BEFORE_RETRACTION = 4
/** Not in this state; another version. */
const CONFLICTS = [409, 412]
/** The severities that a watch of the harness filters by. */
const SEVERE: readonly string[] = ['high', 'critical']

/** Reports, confirms, corrects and retracts incidents, and continues after every fault. */
export class Operators {
  readonly #client: Client
  readonly #random: () => number
  readonly #maxPauseMs: number
  readonly #versions: IncidentVersions
  /** The ids of incidents whose confirmation the service has acknowledged. */
  readonly confirmed = new Set<string>()
  /** The number of each acknowledged report, and the id that the service gave it. */
  readonly reported = new Map<number, string>()
  #count = 0
  #severeCorrections = 0

  constructor(client: Client, random: () => number, maxPauseMs: number, versions: IncidentVersions) {
    this.#client = client
    this.#random = random
    this.#maxPauseMs = maxPauseMs
    this.#versions = versions
  }

  /** Works on one incident after the other until `stop` is aborted. */
  async work(stop: AbortSignal): Promise<void> {
    const kept: string[] = []
    while (!stop.aborted) {
      const id = await this.#report()
      await this.#changeStatus(id, 'confirm', 'confirmed')
      this.confirmed.add(id)
      kept.push(id)
      if (this.#random() < CORRECTED) await this.#correct(this.#pick(kept))
      if (kept.length > KEPT_BEFORE_RETRACTION && this.#random() < RETRACTED)
        await this.#changeStatus(kept.shift()!, 'retract', 'retracted')
      if (kept.length > 2 * KEPT_BEFORE_RETRACTION) kept.shift()
      await wait(this.#random() * this.#maxPauseMs)
    }
  }

  /** Posts a report until it is answered, always with the same `Idempotency-Key`. */
  async #report(): Promise<string> {
    const [state, place] = this.#pick(PLACES)
    const number = ++this.#count
    const report = aReport({
      state,
      place,
      severity: this.#pick(SEVERITIES),
      occurred_at: new Date(Date.UTC(2020, 0, 1) + number * 7_200_000).toISOString(),
      summary: `Report number ${number}.`,
      sources: [{ url: `https://example.org/story-${number}`, publisher: 'Example Daily' }],
    })
    const headers = { 'idempotency-key': randomUUID() }
    const deadline = performance.now() + MAX_CLAIM_MS
    const post = () => this.#client.requestUntilAnswered('POST', '/v1/reports', report, headers)
    let answer = await post()
    // A process that died, or is frozen, may hold the key for some seconds.
    while (answer.body.code === 'idempotency_key_in_use' && performance.now() < deadline) {
      await wait(CLAIM_RETRY_MS)
      answer = await post()
    }
    const { status, body } = answer
    if (status !== 201) throw new Error(`reporting got status ${status}: ${JSON.stringify(body)}`)
    this.reported.set(number, body.id as string)
    return body.id as string
  }

  async #changeStatus(id: string, transition: string, to: string): Promise<void> {
    await this.#change(
      id,
      () => this.#client.requestWhenReady('POST', `/v1/desk/incidents/${id}/${transition}`, {}),
      ({ status }) => status === to,
    )
  }

  /** Changes the figures and the summary, and sometimes what the filters of watches look at. */
  async #correct(id: string): Promise<void> {
    const { version, summary, severity } = this.#versions.newest(id)!
    const changes = {
      summary: `${String(summary).replace(/ Correction \d+\.$/, '')} Correction ${version}.`,
      casualties: { injured: Math.floor(this.#random() * 20) },
      ...this.#correctedSeverity(severity),
    }
    await this.#change(
      id,
      () => this.#client.requestWhenReady('PATCH', `/v1/desk/incidents/${id}`, changes, { 'if-match': `"${version}"` }),
      (current) => (current.version as number) > version,
    )
    const corrected = this.#versions.find(id, version + 1)
    if (corrected?.summary !== changes.summary)
      throw new Error(`the correction of ${id} was acknowledged as ${JSON.stringify(corrected)}`)
  }

  /** Every second correction of a severe incident, the first included, takes it out of a filter. */
  #correctedSeverity(severity: string): { readonly severity?: string } {
    if (SEVERE.includes(severity) && this.#severeCorrections++ % 2 === 0) return { severity: 'low' }
    return this.#random() < 0.5 ? { severity: this.#pick(SEVERITIES) } : {}
  }

  /**
   * Reads the incident after a request without response, because the change may have been made.
   */
  async #change(
    id: string,
    send: () => Promise<ApiResponse>,
    isDone: (current: Record<string, unknown>) => boolean,
  ): Promise<void> {
    for (let isRetry = false; ; isRetry = true) {
      let current: Record<string, unknown>
      try {
        const { status, body } = await send()
        if (status === 404) throw new Error(`${id} was acknowledged, and is lost`)
        // An earlier request, which had no response, may have been carried out late.
        if (isRetry && CONFLICTS.includes(status)) throw new NoResponse(JSON.stringify(body))
        if (status !== 200) throw new Error(`changing ${id} got status ${status}: ${JSON.stringify(body)}`)
        current = body
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
        current = (await this.#client.requestUntilAnswered('GET', `/v1/desk/incidents/${id}`)).body
      }
      if (!isDone(current)) continue
      this.#versions.recordDeskResponse(current)
      return
    }
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!
  }
}
