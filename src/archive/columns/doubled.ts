/** The same column with twice the room. */
export function doubled<Column extends Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array>(
  column: Column,
): Column {
  const larger = new (column.constructor as new (length: number) => Column)(column.length * 2)
  larger.set(column)
  return larger
}
