import { PrefetchedChunks } from '../shared/document-chunks.ts'
import { eventsWritten, planWrite } from '../shared/write-plan.ts'
import type { Desk, Incidents, Redactions, Sources, StoredGazetteer, Tips } from '../store.ts'
import type { TableSource } from './connection/connection.ts'
import type { Listeners } from './connection/listen.ts'
import { notifying } from './connection/notifying.ts'

// The parts of a store for incidents and the desk that notify, or that plan what the worker writes.

export function incidentsOf(source: TableSource, listeners: Listeners): Incidents {
  const incidents = source.table('incidents')
  const snapshots = source.table('snapshots')
  return {
    async save(changes, now, batch) {
      if (changes.length === 0 && batch === undefined) return []
      const plan = planWrite(changes, now, batch)
      const head = await incidents.save(plan)
      if (plan.events.length > 0) listeners.advanceTo('events', head.seq)
      // Tells those who follow the desk, or wait for a message that is due again.
      if (plan.incidents.some(({ deskEntry }) => deskEntry !== null)) listeners.poll()
      return eventsWritten(plan, head)
    },

    current: (ids) => incidents.current(ids),
    find: (id) => incidents.find(id),
    findRecords: (ids) => incidents.findRecords(ids),
    openReports: (from, to, limit) => incidents.openReports(from, to, limit),
    history: (id) => incidents.history(id),

    async snapshot() {
      const { id, head, retracted, merged } = await snapshots.open()
      const chunks = new PrefetchedChunks(
        () => snapshots.next(id),
        // Fails only if the thread has stopped, and the snapshot with it.
        () => snapshots.close(id).catch(() => {}),
      )
      return { head, retracted, merged, chunks }
    },
  }
}

export function deskOf(source: TableSource, listeners: Listeners): Desk {
  const desk = source.table('desk')
  return {
    find: desk.find,
    counts: desk.counts,
    claimCounts: desk.claimCounts,
    claim: notifying(listeners, desk.claim),
    release: notifying(listeners, desk.release),
    changedAfter: desk.changedAfter,
    head: desk.head,
    addMissing: notifying(listeners, desk.addMissing),
    openPairs: desk.openPairs,
    dismissals: desk.dismissals,
    dismissalsOf: desk.dismissalsOf,
    onChange: (listener) => listeners.add('desk', listener),
  }
}

export function redactionsOf(source: TableSource, listeners: Listeners): Redactions {
  const { mergedInto, read, apply, list, unsettled, clearAnswers, erase, recordErased } = source.table('redactions')
  return {
    mergedInto,
    read,
    async apply({ changes, ...write }, now) {
      const plan = planWrite(changes, now)
      const head = await apply(write, plan)
      if (plan.events.length > 0) listeners.advanceTo('events', head.seq)
      listeners.poll()
      return eventsWritten(plan, head).map((event) => ({ ...event, redacted: true }))
    },
    list,
    unsettled,
    clearAnswers,
    erase,
    recordErased,
  }
}

export function tipsOf(source: TableSource, listeners: Listeners): Tips {
  const { secret, findSubmission, add, findByReference, addTo, ofIncidents, deleteExpired } = source.table('tips')
  return {
    secret,
    findSubmission,
    add: notifying(listeners, (tip, report, submission) => add(tip, planWrite([report], tip.receivedAt), submission)),
    findByReference,
    addTo: notifying(listeners, ({ change, ...addition }, now) => addTo(addition, planWrite([change], now))),
    ofIncidents,
    deleteExpired,
  }
}

export function gazetteerOf(source: TableSource, listeners: Listeners): StoredGazetteer {
  const gazetteer = source.table('gazetteer')
  return {
    changedAfter: gazetteer.changedAfter,
    list: gazetteer.list,
    find: gazetteer.find,
    count: gazetteer.count,
    add: notifying(listeners, gazetteer.add),
    remove: notifying(listeners, gazetteer.remove),
    stage: gazetteer.stage,
    applyStaged: notifying(listeners, gazetteer.applyStaged),
    discardStaged: gazetteer.discardStaged,
    onChange: (listener) => listeners.add('gazetteer', listener),
  }
}

export function sourcesOf(source: TableSource, listeners: Listeners): Sources {
  const sources = source.table('sources')
  return {
    add: sources.add,
    find: sources.find,
    list: sources.list,
    pollStates: sources.pollStates,
    change: sources.change,
    remove: sources.remove,
    lease: sources.lease,
    release: sources.release,
    due: sources.due,
    recordPoll: sources.recordPoll,
    knownItems: sources.knownItems,
    findItemByUrl: sources.findItemByUrl,
    similarItems: sources.similarItems,
    async saveItem(owner, write, now) {
      const saved = await sources.saveItem(owner, write, planWrite(write.reports, now))
      if (saved) listeners.poll()
      return saved
    },
    listItems: sources.listItems,
    deleteExpired: sources.deleteExpired,
    findProposal: sources.findProposal,
    proposalsFor: sources.proposalsFor,
    openProposals: sources.openProposals,
    openStories: sources.openStories,
    closeStory: sources.closeStory,
  }
}
