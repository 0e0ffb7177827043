interface LineValues {
  readonly id: string
  readonly name: string
  readonly others: string
  readonly lat: string
  readonly lng: string
  readonly code: string
  readonly population: string
}

/** A line in the layout of GeoNames. */
export function aLine(changes: Partial<LineValues> = {}): string {
  const defaults = { id: '1', name: 'Gwandu', others: '', lat: '12.49', lng: '4.64', code: 'P.PPL', population: '0' }
  const { id, name, others, lat, lng, code, population } = { ...defaults, ...changes }
  const cells = [id, name, name, others, lat, lng, ...code.split('.'), 'NG', '', '', '', '', '', population]
  return [...cells, '', '', 'Africa/Lagos', ''].join('\t')
}
