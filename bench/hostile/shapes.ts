type Position = [lng: number, lat: number]

const [WEST, SOUTH, EAST, NORTH] = [2.7, 4.2, 14.6, 13.9]

/** A comb over the whole country: every parallel crosses nearly all of its sides. */
export function combPolygon(positions: number) {
  const teeth = Math.floor((positions - 3) / 2)
  const width = (EAST - WEST) / teeth
  const ring: Position[] = [[WEST, SOUTH]]
  for (let tooth = 0; tooth < teeth; tooth++) {
    ring.push([WEST + tooth * width, NORTH - (tooth % 2) * 1e-4])
    ring.push([WEST + (tooth + 0.5) * width, SOUTH + 0.1 + (tooth % 3) * 1e-4])
  }
  ring.push([EAST, SOUTH], [WEST, SOUTH])
  return { type: 'Polygon', coordinates: [ring] }
}

/** The same turned by 45°: all pairs of its sides overlap in both directions. */
export function slantedComb(positions: number) {
  const { coordinates } = combPolygon(positions)
  const turned = coordinates[0]!.map(([lng, lat]): Position => {
    const [east, north] = [(lng - 8.6) / 2, (lat - 9) / 2]
    return [8.6 + (east - north) / 2, 9 + (east + north) / 2]
  })
  return { type: 'Polygon', coordinates: [[...turned.slice(0, -1), turned[0]!]] }
}

/** Small squares all over the country, as one MultiPolygon. */
export function scatteredPolygons(positions: number) {
  const count = Math.floor(positions / 5)
  return {
    type: 'MultiPolygon',
    coordinates: Array.from({ length: count }, (_, at) => {
      const [lng, lat] = [WEST + ((at * 0.61803) % 1) * (EAST - WEST), SOUTH + (at / count) * (NORTH - SOUTH)]
      return [
        [
          [lng, lat],
          [lng + 0.05, lat],
          [lng + 0.05, lat + 0.05],
          [lng, lat + 0.05],
          [lng, lat],
        ],
      ]
    }),
  }
}

/** A line to and fro over the whole country. */
export function zigzagRoute(points: number) {
  const line = Array.from(
    { length: points },
    (_, at): Position => [WEST + (at / points) * (EAST - WEST), at % 2 === 0 ? SOUTH : NORTH],
  )
  return { line, buffer_km: 0.1 }
}
