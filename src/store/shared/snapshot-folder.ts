/** The folder of a node's archive beside a SQLite database; null for a database in memory. */
export function snapshotFolderOf(path: string): string | null {
  return path === ':memory:' ? null : `${path}.snapshot`
}
