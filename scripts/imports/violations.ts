import { findCircles, type ImportGraph } from './graph.ts'
import { MAY_IMPORT, PRIVATE, SUBFOLDER_ORDER } from './rules.ts'

/** Lists the imports that break a rule, one line each, and the circles. */
export function findViolations(graph: ImportGraph): string[] {
  const imports = [...graph].flatMap(([file, targets]) => targets.map((target) => [file, target] as const))
  return [
    ...imports.flatMap(([file, target]) => violationOf(file, target) ?? []),
    ...findCircles(graph).map((files) => `circle: ${files.join(' → ')}`),
  ]
}

function violationOf(file: string, target: string): string | null {
  const [from, to] = [topFolder(file), topFolder(target)]
  if (from !== null && to !== null && from !== to && MAY_IMPORT[from]?.includes(to) === false)
    return `${file} imports ${target}: src/${from} may import ${MAY_IMPORT[from].join(', ') || 'nothing else'}`
  for (const [folder, order] of Object.entries(SUBFOLDER_ORDER)) {
    const [before, after] = [positionIn(folder, order, target), positionIn(folder, order, file)]
    if (after >= 0 && before > after) return `${file} imports ${target}: in ${folder} the order is ${order.join(', ')}`
  }
  const closed = PRIVATE.find(({ path, importers }) => path.test(target) && !importers.test(file))
  return closed && inScope(file) ? `${file} imports ${target}, which is not for it to import` : null
}

/** Tests, benchmarks and scripts may look at everything. */
function inScope(file: string): boolean {
  return /^(src|web|client)\//.test(file)
}

function topFolder(file: string): string | null {
  return /^src\/([^/]+)/.exec(file)?.[1] ?? null
}

function positionIn(folder: string, order: readonly string[], file: string): number {
  return file.startsWith(`${folder}/`) ? order.indexOf(file.slice(folder.length + 1).split('/')[0]!) : -1
}
