import type { Tip, TipAddition, TipSubmission, Tips } from '../store.ts'
import { among, plain, shared } from './dialect.ts'
import { lockedLogHead } from './heads.ts'
import { begin, first, type QueriesOf, type Query, rows, run, sql } from './query.ts'
import { savePlan } from './save-incidents.ts'
import type { WritePlan } from './write-plan.ts'

const TIP = shared(
  `reference_hash AS "referenceHash", incident_id AS "incidentId", received_at AS "receivedAt", contact, additions`,
)

// Writing locks the log's head first, as every save does: no two can deadlock.
export const tips = {
  *secret(proposed) {
    yield* run(sql`INSERT INTO tip_secret (single, secret) VALUES (1, ${proposed}) ON CONFLICT DO NOTHING`)
    const row = yield* first<{ secret: string }>(sql`SELECT secret FROM tip_secret`)
    return row!.secret
  },

  *findSubmission(challengeHash) {
    const submission = yield* first<TipSubmission>(
      sql`SELECT challenge_hash AS "challengeHash", fingerprint FROM tip_submissions
          WHERE challenge_hash = ${challengeHash}`,
    )
    return submission ?? null
  },

  /** `plan` is that of the report. */
  *add(tip: Omit<Tip, 'additions'>, plan: WritePlan, submission: TipSubmission): Query<boolean> {
    yield* begin()
    yield* lockedLogHead()
    if (!(yield* useChallenge(submission, tip.receivedAt))) return false
    yield* run(
      sql`INSERT INTO tips (reference_hash, incident_id, received_at, contact)
          VALUES (${tip.referenceHash}, ${tip.incidentId}, ${tip.receivedAt}, ${tip.contact})`,
    )
    yield* savePlan(plan)
    return true
  },

  findByReference: (referenceHash) => findTip(referenceHash),

  /** `plan` is that of the note. */
  *addTo(
    { referenceHash, contact, submission, maxAdditions }: Omit<TipAddition, 'change'>,
    plan: WritePlan,
  ): Query<true | 'used' | 'unknown' | 'too_many'> {
    yield* begin()
    yield* lockedLogHead()
    const tip = yield* findTip(referenceHash)
    if (tip === null) return 'unknown'
    if (tip.additions >= maxAdditions) return 'too_many'
    if (!(yield* useChallenge(submission, plan.now))) return 'used'
    yield* run(
      sql`UPDATE tips SET additions = additions + 1, contact = coalesce(${contact}, contact)
          WHERE reference_hash = ${referenceHash}`,
    )
    yield* savePlan(plan)
    return true
  },

  ofIncidents: (incidentIds) =>
    rows<Tip>(sql`SELECT ${TIP} FROM tips WHERE incident_id ${among(incidentIds)} ORDER BY received_at`),

  *deleteExpired(receivedBefore, submittedBefore, limit) {
    const deleted = yield* run(
      sql`DELETE FROM tips WHERE reference_hash IN (
            SELECT reference_hash FROM tips WHERE received_at < ${receivedBefore} LIMIT ${plain(limit)})`,
    )
    const submissions = yield* run(
      sql`DELETE FROM tip_submissions WHERE challenge_hash IN (
            SELECT challenge_hash FROM tip_submissions WHERE at < ${submittedBefore} LIMIT ${plain(limit)})`,
    )
    return deleted + submissions
  },
} satisfies Omit<QueriesOf<Tips>, 'add' | 'addTo'> & { add: unknown; addTo: unknown }

function* findTip(referenceHash: string): Query<Tip | null> {
  const tip = yield* first<Tip>(sql`SELECT ${TIP} FROM tips WHERE reference_hash = ${referenceHash}`)
  return tip ?? null
}

/** False if the challenge was used already. */
function* useChallenge({ challengeHash, fingerprint }: TipSubmission, now: number): Query<boolean> {
  const written = yield* run(
    sql`INSERT INTO tip_submissions (challenge_hash, fingerprint, at) VALUES (${challengeHash}, ${fingerprint}, ${now})
        ON CONFLICT DO NOTHING`,
  )
  return written === 1
}

/** Runs within the caller's transaction. */
export function* eraseContacts(incidentIds: readonly string[]): Query<void> {
  yield* run(sql`UPDATE tips SET contact = NULL WHERE incident_id ${among(incidentIds)}`)
}
