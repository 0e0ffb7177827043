import type { TSchema } from 'typebox'
import { ArchiveMonth, downloadMonth, listMonths } from './archive.ts'
import { Change, ChangeList, listChanges } from './changes.ts'
import type { Endpoint } from './endpoint.ts'
import { readAlert, readFeed } from './feeds.ts'
import { Casualties, ConfidenceReason, Incident, IncidentFeatures, IncidentList, Location, Source } from './incident.ts'
import { listIncidents, readIncident } from './incidents.ts'
import { createKey, IssuedKey, Key, listKeys, Me, PendingKey, readMe, revokeKey, rotateKey } from './keys.ts'
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
} from './places.ts'
import { Problem } from './problem.ts'
import { readTaxonomy, Taxonomy } from './taxonomy.ts'

/** Every operation of the API. */
export const ENDPOINTS: readonly Endpoint[] = [
  listIncidents,
  readIncident,
  listChanges,
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
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  readMe,
]

/** Every named thing on the wire. */
export const SCHEMAS: Readonly<Record<string, TSchema>> = {
  Incident,
  IncidentList,
  IncidentFeatures,
  Location,
  ConfidenceReason,
  Source,
  Casualties,
  Change,
  ChangeList,
  ArchiveMonth,
  Taxonomy,
  State,
  Lga,
  LocatedPoint,
  FoundPlace,
  FeatureCollection,
  Key,
  IssuedKey,
  PendingKey,
  Me,
  Problem,
}
