/** Begins the summary of every made-up incident, so that none can be taken for a real one, wherever it ends up. */
export const SYNTHETIC_MARK = '[Synthetic] '
