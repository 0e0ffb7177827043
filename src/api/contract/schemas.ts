import type { TSchema } from 'typebox'
import { Change, ChangeList } from '../changes.ts'
import { ArchiveMonth } from '../downloads.ts'
import {
  Casualties,
  ConfidenceReason,
  Correction,
  Incident,
  IncidentFeatures,
  IncidentList,
  IncidentQuery,
  Location,
  Region,
  ReportedCasualties,
  Route,
  Source,
} from '../incidents/contract.ts'
import { FeatureCollection, FoundPlace, Lga, LocatedPoint, State } from '../places.ts'
import { Statistics, StatisticsBucket, StatisticsQuery } from '../statistics/contract.ts'
import { ServiceStatus } from '../status.ts'
import { Taxonomy } from '../taxonomy.ts'
import { Trend, TrendPeriod, Trends } from '../trends/contract.ts'
import { Account, AccountList, AccountWithUsage, AdminKey } from './accounts/admin.ts'
import { AuditEntry, AuditList } from './accounts/audit.ts'
import { IssuedKey, Key, KeyList, PendingKey } from './accounts/keys.ts'
import { Me, OwnAccount, Quota, Quotas, UsageDays } from './accounts/me.ts'
import { InvitedAccount, IssuedLink } from './accounts/members.ts'
import { Passkey } from './accounts/passkeys.ts'
import { Session, SignedIn } from './accounts/sessions.ts'
import { BrowserAlertList, StartedAlert } from './alerts/alerts.ts'
import { AssistantAnswer, AssistantMessage } from './assistants/assistants.ts'
import { BulkResults } from './desk/bulk.ts'
import { Claim } from './desk/claims.ts'
import { DuplicatePair, DuplicatePairList } from './desk/duplicates.ts'
import { Evidence, IncidentCandidate, PlaceChoice } from './desk/extraction.ts'
import { FieldChange, Step, Undo } from './desk/history.ts'
import { GazetteerList, GazetteerPlace } from './desk/places.ts'
import { Publisher } from './desk/publishers.ts'
import { DeskCounts, DeskList } from './desk/queue.ts'
import { Redaction } from './desk/redactions.ts'
import { DeskIncident, PossibleDuplicate, Report, ReportedSource, ReportResults } from './desk/reports.ts'
import { Tip } from './desk/tips.ts'
import { Problem } from './schema.ts'
import { ProposedSource, ProposedSourceList } from './sources/proposed-sources.ts'
import { NewsItem, NewsItemList, NewsSource } from './sources/sources.ts'
import { UnplacedStory, UnplacedStoryList } from './sources/unplaced-stories.ts'
import { TipChallenge, TipProof } from './tips/tips.ts'
import { Area } from './watches/areas.ts'
import { Attempt, Delivery, DeliveryWithAttempts, MessageBody } from './watches/deliveries.ts'
import { WatchExplanation } from './watches/explain.ts'
import {
  ConcernedSites,
  IncidentCreatedMessage,
  IncidentRetractedMessage,
  IncidentUpdatedMessage,
  RetractedIncident,
} from './watches/messages.ts'
import { BrowserSubscription } from './watches/push.ts'
import { Site, SiteList } from './watches/sites.ts'
import { Watch, WatchWithSecret } from './watches/watch.ts'
import { WatchFilter } from './watches/watch-filter.ts'

export const SCHEMAS: Readonly<Record<string, TSchema>> = {
  Incident,
  IncidentList,
  IncidentFeatures,
  IncidentQuery,
  Region,
  Route,
  Location,
  ConfidenceReason,
  Source,
  Casualties,
  ReportedCasualties,
  Correction,
  Statistics,
  StatisticsBucket,
  StatisticsQuery,
  Trends,
  Trend,
  TrendPeriod,
  Change,
  ChangeList,
  ArchiveMonth,
  Taxonomy,
  ServiceStatus,
  State,
  Lga,
  AssistantMessage,
  AssistantAnswer,
  LocatedPoint,
  FoundPlace,
  FeatureCollection,
  Area,
  Site,
  SiteList,
  Watch,
  WatchFilter,
  IncidentCreatedMessage,
  IncidentUpdatedMessage,
  IncidentRetractedMessage,
  ConcernedSites,
  RetractedIncident,
  WatchWithSecret,
  Delivery,
  DeliveryWithAttempts,
  MessageBody,
  WatchExplanation,
  Attempt,
  Report,
  ReportedSource,
  DeskIncident,
  DeskList,
  ReportResults,
  PossibleDuplicate,
  DuplicatePair,
  DuplicatePairList,
  Step,
  FieldChange,
  Undo,
  Claim,
  DeskCounts,
  BulkResults,
  IncidentCandidate,
  PlaceChoice,
  Evidence,
  Redaction,
  Publisher,
  Tip,
  TipChallenge,
  TipProof,
  GazetteerPlace,
  GazetteerList,
  Key,
  KeyList,
  IssuedKey,
  PendingKey,
  StartedAlert,
  BrowserAlertList,
  BrowserSubscription,
  Me,
  OwnAccount,
  Quota,
  Quotas,
  UsageDays,
  Account,
  AccountList,
  AccountWithUsage,
  AdminKey,
  Session,
  SignedIn,
  Passkey,
  InvitedAccount,
  IssuedLink,
  AuditEntry,
  AuditList,
  Problem,
  NewsSource,
  NewsItem,
  NewsItemList,
  ProposedSource,
  ProposedSourceList,
  UnplacedStory,
  UnplacedStoryList,
}
