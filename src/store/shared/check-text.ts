/**
 * PostgreSQL cannot hold a NUL character and UTF-8 cannot hold half of a surrogate pair: SQLite would keep the first and
 * change the second in silence. Both stores refuse both, so that what is read is what was written, on either.
 */
export function checkText(text: string): void {
  if (text.includes('\0')) throw new TypeError('Text for the store holds a NUL character')
  if (!text.isWellFormed()) throw new TypeError('Text for the store holds half of a surrogate pair')
}
