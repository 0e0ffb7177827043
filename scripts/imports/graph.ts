import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Files with the files that each imports, types included; paths are relative to the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\()\s*'(\.{1,2}\/[^']+)'/g

export function readImportGraph(root: string, files: readonly string[]): ImportGraph {
  return new Map(files.map((file) => [file, importsIn(file, readFileSync(join(root, file), 'utf8'))]))
}

export function importsIn(file: string, text: string): string[] {
  return [...text.matchAll(SPECIFIER)].map(([, specifier]) => posix.join(posix.dirname(file), specifier!))
}

/**
 * Finds import circles: each result lists the files of one circle, the first one repeated at the
 * end.
 */
export function findCircles(graph: ImportGraph): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  for (const file of graph.keys()) visit(file, [])
  return circles

  function visit(file: string, path: readonly string[]): void {
    const start = path.indexOf(file)
    if (start >= 0) circles.push([...path.slice(start), file])
    if (start >= 0 || done.has(file)) return
    for (const target of graph.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
}
