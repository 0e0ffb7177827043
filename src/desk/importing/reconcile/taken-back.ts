import type { ModerationRecord } from '../../../domain/moderation.ts'
import type { IncidentRecord } from '../../../store/store.ts'

/** True if undoing an import has retracted it, and nobody has decided anything about it since. */
export function wasTakenBack({ incident, moderation }: IncidentRecord): boolean {
  return incident.status === 'retracted' && moderation?.import_undone?.version === incident.version
}

export function withoutUndone(moderation: ModerationRecord): ModerationRecord {
  const { import_undone: _, ...rest } = moderation
  return rest
}
