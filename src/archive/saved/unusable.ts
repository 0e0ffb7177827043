/** The files cannot be used, for the reason in the message: the archive is built from the store. */
export class UnusableFiles extends Error {
  override readonly name = 'UnusableFiles'
}
