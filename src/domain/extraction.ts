/** Characters of a story that are read. */
export const MAX_STORY_LENGTH = 20_000

/** The fields of a proposed report that are read from words of the text. */
export const EVIDENCE_FIELDS = ['type', 'place', 'occurred_at', 'killed', 'injured', 'abducted'] as const
export type EvidenceField = (typeof EVIDENCE_FIELDS)[number]
