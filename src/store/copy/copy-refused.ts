/** The copy was refused, or has failed its check, for a reason that an operator can fix. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}
