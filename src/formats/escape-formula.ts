/** What a spreadsheet takes for a formula, and what would be mistaken for one of ours that is marked. */
const FORMULA = /^'*[=+\-@\t\r]/
const MARKED = /^'+[=+\-@\t\r]/

/**
 * Marks a text that a spreadsheet would run (`=HYPERLINK(…)`) with an apostrophe, which makes it text there. A text that
 * looks marked already is marked once more, so that `unescapeFormula` always gives back what was there.
 */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

export function unescapeFormula(text: string): string {
  return MARKED.test(text) ? text.slice(1) : text
}
