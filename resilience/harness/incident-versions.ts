/**
 * An incident as the service returned it; only the members that the harness itself reads are named.
 */
export interface KnownIncident {
  readonly id: string
  readonly version: number
  readonly status: string
  readonly state: string
  readonly severity: string
  readonly [member: string]: unknown
}

/**
 * Every version of every incident, as acknowledged at the desk. It is what messages, streams and
 * lists are compared with: the changes feed cannot serve for that, because it no longer shows an
 * incident that was retracted.
 */
export class IncidentVersions {
  readonly #byId = new Map<string, Map<number, { incident: KnownIncident; at: number }>>()

  /** Takes the body of a response of `/v1/desk/incidents/{id}`; ignores reports. */
  recordDeskResponse({ desk: _, ...incident }: Record<string, unknown>): void {
    if (incident.status === 'confirmed' || incident.status === 'retracted') this.record(incident as KnownIncident)
  }

  /** `at` is the moment from which the version was known to exist, on the monotonic clock. */
  record(incident: KnownIncident, at = performance.now()): void {
    const versions = this.#byId.get(incident.id) ?? new Map()
    if (!versions.has(incident.version)) versions.set(incident.version, { incident, at })
    this.#byId.set(incident.id, versions)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  find(id: string, version: number): KnownIncident | null {
    return this.#byId.get(id)?.get(version)?.incident ?? null
  }

  /** The time at which the version was acknowledged; null if it is not known. */
  acknowledgedAt(id: string, version: number): number | null {
    return this.#byId.get(id)?.get(version)?.at ?? null
  }

  newest(id: string): KnownIncident | null {
    const versions = this.#byId.get(id)
    return versions ? versions.get(Math.max(...versions.keys()))!.incident : null
  }

  /** The newest version of every incident. */
  current(): KnownIncident[] {
    return [...this.#byId.keys()].map((id) => this.newest(id)!)
  }

  /** All acknowledged versions. */
  all(): KnownIncident[] {
    return [...this.#byId.values()].flatMap((versions) => [...versions.values()].map(({ incident }) => incident))
  }
}
