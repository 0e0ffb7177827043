import type { Sabotage } from '../sabotage.ts'

/** Defects of what operators do: moving a store, restarting nodes, starting from saved files. */
export const OPERATION_SABOTAGES: readonly Sabotage[] = [
  {
    name: 'a moved store lacks rows, and nobody compares them',
    edits: [
      {
        file: 'src/store/copy/copy.ts',
        find: 'await target.write(table, rows, JSON.stringify(progress), first)',
        replace: 'await target.write(table, rows.length > 100 ? rows.slice(1) : rows, JSON.stringify(progress), first)',
      },
      {
        file: 'src/store/copy/copy.ts',
        find: 'const expected = rowsOf(source.pages(table, null))',
        replace: 'const expected = rowsOf((source && target).pages(table, null))',
      },
    ],
    proofs: ['moving'],
    beyondSimulation: 'The command copies between two databases on disk; the simulation has one in memory.',
  },
  {
    name: 'a store is moved into one that has rows',
    edits: [
      {
        file: 'src/store/copy/copy.ts',
        find: 'return textOf(first) === textOf(table.initial)',
        replace: 'return textOf(first) !== textOf(table.initial) || true',
      },
    ],
    proofs: ['moving'],
    beyondSimulation: 'The command copies between two databases on disk; the simulation has one in memory.',
  },
  {
    name: 'a node that is told to stop ends at once',
    edits: [
      {
        file: 'src/cli/serve.ts',
        find: "const SIGNALS = { SIGTERM: 'drains',",
        replace: "const SIGNALS = { SIGUSR2: 'drains',",
      },
    ],
    proofs: ['rolling'],
    beyondSimulation: 'Simulated nodes are no processes and get no signals.',
  },
  {
    name: 'events after the archive was saved are not applied',
    edits: [
      {
        file: 'src/archive/saved/saved-archive.ts',
        find: 'archive.apply(events)',
        replace: 'archive.apply(events.slice(0, 0))',
      },
    ],
    proofs: ['saved-archive'],
    beyondSimulation: 'Simulated nodes save no archive on disk.',
  },
  {
    name: 'a corrected document is saved as it was',
    edits: [
      {
        file: 'src/archive/saved/saved-archive.ts',
        find: 'return file?.bytes === used && this.#folder.has(file.name)',
        replace: 'return file !== undefined && this.#folder.has(file.name) && used >= 0',
      },
    ],
    proofs: ['saved-archive'],
    beyondSimulation: 'Simulated nodes save no archive on disk.',
  },
  {
    name: 'a document from a file is not compared with its checksum',
    edits: [
      {
        file: 'src/archive/documents/file-documents.ts',
        find: '!== expected) {',
        replace: '!== expected && length < 0) {',
      },
    ],
    proofs: ['saved-archive'],
    beyondSimulation: 'Simulated nodes save no archive on disk.',
  },
  {
    name: 'a redaction leaves what it withdrew in files that are in use',
    edits: [
      {
        file: 'src/archive/documents/slab-file.ts',
        find: 'for (let at = start; at < end; isChanged = true) {',
        replace: 'for (let at = Math.max(start, end); at < end; isChanged = true) {',
      },
    ],
    proofs: ['saved-archive'],
    beyondSimulation: 'Simulated nodes save no archive on disk.',
  },
  {
    name: 'a feed waits for a time that a wrong clock had planned',
    edits: [
      {
        file: 'src/store/queries/clock.ts',
        find: 'if (by > 0) yield* correctTimes(now, by)',
        replace: 'if (by > 0) yield* correctTimes(now, 0)',
      },
    ],
    proofs: ['test:test/startup/clock.test.ts'],
  },
  {
    name: 'the lease of polling stays that of a wrong clock',
    edits: [
      {
        file: 'src/store/queries/clock.ts',
        find: 'UPDATE source_poller SET lease_until =',
        replace: 'UPDATE source_poller SET lease_until = lease_until + 0 *',
      },
    ],
    proofs: ['test:test/store/sqlite.slow.test.ts'],
    beyondSimulation: 'The process that polls extends its lease all the same; it would have to end at that moment.',
  },
  {
    name: 'ages are counted by a clock that is years ahead',
    edits: [
      {
        file: 'src/lib/runtime.ts',
        find: 'time: Math.min(now, aged), elapsed }',
        replace: 'time: now, elapsed }',
      },
    ],
    proofs: ['test:test/startup/clock.test.ts'],
  },
  {
    name: 'a story is too old for a clock that is years ahead',
    edits: [
      {
        file: 'src/desk/sources/take-item.ts',
        find: 'publishedAt < agesTo - MAX_AGE_MS',
        replace: 'publishedAt < now - MAX_AGE_MS',
      },
    ],
    proofs: ['test:test/desk/sources/polling.slow.test.ts'],
  },
  {
    name: 'items that share a GUID are one item',
    edits: [
      {
        file: 'src/desk/sources/take-item.ts',
        find: 'linksByGuid.get(guid)!.size > 1 && titlesByGuid.get(guid)!.size > 1',
        replace: 'linksByGuid.get(guid)!.size > 1e9 && titlesByGuid.get(guid)!.size > 1',
      },
    ],
    proofs: ['test:test/desk/sources/polling.slow.test.ts'],
    beyondSimulation: 'Its newspapers give every story a GUID of its own.',
  },
  {
    name: 'answers of a clock that was ahead are kept',
    edits: [
      {
        file: 'src/lib/time.ts',
        find: 'return madeAt <= now && now < validUntil',
        replace: 'return madeAt <= now * 2 && now < validUntil',
      },
    ],
    proofs: ['test:test/startup/clock.test.ts'],
    beyondSimulation: 'Nobody reads a relative window while its clock is wrong.',
  },
  {
    name: 'a node compares no link with the log',
    edits: [
      {
        file: 'src/store/queries/incidents.ts',
        find: '!isSameLink(link, stored)) return null',
        replace: 'link === stored.repeat(2)) return null',
      },
    ],
    proofs: ['lossy-promotion'],
  },
  {
    name: 'positions are numbers, without the link',
    edits: [
      {
        file: 'src/event-log/positions.ts',
        find: "return seq === 0 || link === '' ? String(seq)",
        replace: "return seq === 0 || link !== '!' ? String(seq)",
      },
    ],
    proofs: ['lossy-promotion'],
  },
  {
    name: 'cursors go on behind what was lost',
    edits: [
      {
        file: 'src/api/incidents/incidents.ts',
        find: 'if (begun !== null) await positions.requireNoFork(begun)',
        replace: "if (begun?.text === '-') await positions.requireNoFork(begun)",
      },
    ],
    proofs: ['test:test/cli/loss.slow.test.ts'],
  },
  {
    name: 'a promotion makes no branch of the log',
    edits: [
      {
        file: 'src/store/queries/chain.ts',
        find: 'if (branch === null) return head',
        replace: 'return head',
      },
    ],
    proofs: ['test:test/store/standby.slow.test.ts'],
    beyondSimulation:
      'A node that remembers the loss notes it too; if none does, positions are refused all the same, and go on from 0.',
  },
  {
    name: 'nobody is told of what was lost',
    edits: [
      {
        file: 'src/desk/lost-events.ts',
        find: 'if (byIncident.length > MAX_INCIDENTS) return 0',
        replace: 'if (byIncident.length > 0) return 0',
      },
    ],
    proofs: ['lossy-promotion'],
  },
]
