/** Text that a spreadsheet would read as a formula, or that looks like an escaped one. */
const FORMULA = /^'*[=+\-@\t\r]/
const ESCAPED = /^'+[=+\-@\t\r]/

/**
 * Prefixes a text that a spreadsheet would run (`=HYPERLINK(…)`) with an apostrophe. A text that
 * looks escaped is escaped again, so that `unescapeFormula` always restores the original.
 */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

export function unescapeFormula(text: string): string {
  return ESCAPED.test(text) ? text.slice(1) : text
}
