import type { ConfidenceReason, Precision, TimePrecision } from '../incident.ts'
import { type EvidenceSource, independentSources } from './independence.ts'
import type { Reliability } from './reliability.ts'
import {
  CONFIDENCE_VERSION,
  FURTHER_SOURCE_PERCENTAGES,
  IMPORT_SHARE,
  LOCATION_WEIGHTS,
  MAX_SOURCE_WEIGHT,
  OFFICIAL_CONFIRMATION_WEIGHT,
  type ReasonName,
  SOURCE_WEIGHTS,
  type SourceClass,
  TIME_WEIGHTS,
} from './weights.ts'

export interface Evidence {
  readonly sources: readonly EvidenceSource[]
  readonly precision: Precision
  readonly timePrecision: TimePrecision
  /** Clarity that the imported data set states for the row, 0 to 1; null for a report. */
  readonly importQuality: number | null
  /** Confidence set by an editor, 0 to 1. */
  readonly override: number | null
}

export interface Confidence {
  readonly confidence: number
  /** The weights of the reasons add up to the confidence. */
  readonly reasons: ConfidenceReason[]
  readonly version: number
}

/** Computes the confidence (docs/confidence.md). A further source never lowers it. */
export function confidenceOf(evidence: Evidence, reliability: Reliability): Confidence {
  const reasonList = new ReasonList()
  addSources(reasonList, evidence.sources, reliability)
  if (evidence.importQuality !== null) {
    const remaining = MAX_SOURCE_WEIGHT - reasonList.sum
    const quality = share(evidence.importQuality, 'importQuality')
    reasonList.add('import_quality', quality, Math.round(remaining * IMPORT_SHARE * quality))
  }
  reasonList.add('location_precision', evidence.precision, LOCATION_WEIGHTS[evidence.precision])
  reasonList.add('time_precision', evidence.timePrecision, TIME_WEIGHTS[evidence.timePrecision])
  if (evidence.override !== null) {
    const set = Math.round(share(evidence.override, 'override') * 100)
    // The reason is published: it names the desk, never the editor.
    reasonList.add('operator_override', 'the desk', set - reasonList.sum)
  }
  return { confidence: reasonList.sum / 100, reasons: reasonList.reasons, version: CONFIDENCE_VERSION }
}

function addSources(reasonList: ReasonList, sources: readonly EvidenceSource[], reliability: Reliability): void {
  const [best, ...further] = independentSources(sources, reliability)
  reasonList.add('source_reliability', best ?? null, best ? SOURCE_WEIGHTS[best] : 0)
  reasonList.add('independent_sources', best ? 1 + further.length : 0, furtherWeight(further))
  if (sources.some(({ publisher, official }) => official || reliability(publisher) === 'official')) {
    reasonList.add('official_confirmation', true, OFFICIAL_CONFIRMATION_WEIGHT)
  }
}

function furtherWeight(further: readonly SourceClass[]): number {
  return Math.round(
    FURTHER_SOURCE_PERCENTAGES.reduce((sum, percent, index) => sum + percent * weightAt(further, index), 0) / 100,
  )
}

function weightAt(classes: readonly SourceClass[], index: number): number {
  const kind = classes[index]
  return kind === undefined ? 0 : SOURCE_WEIGHTS[kind]
}

function share(value: number, name: string): number {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} is a number from 0 to 1, not ${value}`)
  return value
}

/** Adds whole hundredths, so that the sum equals the confidence without rounding errors. */
class ReasonList {
  readonly reasons: ConfidenceReason[] = []
  sum = 0

  add(reason: ReasonName, value: ConfidenceReason['value'], hundredths: number): void {
    this.reasons.push({ reason, value, weight: hundredths / 100 })
    this.sum += hundredths
  }
}
