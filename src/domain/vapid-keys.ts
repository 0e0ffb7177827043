/** The pair of keys by which push services know this service (RFC 8292), in base64url. */
export interface VapidKeys {
  /**
   * 65 bytes: browsers are told it when they subscribe, and take only messages signed with its
   * pair.
   */
  readonly publicKey: string
  readonly privateKey: string
}
