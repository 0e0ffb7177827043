import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AuditPosition, AuditQuery, NewAuditEntry } from '../../../../src/store/store.ts'
import { incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aHistoryEntry, anAccount, NOW, reported } from '../../fixtures.ts'

const ALL: AuditQuery = { accountId: null, incidentId: null, from: null, to: null }

function anEntry(at: number, changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const by = { accountId: 'acc_2', keyId: null, name: 'Ọlá' }
  return { at, by, action: 'account.change', subject: 'acc_9', note: null, before: null, after: null, ...changes }
}

export function auditConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the audit log', () => {
    it('has what people did and every step at the desk, newest first, page by page', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const changes = [{ field: 'status', old: 'reported', new: 'confirmed' }]
      for (let number = 1; number <= 4; number++) {
        const historyEntry = aHistoryEntry({ at: NOW + Math.floor(number / 2), changes, note: `step ${number}` })
        await store.incidents.save([{ ...reported(number), historyEntry }], NOW)
        const entry = anEntry(NOW + Math.floor(number / 2), { note: `entry ${number}` })
        await store.withAudit(entry).accounts.ensure(anAccount(number))
      }
      const all = await store.audit.list(ALL, null, 100)
      assert.deepEqual(
        all.map(({ at }) => at - NOW),
        [2, 2, 1, 1, 1, 1, 0, 0],
      )
      const paged: string[] = []
      let before: AuditPosition | null = null
      for (;;) {
        const page = await store.audit.list(ALL, before, 3)
        paged.push(...page.map(({ id }) => id))
        if (page.length < 3) break
        before = page.at(-1)!
      }
      assert.deepEqual(
        paged,
        all.map(({ id }) => id),
      )
      const step = all.find(({ note }) => note === 'step 1')!
      assert.deepEqual(
        [step.action, step.subject, step.by, step.before, step.after],
        [
          'incident.report',
          incidentId(1),
          { accountId: 'acc_1', keyId: 'key_1', name: 'Desk Kaduna' },
          { status: 'reported' },
          { status: 'confirmed' },
        ],
      )
    })

    it('is filtered by actor, incident and time', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([{ ...reported(1), historyEntry: aHistoryEntry({ at: NOW }) }], NOW)
      const change = anEntry(NOW + 5, { before: { role: 'client' }, after: { role: 'editor', 'ọ"': [1] } })
      await store.withAudit(change).accounts.ensure(anAccount(2))
      const subjects = async (query: Partial<AuditQuery>) =>
        (await store.audit.list({ ...ALL, ...query }, null, 10)).map(({ subject }) => subject)
      assert.deepEqual(await subjects({ accountId: 'acc_1' }), [incidentId(1)])
      assert.deepEqual(await subjects({ accountId: 'acc_2' }), ['acc_9'])
      assert.deepEqual(await subjects({ incidentId: incidentId(1) }), [incidentId(1)])
      assert.deepEqual(await subjects({ incidentId: incidentId(1), accountId: 'acc_2' }), [])
      assert.deepEqual(await subjects({ from: NOW + 1 }), ['acc_9'])
      assert.deepEqual(await subjects({ to: NOW + 5 }), [incidentId(1)])
      const [entry] = await store.audit.list({ ...ALL, accountId: 'acc_2' }, null, 10)
      assert.deepEqual([entry?.before, entry?.after], [{ role: 'client' }, { role: 'editor', 'ọ"': [1] }])
    })
  })
}
