import type { Incident } from '../../../domain/incident.ts'
import type { Retraction } from '../../../domain/message-content.ts'
import type { WatchEvent } from '../../../domain/watch.ts'
import type { Mails } from '../../../store/store.ts'
import { AlertCap } from '../../alerts/alert-cap.ts'

/** As long as a message says that it counts; see `channels/alert.ts`. */
const COUNTS_FOR_MS = 24 * 3_600_000

export interface AlertAdmissionOptions {
  readonly alertsPerHour: number
  readonly clock: () => number
  readonly random: () => number
}

/** Decides whether a message of an alert without an account is sent now, later, or not any more. */
export class AlertAdmission {
  readonly #cap: AlertCap
  readonly #options: AlertAdmissionOptions

  constructor(mails: Pick<Mails, 'countMail'>, options: AlertAdmissionOptions) {
    this.#cap = new AlertCap(mails, options.alertsPerHour)
    this.#options = options
  }

  /** Returns a time if the message must wait until then. A withdrawal is never outdated. */
  async admit(event: WatchEvent, document: string): Promise<'now' | 'outdated' | number> {
    const now = this.#options.clock()
    const incident = JSON.parse(document) as Incident | Retraction
    if (event !== 'incident.retracted' && 'updated_at' in incident) {
      if (now > Date.parse(incident.updated_at) + COUNTS_FOR_MS) return 'outdated'
    }
    return (await this.#cap.admit(incident.severity, now, this.#options.random)) ?? 'now'
  }
}
