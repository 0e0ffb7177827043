// Declarations register themselves when their modules are loaded, which the routes do for all.
import '../routes.ts'
import type { TSchema } from 'typebox'
import { DECLARED, type Endpoint } from './endpoint.ts'
import { NAMED_SCHEMAS } from './schema.ts'

const OPERATION_ORDER = `
  listIncidents queryIncidents readIncident listCorrections readStatistics queryStatistics readTrends readTile
  listChanges readStream listMonths downloadMonth readFeed readAlert readTaxonomy readStatus listStates listLgas
  locatePoint searchPlaces stateBoundaries lgaBoundaries roadLines askAssistantServer createArea listAreas readArea
  changeArea deleteArea createSites listSites readSites replaceSites deleteSites createWatch listWatches readWatch
  changeWatch deleteWatch previewWatch testWatch rotateSecret retryWatch recoverWatch explainWatch listDeliveries
  listAllDeliveries readDelivery redeliver redeliverAll listen readPushKey recordSeenBrowser replaceBrowser
  createReports listReports readReport listDesk countDesk readDeskStream readDesk changeDesk confirmIncident
  rejectIncident retractIncident mergeIncident reopenIncident restoreIncident unmergeIncident undoStep claimIncident
  releaseIncident addNote moveInBulk listDuplicates dismissDuplicate offerDuplicate extractIncidents readHistory
  listProposedSources listProposedSourcesOf acceptProposedSource dismissProposedSource listUnplacedStories
  closeUnplacedStory redactIncident listRedactions listTips listPublishers setPublisher removePublisher requestAlert
  listBrowserAlerts readTipChallenge createTip addToTip listPlaces addPlace removePlace createKey listKeys changeKey
  rotateKey revokeKey readMe changeMe deleteMe createSession mailRecoveryLink listSessions endSession endAllSessions
  passkeyOptions createPasskey listPasskeys deletePasskey listAccounts inviteAccount readAccount changeAccount
  createAccountKey createSignInLink listAllKeys readAnyKey revokeAnyKey listAudit listSources createSource readSource
  changeSource removeSource listSourceItems
`

const SCHEMA_ORDER = `
  Incident IncidentList IncidentFeatures IncidentQuery Region Route Location ConfidenceReason Source Casualties
  ReportedCasualties Correction Statistics StatisticsBucket StatisticsQuery Trends Trend TrendPeriod Change ChangeList
  ArchiveMonth Taxonomy ServiceStatus State Lga AssistantMessage AssistantAnswer LocatedPoint FoundPlace
  FeatureCollection Area Site SiteList Watch WatchFilter IncidentCreatedMessage IncidentUpdatedMessage
  IncidentRetractedMessage ConcernedSites RetractedIncident WatchWithSecret Delivery DeliveryWithAttempts MessageBody
  WatchExplanation Attempt Report ReportedSource DeskIncident DeskList ReportResults PossibleDuplicate DuplicatePair
  DuplicatePairList Step FieldChange Undo Claim DeskCounts BulkResults IncidentCandidate PlaceChoice Evidence
  Redaction Publisher Tip TipChallenge TipProof GazetteerPlace GazetteerList Key KeyList IssuedKey PendingKey
  StartedAlert BrowserAlertList BrowserSubscription Me OwnAccount Quota Quotas UsageDays Account AccountList
  AccountWithUsage AdminKey Session SignedIn Passkey InvitedAccount IssuedLink AuditEntry AuditList Problem NewsSource
  NewsItem NewsItemList ProposedSource ProposedSourceList UnplacedStory UnplacedStoryList
`

/** Every endpoint, in the order of the reference. */
export const ENDPOINTS: readonly Endpoint[] = Object.values(ordered(DECLARED, OPERATION_ORDER))

/** Every schema with a name, in the order of the reference. */
export const SCHEMAS: Readonly<Record<string, TSchema>> = ordered(NAMED_SCHEMAS, SCHEMA_ORDER)

function ordered<Item>(declared: Readonly<Record<string, Item>>, order: string): Readonly<Record<string, Item>> {
  const names = order.trim().split(/\s+/)
  const unlisted = Object.keys(declared).filter((name) => !names.includes(name))
  if (unlisted.length > 0) throw new TypeError(`${unlisted} has no place in the order of the reference`)
  return Object.fromEntries(names.map((name) => [name, declared[name]!]))
}
