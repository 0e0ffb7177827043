export interface BackupContents {
  readonly incidents: number
  readonly events: number
  readonly watches: number
  readonly bytes: number
}

/** The backup or restore was refused for a reason that an operator can fix. Nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
