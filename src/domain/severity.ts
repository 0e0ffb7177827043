import type { Casualties } from './incident.ts'
import { type IncidentType, SEVERITIES, type Severity } from './taxonomy.ts'

/** Severity by type if no casualties are known. */
export const BASE_SEVERITY = {
  kidnapping: 'high',
  mass_abduction: 'critical',
  hostage_taking: 'high',
  hostage_release: 'low',
  armed_robbery: 'medium',
  highway_robbery: 'medium',
  cattle_rustling: 'low',
  homicide: 'high',
  assassination: 'medium',
  banditry: 'medium',
  insurgent_attack: 'medium',
  explosion: 'medium',
  military_operation: 'low',
  attack_on_security_forces: 'medium',
  separatist_violence: 'medium',
  communal_clash: 'medium',
  farmer_herder_clash: 'medium',
  sectarian_violence: 'medium',
  cult_clash: 'medium',
  gang_violence: 'medium',
  political_violence: 'medium',
  protest: 'low',
  riot: 'medium',
  mob_violence: 'medium',
  piracy: 'medium',
  pipeline_vandalism: 'low',
  infrastructure_attack: 'medium',
} as const satisfies Record<IncidentType, Severity>

/** From `least` people on, the severity is at least this one. */
export const SEVERITY_THRESHOLDS = [
  { harm: 'injured', least: 1, severity: 'medium' },
  { harm: 'injured', least: 10, severity: 'high' },
  { harm: 'injured', least: 50, severity: 'critical' },
  { harm: 'killed or abducted', least: 1, severity: 'high' },
  { harm: 'killed or abducted', least: 10, severity: 'critical' },
] as const satisfies readonly { harm: string; least: number; severity: Severity }[]

type Harm = (typeof SEVERITY_THRESHOLDS)[number]['harm']

/** Returns the highest severity implied; more casualties never lower it. */
export function severityOf(type: IncidentType, casualties: Casualties): Severity {
  const suffered = harms(type, casualties)
  let worst: number = SEVERITIES.indexOf(BASE_SEVERITY[type])
  for (const { harm, least, severity } of SEVERITY_THRESHOLDS) {
    if (suffered[harm] >= least) worst = Math.max(worst, SEVERITIES.indexOf(severity))
  }
  return SEVERITIES[worst]!
}

function harms(type: IncidentType, { killed, injured, abducted }: Casualties): Record<Harm, number> {
  // The abducted of a release are the people who were freed.
  const taken = type === 'hostage_release' ? 0 : (abducted ?? 0)
  return { injured: injured ?? 0, 'killed or abducted': (killed ?? 0) + taken }
}
