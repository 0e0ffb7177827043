import { sourceUrlKey } from '../../domain/confidence.ts'
import type { Casualties, Incident, ReportedCasualties, Source } from '../../domain/incident.ts'
import { MERGE_CHOICES, MERGED_FIELDS, type MergeTake } from '../../domain/lifecycle.ts'
import type { ModerationRecord } from '../../domain/moderation.ts'
import { publisherKey } from '../../domain/publishers.ts'
import type { ModeratedIncident } from './moderated-incident.ts'

type State = Pick<ModeratedIncident, 'incident' | 'moderation'>

/** The incident that remains, with what it takes from the merged one. */
export function mergedValues(merged: State, remaining: State, take: MergeTake): State {
  const { sources, official } = unitedSources(merged, remaining)
  const reported = unitedCasualties(merged.incident, remaining.incident)
  const incident = {
    ...remaining.incident,
    ...takenValues(merged.incident, take),
    sources,
    ...(reported.length === 0 ? {} : { casualties_reported: reported }),
  }
  const moderation: ModerationRecord = {
    ...remaining.moderation,
    official,
    merged_from: [...(remaining.moderation.merged_from ?? []), merged.incident.id],
    // A severity that was chosen is not computed again.
    severity_given: take.severity === 'this' || remaining.moderation.severity_given,
  }
  return { incident, moderation }
}

function takenValues(merged: Incident, take: MergeTake): Partial<Incident> {
  const members = MERGED_FIELDS.filter((field) => take[field] === 'this').flatMap((field) => MERGE_CHOICES[field])
  return Object.fromEntries(members.map((member) => [member, merged[member]]))
}

/** Sources of both, each once; those of the remaining incident come first. */
function unitedSources(merged: State, remaining: State): { sources: Source[]; official: number[] } {
  const sources = [...remaining.incident.sources]
  const official = [...remaining.moderation.official]
  const known = new Set(sources.map(sourceKey))
  for (const [index, source] of merged.incident.sources.entries()) {
    if (known.has(sourceKey(source))) continue
    known.add(sourceKey(source))
    if (merged.moderation.official.includes(index)) official.push(sources.length)
    sources.push(source)
  }
  return { sources, official }
}

function sourceKey({ url, publisher }: Source): string {
  return url === null ? `by ${publisherKey(publisher)}` : sourceUrlKey(url)
}

/**
 * The figures of every source of both. Where the two have settled on different figures, each is
 * kept under its first source, so that the merge drops none.
 */
function unitedCasualties(merged: Incident, remaining: Incident): ReportedCasualties[] {
  const differ = isKnown(merged.casualties) && !sameFigures(merged.casualties, remaining.casualties)
  const list = [
    ...(remaining.casualties_reported ?? (differ ? ownFigures(remaining) : [])),
    ...(merged.casualties_reported ?? (differ ? ownFigures(merged) : [])),
  ]
  const united: ReportedCasualties[] = []
  for (const each of list) if (!united.some((known) => isSame(known, each))) united.push(withFreeName(each, united))
  return united
}

function ownFigures({ casualties, sources }: Incident): ReportedCasualties[] {
  return isKnown(casualties) ? [{ source: sources[0]?.publisher ?? 'no named source', ...casualties }] : []
}

function isKnown(casualties: Casualties): boolean {
  return casualties.killed !== null || casualties.injured !== null || casualties.abducted !== null
}

function sameFigures(one: Casualties, other: Casualties): boolean {
  return one.killed === other.killed && one.injured === other.injured && one.abducted === other.abducted
}

function isSame(one: ReportedCasualties, other: ReportedCasualties): boolean {
  return one.source === other.source && sameFigures(one, other)
}

/** A source may have given two figures: the second gets a number. */
function withFreeName(each: ReportedCasualties, taken: readonly ReportedCasualties[]): ReportedCasualties {
  let source = each.source
  for (let number = 2; taken.some((known) => known.source === source); number++) source = `${each.source} (${number})`
  return { ...each, source }
}
