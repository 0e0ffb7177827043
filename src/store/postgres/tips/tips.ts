import { submissionOf, type TipRow, type TipSubmissionRow, tipOf } from '../../shared/tip-rows.ts'
import type { WritePlan } from '../../shared/write-plan.ts'
import type { TipSubmission, Tips } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { savePlan } from '../incidents/incidents.ts'

const TIP = 'reference_hash, incident_id, received_at, contact, additions'

export function tips(connection: PostgresConnection) {
  return {
    async secret(proposed: string) {
      await connection.query('INSERT INTO tip_secret VALUES (1, $1) ON CONFLICT DO NOTHING', [proposed])
      const [row] = await connection.query<{ secret: string }>('SELECT secret FROM tip_secret')
      return row!.secret
    },

    async findSubmission(challengeHash: string) {
      const [row] = await connection.query<TipSubmissionRow>(
        'SELECT challenge_hash, fingerprint FROM tip_submissions WHERE challenge_hash = $1',
        [challengeHash],
      )
      return row === undefined ? null : submissionOf(row)
    },

    add(tip: Parameters<Tips['add']>[0], plan: WritePlan, submission: TipSubmission): Promise<boolean> {
      return connection.transaction(async (query) => {
        // Locks the log's head first, as every save does: no two can deadlock.
        await query('SELECT seq FROM log_head FOR UPDATE')
        if (!(await use(query, submission, tip.receivedAt))) return false
        await query('INSERT INTO tips (reference_hash, incident_id, received_at, contact) VALUES ($1, $2, $3, $4)', [
          tip.referenceHash,
          tip.incidentId,
          tip.receivedAt,
          tip.contact,
        ])
        await savePlan(query, plan)
        return true
      })
    },

    async findByReference(referenceHash: string) {
      const [row] = await connection.query<TipRow>(`SELECT ${TIP} FROM tips WHERE reference_hash = $1`, [referenceHash])
      return row === undefined ? null : tipOf(row)
    },

    addTo(
      { referenceHash, contact, submission, maxAdditions }: Omit<Parameters<Tips['addTo']>[0], 'change'>,
      plan: WritePlan,
    ): ReturnType<Tips['addTo']> {
      return connection.transaction(async (query) => {
        await query('SELECT seq FROM log_head FOR UPDATE')
        const [tip] = await query<TipRow>(`SELECT ${TIP} FROM tips WHERE reference_hash = $1`, [referenceHash])
        if (tip === undefined) return 'unknown'
        if (tip.additions >= maxAdditions) return 'too_many'
        if (!(await use(query, submission, plan.now))) return 'used'
        await query(
          'UPDATE tips SET additions = additions + 1, contact = coalesce($1, contact) WHERE reference_hash = $2',
          [contact, referenceHash],
        )
        await savePlan(query, plan)
        return true
      })
    },

    async ofIncidents(incidentIds: readonly string[]) {
      const rows = await connection.query<TipRow>(
        `SELECT ${TIP} FROM tips WHERE incident_id = ANY ($1) ORDER BY received_at`,
        [incidentIds],
      )
      return rows.map(tipOf)
    },

    async deleteExpired(receivedBefore: number, submittedBefore: number, limit: number) {
      const tips = await connection.query(
        `DELETE FROM tips
         WHERE reference_hash IN (SELECT reference_hash FROM tips WHERE received_at < $1 LIMIT $2)
         RETURNING 1 AS deleted`,
        [receivedBefore, limit],
      )
      const submissions = await connection.query(
        `DELETE FROM tip_submissions
         WHERE challenge_hash IN (SELECT challenge_hash FROM tip_submissions WHERE at < $1 LIMIT $2)
         RETURNING 1 AS deleted`,
        [submittedBefore, limit],
      )
      return tips.length + submissions.length
    },
  }
}

/** Runs within the caller's transaction. */
export async function eraseContacts(query: Query, incidentIds: readonly string[]): Promise<void> {
  await query('UPDATE tips SET contact = NULL WHERE incident_id = ANY ($1)', [incidentIds])
}

/** False if the challenge was used already. */
async function use(query: Query, { challengeHash, fingerprint }: TipSubmission, now: number): Promise<boolean> {
  const written = await query(
    'INSERT INTO tip_submissions VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING challenge_hash',
    [challengeHash, fingerprint, now],
  )
  return written.length === 1
}
