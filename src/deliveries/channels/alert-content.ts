import type { Language } from '../../domain/languages.ts'
import type { Severity } from '../../domain/taxonomy.ts'

export type AlertKind = 'new' | 'corrected' | 'retracted'

/**
 * The content of a message for people, complete by the rule of public warnings: who says it, what,
 * where, when, how sure, what to do, where to read more, and until when it counts. Plain text: each
 * channel escapes it.
 */
export interface Alert {
  readonly kind: AlertKind
  readonly incidentId: string
  /** Of everything but what editors and the operator wrote. */
  readonly language: Language
  readonly severity: Severity
  readonly title: string
  readonly summary: string | null
  readonly facts: readonly Fact[]
  /** What the operator advises for this type of incident. */
  readonly advice: string | null
  /** The heading above the advice. */
  readonly adviceLabel: string
  /** What to do with the message before this one; how long this one counts. */
  readonly note: string
  readonly link: string
  /** What the link opens, as an order to the reader. */
  readonly linkText: string
  /**
   * Of several incidents in one message, each in a line; `summary` has the same lines without
   * links.
   */
  readonly entries: readonly AlertEntry[]
  readonly footer: string
}

export interface AlertEntry {
  readonly text: string
  readonly link: string
}

export interface Fact {
  readonly label: string
  readonly value: string
}
