import type { Casualties } from '../../domain/incident.ts'
import type { IncidentType, Severity } from '../../domain/taxonomy.ts'
import type { HoursName } from './rhythm.ts'
import type { Setting } from './settings.ts'

/** Distribution of one casualty figure. Figures that a type does not list are never known. */
export interface Figure {
  /** Share of incidents whose figure is known. */
  readonly known: number
  /** Share of the known figures that are above zero. */
  readonly some: number
  readonly least: number
  /** Mean above `least`. */
  readonly more: number
  readonly most: number
}

interface TypeTraits {
  readonly hours: HoursName
  readonly settings: readonly Setting[]
  /** Severity of an incident without known victims. */
  readonly unhurt: Severity
  readonly figures: Partial<Record<keyof Casualties, Figure>>
}

type Figures = TypeTraits['figures']

const figure = (known: number, some: number, more: number, most: number, least = 1): Figure => {
  return { known, some, least, more, most }
}
const traits = (hours: HoursName, settings: readonly Setting[], unhurt: Severity, figures: Figures): TypeTraits => {
  return { hours, settings, unhurt, figures }
}

export const TRAITS: Readonly<Record<IncidentType, TypeTraits>> = {
  kidnapping: traits('dusk', ['road', 'rural', 'home', 'road'], 'high', {
    abducted: figure(0.86, 1, 1.8, 9),
    killed: figure(0.3, 0.45, 0.5, 4),
    injured: figure(0.15, 0.7, 1, 6),
  }),
  mass_abduction: traits('night', ['rural', 'school', 'rural', 'road'], 'critical', {
    abducted: figure(1, 1, 19, 140, 10),
    killed: figure(0.45, 0.6, 2, 18),
    injured: figure(0.2, 0.8, 3, 20),
  }),
  hostage_taking: traits('daylight', ['home', 'town'], 'high', {
    abducted: figure(0.8, 1, 3, 9),
    killed: figure(0.3, 0.25, 0.3, 3),
    injured: figure(0.25, 0.6, 1, 5),
  }),
  hostage_release: traits('daylight', ['rural', 'forest', 'road'], 'low', {}),
  armed_robbery: traits('night', ['town', 'home', 'town'], 'medium', {
    killed: figure(0.5, 0.4, 0.4, 6),
    injured: figure(0.35, 0.7, 1, 8),
  }),
  highway_robbery: traits('dusk', ['road'], 'medium', {
    killed: figure(0.45, 0.35, 0.5, 6),
    injured: figure(0.3, 0.7, 1.2, 9),
  }),
  cattle_rustling: traits('night', ['rural', 'grazing'], 'low', {
    killed: figure(0.45, 0.45, 1.2, 10),
    injured: figure(0.25, 0.7, 1.2, 8),
  }),
  homicide: traits('night', ['home', 'town', 'rural'], 'high', { killed: figure(1, 1, 0.25, 4) }),
  assassination: traits('evening', ['home', 'road'], 'medium', {
    killed: figure(1, 0.7, 0, 1),
    injured: figure(0.35, 0.6, 0.5, 3),
  }),
  banditry: traits('night', ['rural', 'rural', 'town', 'road'], 'medium', {
    killed: figure(0.68, 0.75, 3, 45),
    injured: figure(0.35, 0.8, 3, 30),
    abducted: figure(0.3, 0.8, 4, 30),
  }),
  insurgent_attack: traits('night', ['rural', 'town', 'rural', 'post'], 'medium', {
    killed: figure(0.66, 0.8, 4, 70),
    injured: figure(0.4, 0.85, 4, 50),
    abducted: figure(0.15, 0.7, 3, 20),
  }),
  explosion: traits('daylight', ['road', 'town', 'rural'], 'medium', {
    killed: figure(0.72, 0.7, 2.6, 40),
    injured: figure(0.6, 0.9, 5, 80),
  }),
  military_operation: traits('any', ['forest', 'rural', 'forest'], 'low', {
    killed: figure(0.6, 0.75, 4, 40),
    injured: figure(0.2, 0.7, 1.5, 10),
  }),
  attack_on_security_forces: traits('night', ['post', 'road', 'post'], 'medium', {
    killed: figure(0.7, 0.72, 1.6, 20),
    injured: figure(0.4, 0.75, 1.5, 15),
  }),
  separatist_violence: traits('daylight', ['town', 'road', 'public'], 'medium', {
    killed: figure(0.6, 0.6, 0.9, 9),
    injured: figure(0.35, 0.75, 1.2, 10),
  }),
  communal_clash: traits('daylight', ['rural', 'town'], 'medium', {
    killed: figure(0.6, 0.68, 2, 25),
    injured: figure(0.45, 0.85, 3, 30),
  }),
  farmer_herder_clash: traits('any', ['rural', 'grazing'], 'medium', {
    killed: figure(0.66, 0.75, 2.8, 40),
    injured: figure(0.4, 0.85, 3, 30),
  }),
  sectarian_violence: traits('daylight', ['town', 'public'], 'medium', {
    killed: figure(0.5, 0.5, 1.5, 20),
    injured: figure(0.5, 0.85, 3, 30),
  }),
  cult_clash: traits('evening', ['town', 'home', 'public'], 'medium', {
    killed: figure(0.72, 0.75, 0.9, 12),
    injured: figure(0.35, 0.75, 1.2, 10),
  }),
  gang_violence: traits('evening', ['town', 'public', 'home'], 'medium', {
    killed: figure(0.5, 0.45, 0.6, 6),
    injured: figure(0.5, 0.85, 2, 15),
  }),
  political_violence: traits('daylight', ['campaign', 'public'], 'medium', {
    killed: figure(0.45, 0.35, 0.5, 6),
    injured: figure(0.5, 0.8, 2, 15),
  }),
  protest: traits('daylight', ['public', 'town', 'public'], 'low', {
    killed: figure(0.4, 0.06, 0.4, 4),
    injured: figure(0.35, 0.25, 1.5, 12),
  }),
  riot: traits('daylight', ['public', 'town'], 'medium', {
    killed: figure(0.45, 0.4, 1, 12),
    injured: figure(0.5, 0.85, 4, 40),
  }),
  mob_violence: traits('daylight', ['town', 'public', 'home'], 'medium', {
    killed: figure(0.8, 0.75, 0.3, 4),
    injured: figure(0.3, 0.7, 0.5, 5),
  }),
  piracy: traits('dusk', ['water'], 'medium', {
    killed: figure(0.4, 0.35, 0.6, 6),
    injured: figure(0.3, 0.6, 1, 8),
    abducted: figure(0.45, 0.7, 2.5, 9),
  }),
  pipeline_vandalism: traits('night', ['pipeline'], 'low', {
    killed: figure(0.45, 0.22, 3, 30),
    injured: figure(0.3, 0.4, 2, 20),
  }),
  infrastructure_attack: traits('night', ['outskirts'], 'medium', {
    killed: figure(0.4, 0.15, 0.5, 4),
    injured: figure(0.25, 0.3, 0.8, 5),
  }),
}
