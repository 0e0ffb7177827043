/**
 * Rejects text that a database cannot hold: NUL in PostgreSQL, half a surrogate pair in UTF-8,
 * which SQLite would change silently. Both stores reject both.
 */
export function checkText(text: string): void {
  if (text.includes('\0')) throw new TypeError('Text for the store contains a NUL character')
  if (!text.isWellFormed()) throw new TypeError('Text for the store contains half of a surrogate pair')
}
