import type { Incident } from '../domain/incident.ts'
import type { MergedIncident } from '../store/store.ts'

/**
 * Incidents that were public once: requests for them are answered otherwise than for unknown ones.
 */
export class Withdrawn {
  readonly #retracted = new Set<string>()
  /** By id: the one that remains. */
  readonly #merged = new Map<string, string>()

  addAll(retracted: Iterable<string>, merged: Iterable<MergedIncident>): void {
    for (const id of retracted) this.#retracted.add(id)
    for (const { id, into } of merged) this.#merged.set(id, into)
  }

  /** Takes note of an incident that is not public now. */
  add({ id, status, merged_into: into }: Incident): void {
    if (status === 'retracted') this.#retracted.add(id)
    if (into !== undefined) this.#merged.set(id, into)
  }

  /** The incident is public again. */
  remove(id: string): void {
    this.#retracted.delete(id)
    this.#merged.delete(id)
  }

  isRetracted(id: string): boolean {
    return this.#retracted.has(id)
  }

  mergedInto(id: string): string | null {
    return this.#merged.get(id) ?? null
  }

  get contents(): { readonly retracted: string[]; readonly merged: MergedIncident[] } {
    return { retracted: [...this.#retracted], merged: Array.from(this.#merged, ([id, into]) => ({ id, into })) }
  }
}
