import './endpoints.ts'
import '../responses/problem.ts'
import type { TSchema } from 'typebox'
import { NAMED_SCHEMAS } from './schema.ts'

/** The order of the reference. */
const NAMES = `
  Incident IncidentList IncidentFeatures IncidentQuery Region Route Location ConfidenceReason Source Casualties
  ReportedCasualties Correction Statistics StatisticsBucket StatisticsQuery Trends Trend TrendPeriod Change
  ChangeList ArchiveMonth Taxonomy ServiceStatus State Lga AssistantMessage AssistantAnswer LocatedPoint
  FoundPlace FeatureCollection Area Site SiteList Watch WatchFilter IncidentCreatedMessage IncidentUpdatedMessage
  IncidentRetractedMessage ConcernedSites RetractedIncident WatchWithSecret Delivery DeliveryWithAttempts
  MessageBody WatchExplanation Attempt Report ReportedSource DeskIncident DeskList ReportResults PossibleDuplicate
  DuplicatePair DuplicatePairList Step FieldChange Undo Claim DeskCounts BulkResults IncidentCandidate PlaceChoice
  Evidence Redaction Publisher Tip TipChallenge TipProof GazetteerPlace GazetteerList Key KeyList IssuedKey
  PendingKey StartedAlert BrowserAlertList BrowserSubscription Me OwnAccount Quota Quotas UsageDays Account
  AccountList AccountWithUsage AdminKey Session SignedIn Passkey InvitedAccount IssuedLink AuditEntry AuditList
  Problem NewsSource NewsItem NewsItemList ProposedSource ProposedSourceList UnplacedStory UnplacedStoryList
`

/** The schemas with a name, those of every endpoint. */
export const SCHEMAS: Readonly<Record<string, TSchema>> = Object.fromEntries(
  NAMES.trim()
    .split(/\s+/)
    .map((name) => [name, NAMED_SCHEMAS[name]!]),
)
