import type { Tip, TipSubmission } from '../tips.ts'

// Both dialects have the same column names.

export interface TipRow {
  reference_hash: string
  incident_id: string
  received_at: number
  contact: string | null
  additions: number
}

export function tipOf({ reference_hash, incident_id, received_at, contact, additions }: TipRow): Tip {
  return { referenceHash: reference_hash, incidentId: incident_id, receivedAt: received_at, contact, additions }
}

export interface TipSubmissionRow {
  challenge_hash: string
  fingerprint: string
}

export function submissionOf({ challenge_hash, fingerprint }: TipSubmissionRow): TipSubmission {
  return { challengeHash: challenge_hash, fingerprint }
}
