/** A backup, or what is to be restored, as far as it can be counted. */
export interface BackupContents {
  readonly incidents: number
  readonly events: number
  readonly watches: number
  readonly bytes: number
}

/** Why a backup was not made or not restored: something for a person to put right. Nothing that was there has been touched. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
