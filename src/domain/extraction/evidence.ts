/** The fields of a proposed report that are read from words of the text. */
export const EVIDENCE_FIELDS = ['type', 'place', 'occurred_at', 'killed', 'injured', 'abducted'] as const
export type EvidenceField = (typeof EVIDENCE_FIELDS)[number]

/** The words that a field was read from. */
export interface Evidence {
  readonly field: EvidenceField
  readonly source: 'title' | 'text'
  readonly start: number
  readonly end: number
  readonly text: string
  /** From 0 to 1. */
  readonly score: number
}
