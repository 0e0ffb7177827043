/** Copies a typed array into a longer one of the same kind. */
export function enlarge<Column extends Float64Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Uint8Array>(
  column: Column,
  length = column.length * 2,
): Column {
  const larger = new (column.constructor as new (length: number) => Column)(length)
  larger.set(column)
  return larger
}
