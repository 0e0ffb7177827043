import { PrefetchedChunks } from '../shared/document-chunks.ts'
import { eventsWritten, planWrite } from '../shared/write-plan.ts'
import type {
  Accounts,
  Alerts,
  Areas,
  Deliveries,
  Desk,
  FanOut,
  Incidents,
  Owners,
  Redactions,
  SiteLists,
  Sources,
  StoredGazetteer,
  Tips,
  Watches,
} from '../store.ts'
import type { TableSource } from './connection/connection.ts'
import type { Listeners } from './connection/listen.ts'

// The parts of a store that notify, or that plan what the worker writes.

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

export function accountsOf(source: TableSource, listeners: Listeners): Accounts {
  const accounts = source.table('accounts')
  return {
    open: accounts.open,
    ensure: accounts.ensure,
    find: accounts.find,
    list: accounts.list,
    // Blocking an account changes its watches, and deleting it removes them.
    change: notifying(listeners, accounts.change),
    remove: notifying(listeners, accounts.remove),
    deletedSince: accounts.deletedSince,
    countWatches: accounts.countWatches,
    listReports: accounts.listReports,
    hasReported: accounts.hasReported,
    verifyEmail: accounts.verifyEmail,
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

export function areasOf(source: TableSource, listeners: Listeners): Areas {
  const { add, find, list, count, change, remove } = source.table('areas')
  // A new shape changes the watches that use the area.
  return { add, find, list, count, change: notifying(listeners, change), remove }
}

export function siteListsOf(source: TableSource, listeners: Listeners): SiteLists {
  const lists = source.table('siteLists')
  return {
    add: lists.add,
    find: lists.find,
    list: lists.list,
    count: lists.count,
    positions: lists.positions,
    version: lists.version,
    page: lists.page,
    names: lists.names,
    // New sites change the watches that use the list.
    change: notifying(listeners, lists.change),
    remove: lists.remove,
  }
}

export function alertsOf(source: TableSource, listeners: Listeners): Alerts {
  const { add, confirm, start, setRecipient, find, toRemove, forgetRequest, deleteRequests } = source.table('alerts')
  return {
    add: notifying(listeners, add),
    confirm: notifying(listeners, confirm),
    start: notifying(listeners, start),
    setRecipient,
    find,
    toRemove,
    forgetRequest,
    deleteRequests,
  }
}

export function watchesOf(source: TableSource, listeners: Listeners): Watches {
  const watches = source.table('watches')
  return {
    add: notifying(listeners, watches.add),
    find: watches.find,
    list: watches.list,
    ids: watches.ids,
    change: notifying(listeners, watches.change),
    disable: notifying(listeners, watches.disable),
    countWarning: watches.countWarning,
    resuming: watches.resuming,
    finishResuming: watches.finishResuming,
    remove: notifying(listeners, watches.remove),
    changedAfter: watches.changedAfter,
    storedSecrets: watches.storedSecrets,
    replaceSecrets: watches.replaceSecrets,
    pruneRemoved: watches.pruneRemoved,
    onChange: (listener) => listeners.add('watches', listener),
  }
}

export function fanOutOf(source: TableSource, listeners: Listeners): FanOut {
  const fanOut = source.table('fanOut')
  return { lease: fanOut.lease, release: fanOut.release, write: notifying(listeners, fanOut.write) }
}

export function deliveriesOf(source: TableSource, listeners: Listeners): Deliveries {
  const deliveries = source.table('deliveries')
  return {
    lease: deliveries.lease,
    leaseOfWatch: deliveries.leaseOfWatch,
    postpone: deliveries.postpone,
    hasten: notifying(listeners, deliveries.hasten),
    recordAttempts: deliveries.recordAttempts,
    add: notifying(listeners, deliveries.add),
    list: deliveries.list,
    find: deliveries.find,
    redeliver: notifying(listeners, deliveries.redeliver),
    redeliverMany: notifying(listeners, deliveries.redeliverMany),
    makeDue: notifying(listeners, deliveries.makeDue),
    countPending: deliveries.countPending,
    addTest: notifying(listeners, deliveries.addTest),
    recover: notifying(listeners, deliveries.recover),
    reschedule: notifying(listeners, deliveries.reschedule),
    queueDepth: deliveries.queueDepth,
    recentLatencies: deliveries.recentLatencies,
    deleteExpired: deliveries.deleteExpired,
    onDue: (listener) => listeners.add('deliveries', listener),
  }
}

export function ownersOf(source: TableSource, listeners: Listeners): Owners {
  const owners = source.table('owners')
  return { recordHeartbeat: owners.recordHeartbeat, releaseLeases: notifying(listeners, owners.releaseLeases) }
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

/** Polls the change counters after a write, which notifies the listeners. */
function notifying<Values extends unknown[], Result>(
  listeners: Listeners,
  call: (...values: Values) => Promise<Result>,
) {
  return async (...values: Values): Promise<Result> => {
    const result = await call(...values)
    listeners.poll()
    return result
  }
}
