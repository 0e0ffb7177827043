import type { Sabotage } from '../sabotage.ts'

/** Defects of what is read: lists, statistics, the changes feed, the stream. */
export const READ_SABOTAGES: readonly Sabotage[] = [
  {
    name: 'a retracted incident stays in the archive',
    edits: [
      {
        file: 'src/archive/archive.ts',
        find: 'if (slot !== null) this.#incidents.removeIncident(slot, incident.id)',
        replace: 'if (slot === -1) this.#incidents.removeIncident(slot, incident.id)',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'statistics keep the figures from before a correction',
    edits: [
      {
        file: 'src/archive/incident-slots.ts',
        find: 'this.#columns.set(slot, suffix, indexedFieldsOf(incident))\n    this.#documents.replaceDocument',
        replace: 'this.#documents.replaceDocument',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'a correction does not change the document',
    edits: [
      {
        file: 'src/archive/incident-slots.ts',
        find: 'this.#documents.replaceDocument(slot, document)',
        replace: 'this.#documents.replaceDocument(slot, new TextDecoder().decode(this.#documents.get(slot)))',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'the next page skips an incident',
    edits: [
      {
        file: 'src/archive/query/matches.ts',
        find: 'list.offsetIn(segment, (slot) => columns.comparePosition(slot, after)),',
        replace: 'list.offsetIn(segment, (slot) => columns.comparePosition(slot, after)) - 1,',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'cached lists outlive the next event',
    edits: [
      {
        file: 'src/api/incidents/incidents.ts',
        find: 'archive.head.seq !== this.#seq',
        replace: 'archive.head.seq < this.#seq',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'the changes feed drops updates',
    edits: [
      {
        file: 'src/api/changes.ts',
        find: 'const data = events.map(',
        replace: "const data = events.filter(({ kind }) => kind !== 'incident.updated').map(",
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'the changes feed publishes retracted incidents',
    edits: [
      {
        file: 'src/event-log/follower.ts',
        find: "archive.slotOf(incidentId) === null ? 'null' : document",
        replace: "archive.slotOf(incidentId) === -1 ? 'null' : document",
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'a replayed stream skips its first event',
    edits: [
      {
        file: 'src/streams/streams.ts',
        find: 'this.#recent.after(position, Math.min',
        replace: 'this.#recent.after(position === 0 ? 1 : position, Math.min',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'a stream sends no updates',
    edits: [
      {
        file: 'src/streams/streams.ts',
        find: "kind !== 'incident.imported'",
        replace: "kind !== 'incident.imported' && kind !== 'incident.updated'",
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'lists of names have no bound',
    edits: [
      {
        file: 'src/filter/parameters.ts',
        find: 'export const MAX_LIST_VALUES = 100',
        replace: 'export const MAX_LIST_VALUES = 100_000',
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'a node always says that it is in step',
    edits: [
      {
        file: 'src/event-log/follower.ts',
        find: 'return this.#inStep.at\n',
        replace: 'return this.currentMoment().at\n',
      },
    ],
    proofs: ['partition'],
  },
  {
    name: 'slow bodies are not closed',
    edits: [
      {
        file: 'src/api/server.ts',
        find: '  requestMs: 25_000,',
        replace: '  requestMs: 250_000,',
      },
    ],
    proofs: ['connections'],
    beyondSimulation: 'Requests are injected, not sent over connections.',
  },
]
