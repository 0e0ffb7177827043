import { confidenceOf, type Evidence } from '../../domain/confidence.ts'
import { type Incident, severityOf } from '../../domain/incident.ts'
import type { ModerationRecord } from '../../domain/moderation.ts'
import type { Reliability } from '../../domain/publishers.ts'

/** Confidence inputs not stored beside the incident; `priorAssessmentOf` reads them back. */
export type PriorAssessment = Pick<Evidence, 'importQuality' | 'override'>

/** A severity that a person has set is kept. */
export function assessIncident(
  incident: Incident,
  moderation: ModerationRecord,
  prior: PriorAssessment,
  reliability: Reliability,
): Incident {
  const { confidence, reasons } = confidenceOf(
    {
      sources: incident.sources.map((source, index) => ({ ...source, official: moderation.official.includes(index) })),
      precision: incident.location.precision,
      timePrecision: incident.time_precision,
      ...prior,
    },
    reliability,
  )
  return {
    ...incident,
    severity: moderation.severity_given ? incident.severity : severityOf(incident.type, incident.casualties),
    confidence,
    confidence_reasons: reasons,
  }
}

/** Reads import quality and operator's override back from the confidence reasons. */
export function priorAssessmentOf(incident: Incident): PriorAssessment {
  const valueIn = (name: string) => incident.confidence_reasons.find(({ reason }) => reason === name)?.value
  const quality = valueIn('import_quality')
  return {
    importQuality: typeof quality === 'number' ? quality : null,
    override: valueIn('operator_override') === undefined ? null : incident.confidence,
  }
}
