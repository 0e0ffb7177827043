import type { Accounts, Alerts, Areas, Deliveries, FanOut, Owners, SiteLists, Watches } from '../store.ts'
import type { TableSource } from './connection/connection.ts'
import type { Listeners } from './connection/listen.ts'
import { notifying } from './connection/notifying.ts'

// The parts of a store for accounts, watches and deliveries that notify.

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
    companions: deliveries.companions,
    told: deliveries.told,
    leaseTogether: deliveries.leaseTogether,
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
