import {
  changeAccount,
  createAccountKey,
  createSignInLink,
  inviteAccount,
  listAccounts,
  listAllKeys,
  readAccount,
  readAnyKey,
  revokeAnyKey,
} from '../accounts/admin.ts'
import { listAudit } from '../accounts/audit.ts'
import { changeKey, createKey, listKeys, revokeKey, rotateKey } from '../accounts/keys.ts'
import { changeMe, deleteMe, readMe } from '../accounts/me.ts'
import { createPasskey, deletePasskey, listPasskeys, passkeyOptions } from '../accounts/passkeys.ts'
import { createSession, endAllSessions, endSession, listSessions, mailRecoveryLink } from '../accounts/sessions.ts'
import { listBrowserAlerts, requestAlert } from '../alerts/alerts.ts'
import { changeArea, createArea, deleteArea, listAreas, readArea } from '../areas.ts'
import { askAssistantServer } from '../assistants/routes.ts'
import { listChanges } from '../changes.ts'
import { listAllDeliveries, listDeliveries, readDelivery, redeliver, redeliverAll } from '../deliveries/contract.ts'
import {
  addNote,
  changeDesk,
  claimIncident,
  confirmIncident,
  mergeIncident,
  moveInBulk,
  rejectIncident,
  releaseIncident,
  reopenIncident,
  restoreIncident,
  retractIncident,
  undoStep,
  unmergeIncident,
} from '../desk/decisions.ts'
import { dismissDuplicate, listDuplicates, offerDuplicate } from '../desk/duplicates.ts'
import { extractIncidents } from '../desk/extract.ts'
import { addPlace, listPlaces, removePlace } from '../desk/gazetteer.ts'
import { listPublishers, removePublisher, setPublisher } from '../desk/publishers.ts'
import { countDesk, listDesk, readDesk, readDeskStream, readHistory } from '../desk/queue.ts'
import { listRedactions, redactIncident } from '../desk/redactions.ts'
import { downloadMonth, listMonths } from '../downloads.ts'
import { readAlert, readFeed } from '../feeds.ts'
import { listCorrections, listIncidents, queryIncidents, readIncident } from '../incidents/contract.ts'
import { listen } from '../listen.ts'
import {
  lgaBoundaries,
  listLgas,
  listStates,
  locatePoint,
  roadLines,
  searchPlaces,
  stateBoundaries,
} from '../places.ts'
import { readPushKey, recordSeenBrowser, replaceBrowser } from '../push.ts'
import { createReports, listReports, readReport } from '../reports/contract.ts'
import { createSites, deleteSites, listSites, readSites, replaceSites } from '../sites.ts'
import {
  acceptProposedSource,
  dismissProposedSource,
  listProposedSources,
  listProposedSourcesOf,
} from '../sources/proposals.ts'
import {
  changeSource,
  createSource,
  listSourceItems,
  listSources,
  readSource,
  removeSource,
} from '../sources/sources.ts'
import { closeUnplacedStory, listUnplacedStories } from '../sources/unplaced-stories.ts'
import { queryStatistics, readStatistics } from '../statistics/contract.ts'
import { readStatus } from '../status.ts'
import { readStream } from '../stream.ts'
import { readTaxonomy } from '../taxonomy.ts'
import { readTile } from '../tiles.ts'
import { addToTip, createTip, listTips, readTipChallenge } from '../tips.ts'
import { readTrends } from '../trends/contract.ts'
import {
  changeWatch,
  createWatch,
  deleteWatch,
  explainWatch,
  listWatches,
  previewWatch,
  readWatch,
  recoverWatch,
  retryWatch,
  rotateSecret,
  testWatch,
} from '../watches/contract.ts'
import type { Endpoint } from './endpoint.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  listIncidents,
  queryIncidents,
  readIncident,
  listCorrections,
  readStatistics,
  queryStatistics,
  readTrends,
  readTile,
  listChanges,
  readStream,
  listMonths,
  downloadMonth,
  readFeed,
  readAlert,
  readTaxonomy,
  readStatus,
  listStates,
  listLgas,
  locatePoint,
  searchPlaces,
  stateBoundaries,
  lgaBoundaries,
  roadLines,
  askAssistantServer,
  createArea,
  listAreas,
  readArea,
  changeArea,
  deleteArea,
  createSites,
  listSites,
  readSites,
  replaceSites,
  deleteSites,
  createWatch,
  listWatches,
  readWatch,
  changeWatch,
  deleteWatch,
  previewWatch,
  testWatch,
  rotateSecret,
  retryWatch,
  recoverWatch,
  explainWatch,
  listDeliveries,
  listAllDeliveries,
  readDelivery,
  redeliver,
  redeliverAll,
  listen,
  readPushKey,
  recordSeenBrowser,
  replaceBrowser,
  createReports,
  listReports,
  readReport,
  listDesk,
  countDesk,
  readDeskStream,
  readDesk,
  changeDesk,
  confirmIncident,
  rejectIncident,
  retractIncident,
  mergeIncident,
  reopenIncident,
  restoreIncident,
  unmergeIncident,
  undoStep,
  claimIncident,
  releaseIncident,
  addNote,
  moveInBulk,
  listDuplicates,
  dismissDuplicate,
  offerDuplicate,
  extractIncidents,
  readHistory,
  listProposedSources,
  listProposedSourcesOf,
  acceptProposedSource,
  dismissProposedSource,
  listUnplacedStories,
  closeUnplacedStory,
  redactIncident,
  listRedactions,
  listTips,
  listPublishers,
  setPublisher,
  removePublisher,
  requestAlert,
  listBrowserAlerts,
  readTipChallenge,
  createTip,
  addToTip,
  listPlaces,
  addPlace,
  removePlace,
  createKey,
  listKeys,
  changeKey,
  rotateKey,
  revokeKey,
  readMe,
  changeMe,
  deleteMe,
  createSession,
  mailRecoveryLink,
  listSessions,
  endSession,
  endAllSessions,
  passkeyOptions,
  createPasskey,
  listPasskeys,
  deletePasskey,
  listAccounts,
  inviteAccount,
  readAccount,
  changeAccount,
  createAccountKey,
  createSignInLink,
  listAllKeys,
  readAnyKey,
  revokeAnyKey,
  listAudit,
  listSources,
  createSource,
  readSource,
  changeSource,
  removeSource,
  listSourceItems,
]
