import type { TSchema } from 'typebox'
import { createKey, IssuedKey, Key, listKeys, Me, PendingKey, readMe, revokeKey, rotateKey } from './accounts/keys.ts'
import {
  changeDesk,
  confirmIncident,
  DeskList,
  listDesk,
  mergeIncident,
  readDesk,
  readHistory,
  rejectIncident,
  retractIncident,
  Step,
} from './desk/desk.ts'
import { listPublishers, Publisher, removePublisher, setPublisher } from './desk/publishers.ts'
import {
  createReports,
  DeskIncident,
  PossibleDuplicate,
  Report,
  ReportedSource,
  ReportResults,
} from './desk/reports.ts'
import type { Endpoint } from './endpoint.ts'
import { Problem } from './problem.ts'
import { ArchiveMonth, downloadMonth, listMonths } from './read/archive.ts'
import { Change, ChangeList, listChanges } from './read/changes.ts'
import { readAlert, readFeed } from './read/feeds.ts'
import {
  Casualties,
  ConfidenceReason,
  Incident,
  IncidentFeatures,
  IncidentList,
  Location,
  Source,
} from './read/incident.ts'
import { Correction, listCorrections, listIncidents, readIncident } from './read/incidents.ts'
import {
  FeatureCollection,
  FoundPlace,
  Lga,
  LocatedPoint,
  lgaBoundaries,
  listLgas,
  listStates,
  locatePoint,
  State,
  searchPlaces,
  stateBoundaries,
} from './read/places.ts'
import { readStatistics, Statistics, StatisticsBucket } from './read/statistics.ts'
import { readStream } from './read/stream.ts'
import { readTaxonomy, Taxonomy } from './read/taxonomy.ts'
import { readTile } from './read/tiles.ts'
import {
  Attempt,
  Delivery,
  DeliveryWithAttempts,
  listDeliveries,
  readDelivery,
  redeliver,
} from './watches/deliveries.ts'
import {
  changeWatch,
  createWatch,
  deleteWatch,
  listWatches,
  previewWatch,
  readWatch,
  recoverWatch,
  rotateSecret,
  testWatch,
  Watch,
  WatchWithSecret,
} from './watches/watches.ts'

/** Every operation of the API. */
export const ENDPOINTS: readonly Endpoint[] = [
  listIncidents,
  readIncident,
  listCorrections,
  readStatistics,
  readTile,
  listChanges,
  readStream,
  listMonths,
  downloadMonth,
  readFeed,
  readAlert,
  readTaxonomy,
  listStates,
  listLgas,
  locatePoint,
  searchPlaces,
  stateBoundaries,
  lgaBoundaries,
  createWatch,
  listWatches,
  readWatch,
  changeWatch,
  deleteWatch,
  previewWatch,
  testWatch,
  rotateSecret,
  recoverWatch,
  listDeliveries,
  readDelivery,
  redeliver,
  createReports,
  listDesk,
  readDesk,
  changeDesk,
  confirmIncident,
  rejectIncident,
  retractIncident,
  mergeIncident,
  readHistory,
  listPublishers,
  setPublisher,
  removePublisher,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  readMe,
]

/** Every named schema of the API. */
export const SCHEMAS: Readonly<Record<string, TSchema>> = {
  Incident,
  IncidentList,
  IncidentFeatures,
  Location,
  ConfidenceReason,
  Source,
  Casualties,
  Correction,
  Statistics,
  StatisticsBucket,
  Change,
  ChangeList,
  ArchiveMonth,
  Taxonomy,
  State,
  Lga,
  LocatedPoint,
  FoundPlace,
  FeatureCollection,
  Watch,
  WatchWithSecret,
  Delivery,
  DeliveryWithAttempts,
  Attempt,
  Report,
  ReportedSource,
  DeskIncident,
  DeskList,
  ReportResults,
  PossibleDuplicate,
  Step,
  Publisher,
  Key,
  IssuedKey,
  PendingKey,
  Me,
  Problem,
}
