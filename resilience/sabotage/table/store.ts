import type { Sabotage } from '../sabotage.ts'

/**
 * Blocks the store's thread for a moment, so that a crash falls into the gap that the edit opens.
 * The simulation leaves it out: its crashes fall between any two statements.
 */
export const PAUSE = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)'

/** Defects of what is written, and when. */
export const STORE_SABOTAGES: readonly Sabotage[] = [
  {
    name: 'SQLite does not sync its commits',
    edits: [
      {
        file: 'src/store/sqlite/database.ts',
        find: 'PRAGMA synchronous = FULL',
        replace: 'PRAGMA synchronous = OFF',
      },
    ],
    proofs: ['power-loss'],
    beyondSimulation: 'The simulated database is in memory.',
  },
  {
    name: 'PostgreSQL does not sync its commits',
    edits: [
      {
        file: 'resilience/faults/power-loss.ts',
        find: 'const { settings = [] } = options',
        replace: "const { settings = ['fsync=off'] } = options",
      },
    ],
    proofs: ['postgres-power-loss'],
    beyondSimulation: 'The defect is in the options of a server; those of the simulation lose no power.',
  },
  {
    name: 'the log leaves a gap after every event',
    edits: [
      {
        file: 'src/store/queries/save-incidents.ts',
        find: 'const head = { seq: before.seq + events.length,',
        replace: 'const head = { seq: before.seq + events.length + 1,',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'the event is committed apart from its incident',
    edits: [
      {
        file: 'src/store/queries/save-incidents.ts',
        find: 'return yield* appendEvents(before, plan.events, now)',
        replace: `yield* run(sql\`COMMIT\`)\n${PAUSE}\nyield* run(sql\`BEGIN IMMEDIATE\`)\nreturn yield* appendEvents(before, plan.events, now)`,
      },
    ],
    proofs: ['kill'],
  },
  {
    name: 'the fan-out moves its position before it writes deliveries',
    edits: [
      {
        file: 'src/store/sqlite/fan-out.ts',
        find: 'return database.transaction(() => {\n    const moved',
        replace: 'return ((work: () => Dispatch[] | null) => work())(() => {\n    const moved',
      },
      {
        file: 'src/store/sqlite/fan-out.ts',
        find: 'if (moved === 0) return null',
        replace: `if (moved === 0) return null\n${PAUSE}`,
      },
    ],
    proofs: ['kill'],
  },
  {
    name: 'the leases of a dead process are never released',
    edits: [
      {
        file: 'src/store/queries/deliveries.ts',
        find: 'WHERE lease_owner = ${owner} ORDER BY',
        replace: 'WHERE lease_owner = ${owner} || 1 ORDER BY',
      },
      {
        file: 'src/store/sqlite/lease.ts',
        find: 'lease_owner IS NOT NULL AND due_at <= ?',
        replace: 'lease_owner IS NOT NULL AND due_at <= ? - 3600000',
      },
    ],
    proofs: ['kill'],
  },
  {
    name: 'a lease ends at once',
    edits: [
      {
        file: 'src/store/sqlite/fan-out.ts',
        find: 'dueAt: dueAt ?? lease?.until ?? now,',
        replace: 'dueAt: dueAt ?? now,',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'a watch counts every message twice',
    edits: [
      {
        file: 'src/store/sqlite/fan-out.ts',
        find: '    watch.sequence++\n',
        replace: '    watch.sequence += 2\n',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'PostgreSQL keeps the locks of a node that is lost inside a transaction',
    edits: [
      {
        file: 'src/store/postgres/servers.ts',
        find: 'const IDLE_IN_TRANSACTION_MS = 5_000',
        replace: 'const IDLE_IN_TRANSACTION_MS = 600_000',
      },
    ],
    proofs: ['freeze'],
    beyondSimulation: 'The server ends idle transactions by its own clock, which the simulation cannot move.',
  },
  {
    name: 'a backup misses the watches',
    edits: [
      {
        file: 'src/store/sqlite/backup.ts',
        find: "copy.script('PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON')",
        replace: "copy.script('PRAGMA journal_mode = DELETE; DELETE FROM watches')",
      },
    ],
    proofs: ['backup'],
    beyondSimulation: 'The simulation copies its database itself: the command writes a file.',
  },
]
