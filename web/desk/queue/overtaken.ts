/** Changes since a list was asked for, by incident: its answer may be older than they are. */
type Changes = Map<string, () => void>

const collecting = new Set<Changes>()

/** Remembers how a row was changed, for every list that is being read. */
export function noteChange(id: string, repeat: () => void): void {
  for (const changes of collecting) changes.set(id, repeat)
}

/**
 * Reads and shows a list, then repeats what changed meanwhile: a late answer brings no decided
 * report back.
 */
export async function withChangesMeanwhile(readAndShow: () => Promise<void>): Promise<void> {
  const changes: Changes = new Map()
  collecting.add(changes)
  try {
    await readAndShow()
  } finally {
    collecting.delete(changes)
  }
  for (const repeat of changes.values()) repeat()
}
