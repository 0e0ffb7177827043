export interface BackupContents {
  readonly incidents: number
  readonly events: number
  readonly watches: number
  readonly bytes: number
}

/** Tables whose rows a backup leaves out: they are worth nothing later, or must not come back. */
export const NOT_BACKED_UP = ['sessions', 'sign_in_links', 'challenges', 'tips', 'tip_submissions'] as const

/** The backup or restore was refused for a reason that an operator can fix. Nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
