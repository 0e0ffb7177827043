/**
 * A credential of WebAuthn: the account's public key, whose private part never leaves the device.
 */
export interface Passkey {
  readonly id: string
  readonly accountId: string
  /** The device's own name of the credential, in base64url. */
  readonly credentialId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** Signatures that the device has counted; 0 if it does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  /** True if it is synchronised to other devices of the person. */
  readonly backedUp: boolean
  readonly createdAt: number
  readonly lastUsedAt: number | null
}
