import type { IncidentChange } from './incidents.ts'

/** The person behind a report: how to reach them, and how they prove that it is theirs. */
export interface Tip {
  /** Hash of the reference number. */
  readonly referenceHash: string
  readonly incidentId: string
  readonly receivedAt: number
  /** Null if none was given, or it was erased. */
  readonly contact: string | null
  /** The number of additions. */
  readonly additions: number
}

/** One sending of a form or of a request, by the challenge that it answers. */
export interface TipSubmission {
  readonly challengeHash: string
  /** Differs for other content. */
  readonly fingerprint: string
}

export interface TipAddition {
  readonly referenceHash: string
  /** The note in the history of the report, or of the incident that it was merged into. */
  readonly change: IncidentChange
  /** Replaces the one before; null keeps it. */
  readonly contact: string | null
  readonly submission: TipSubmission
  readonly maxAdditions: number
}

/**
 * Tips from the public. A challenge is used once: a second submission with it writes nothing, and
 * `findSubmission` tells a repetition from other content.
 */
export interface Tips {
  /** Returns the secret of all nodes; stores `proposed` if there is none. */
  secret(proposed: string): Promise<string>
  findSubmission(challengeHash: string): Promise<TipSubmission | null>
  /** Saves the report and the tip. False if the challenge was used. */
  add(tip: Omit<Tip, 'additions'>, report: IncidentChange, submission: TipSubmission): Promise<boolean>
  findByReference(referenceHash: string): Promise<Tip | null>
  /**
   * Rejects with `StaleVersion`, and writes nothing, if the incident is not what the change
   * replaces.
   */
  addTo(addition: TipAddition, now: number): Promise<true | 'used' | 'unknown' | 'too_many'>
  /** The tips that became these incidents. */
  ofIncidents(incidentIds: readonly string[]): Promise<Tip[]>
  /**
   * Deletes up to `limit` tips received before `receivedBefore`, and as many submissions made
   * before `submittedBefore`. Returns how many.
   */
  deleteExpired(receivedBefore: number, submittedBefore: number, limit: number): Promise<number>
}
