type Position = [number, number]

interface Arcs {
  readonly arcs: readonly (readonly (readonly number[])[])[]
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] }
}

/** Simplifies the arcs of a topology, in degrees: a border shared by two states stays one line. */
export function simplifyArcs<Topology extends Arcs>(
  topology: Topology,
  tolerance: number | ((arc: readonly Position[]) => number),
): Omit<Topology, 'transform'> {
  const { transform, ...rest } = topology
  const arcs = topology.arcs.map((arc) => {
    const line = toDegrees(arc, transform)
    return simplify(line, typeof tolerance === 'number' ? tolerance : tolerance(line))
  })
  return { ...rest, arcs }
}

function toDegrees(arc: Arcs['arcs'][number], { scale, translate }: Arcs['transform']): Position[] {
  let x = 0
  let y = 0
  return arc.map(([right, up]) => {
    x += right!
    y += up!
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** Douglas–Peucker. */
export function simplify(line: readonly Position[], tolerance: number): Position[] {
  if (line.length < 3) return [...line]
  const first = line[0]!
  const last = line.at(-1)!
  let farthest = 0
  let most = 0
  for (let at = 1; at < line.length - 1; at++) {
    const off = distance(line[at]!, first, last)
    if (off > most) {
      most = off
      farthest = at
    }
  }
  if (most <= tolerance) return [first, last]
  return [
    ...simplify(line.slice(0, farthest + 1), tolerance).slice(0, -1),
    ...simplify(line.slice(farthest), tolerance),
  ]
}

function distance([x, y]: Position, [fromX, fromY]: Position, [toX, toY]: Position): number {
  const alongX = toX - fromX
  const alongY = toY - fromY
  const length = alongX * alongX + alongY * alongY
  // An island's arc ends at its start.
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * alongX + (y - fromY) * alongY) / length))
  return Math.hypot(x - fromX - share * alongX, y - fromY - share * alongY)
}
