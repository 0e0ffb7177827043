import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../store/open.ts'
import type { Incidents, Store } from '../../store/store.ts'

/** Opens the database; if none exists, an empty one in memory: a dry run must not create it. */
export async function openForDryRun(databaseUrl: string): Promise<Store> {
  const path = /^sqlite:(?!:memory:)(.+)$/.exec(databaseUrl)?.[1]
  return openStore(path !== undefined && !existsSync(path) ? 'sqlite::memory:' : databaseUrl)
}

/** A temporary store over another one that is only read. */
export interface Overlay extends AsyncDisposable {
  readonly incidents: Pick<Incidents, 'findRecords' | 'save'>
}

/** On disk, not in memory: an id may occur again a million rows later. */
export async function overlayOn(store: Store): Promise<Overlay> {
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-dry-run-'))
  const scratch = await openStore(`sqlite:${join(folder, 'scratch.db')}`)
  return {
    incidents: {
      async findRecords(ids) {
        const over = await scratch.incidents.findRecords(ids)
        const hidden = new Set(over.map(({ incident }) => incident.id))
        const under = await store.incidents.findRecords(ids.filter((id) => !hidden.has(id)))
        return [...over, ...under]
      },

      /** To the temporary store, an incident of the other store is new. */
      async save(changes, now) {
        const there = new Set(
          (await scratch.incidents.findRecords(changes.map(({ incident }) => incident.id))).map(
            ({ incident }) => incident.id,
          ),
        )
        const rebased = changes.map((change) => {
          const isThere = there.has(change.incident.id)
          there.add(change.incident.id)
          return isThere ? change : { ...change, replaces: { version: 0 } }
        })
        return scratch.incidents.save(rebased, now)
      },
    },
    async [Symbol.asyncDispose]() {
      await scratch[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
