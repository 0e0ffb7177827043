/**
 * Rejects text that one of the databases cannot hold. PostgreSQL cannot store a NUL character;
 * UTF-8 cannot encode half of a surrogate pair, which SQLite would change silently. Both stores
 * refuse both, so that text is always read as it was written.
 */
export function checkText(text: string): void {
  if (text.includes('\0')) throw new TypeError('Text for the store contains a NUL character')
  if (!text.isWellFormed()) throw new TypeError('Text for the store contains half of a surrogate pair')
}
