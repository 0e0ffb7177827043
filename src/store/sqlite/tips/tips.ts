import { submissionOf, type TipRow, type TipSubmissionRow, tipOf } from '../../shared/tip-rows.ts'
import type { WritePlan } from '../../shared/write-plan.ts'
import type { Tip, TipAddition, TipSubmission } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { incidents } from '../incidents/incidents.ts'

const TIP = 'reference_hash, incident_id, received_at, contact, additions'

export function tips(database: Database) {
  return {
    secret(proposed: string): string {
      return database.transaction(() => {
        database.run('INSERT INTO tip_secret VALUES (1, ?) ON CONFLICT DO NOTHING', [proposed])
        return database.get<{ secret: string }>('SELECT secret FROM tip_secret')!.secret
      })
    },

    findSubmission(challengeHash: string): TipSubmission | null {
      const row = database.get<TipSubmissionRow>(
        'SELECT challenge_hash, fingerprint FROM tip_submissions WHERE challenge_hash = ?',
        [challengeHash],
      )
      return row === undefined ? null : submissionOf(row)
    },

    /** `plan` is that of the report. */
    add(tip: Omit<Tip, 'additions'>, plan: WritePlan, submission: TipSubmission): boolean {
      return database.transaction(() => {
        if (!use(database, submission, tip.receivedAt)) return false
        database.run('INSERT INTO tips (reference_hash, incident_id, received_at, contact) VALUES (?, ?, ?, ?)', [
          tip.referenceHash,
          tip.incidentId,
          tip.receivedAt,
          tip.contact,
        ])
        incidents(database).save(plan)
        return true
      })
    },

    findByReference(referenceHash: string): Tip | null {
      const row = database.get<TipRow>(`SELECT ${TIP} FROM tips WHERE reference_hash = ?`, [referenceHash])
      return row === undefined ? null : tipOf(row)
    },

    /** `plan` is that of the note. */
    addTo(addition: Omit<TipAddition, 'change'>, plan: WritePlan): true | 'used' | 'unknown' | 'too_many' {
      const { referenceHash, contact, submission, maxAdditions } = addition
      return database.transaction(() => {
        const tip = database.get<TipRow>(`SELECT ${TIP} FROM tips WHERE reference_hash = ?`, [referenceHash])
        if (tip === undefined) return 'unknown'
        if (tip.additions >= maxAdditions) return 'too_many'
        if (!use(database, submission, plan.now)) return 'used'
        database.run(
          'UPDATE tips SET additions = additions + 1, contact = coalesce(?, contact) WHERE reference_hash = ?',
          [contact, referenceHash],
        )
        incidents(database).save(plan)
        return true
      })
    },

    ofIncidents(incidentIds: readonly string[]): Tip[] {
      return database
        .all<TipRow>(
          `SELECT ${TIP} FROM tips WHERE incident_id IN (SELECT value FROM json_each(?)) ORDER BY received_at`,
          [JSON.stringify(incidentIds)],
        )
        .map(tipOf)
    },

    deleteExpired(receivedBefore: number, submittedBefore: number, limit: number): number {
      return database.transaction(() => {
        const tips = database.run(
          `DELETE FROM tips
           WHERE reference_hash IN (SELECT reference_hash FROM tips WHERE received_at < ? LIMIT +?)`,
          [receivedBefore, limit],
        )
        const submissions = database.run(
          `DELETE FROM tip_submissions
           WHERE challenge_hash IN (SELECT challenge_hash FROM tip_submissions WHERE at < ? LIMIT +?)`,
          [submittedBefore, limit],
        )
        return tips + submissions
      })
    },
  }
}

/** Runs within the caller's transaction. */
export function eraseContacts(database: Database, incidentIds: readonly string[]): void {
  database.run('UPDATE tips SET contact = NULL WHERE incident_id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(incidentIds),
  ])
}

/** False if the challenge was used already. */
function use(database: Database, { challengeHash, fingerprint }: TipSubmission, now: number): boolean {
  const written = database.run('INSERT INTO tip_submissions VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
    challengeHash,
    fingerprint,
    now,
  ])
  return written === 1
}
