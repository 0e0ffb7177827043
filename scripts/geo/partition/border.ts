/**
 * The cells with a neighbour in another region, in a list from which one can be drawn at random.
 */
export class Border {
  readonly #regions: Int16Array
  readonly #columns: number
  readonly #cells: Int32Array
  readonly #positions: Int32Array
  size = 0

  constructor(regions: Int16Array, columns: number) {
    this.#regions = regions
    this.#columns = columns
    this.#cells = new Int32Array(regions.length)
    this.#positions = new Int32Array(regions.length).fill(-1)
    const rows = regions.length / columns
    for (let row = 1; row < rows - 1; row++) {
      for (let column = 1; column < columns - 1; column++) this.#update(row * columns + column)
    }
  }

  at(position: number): number {
    return this.#cells[position]!
  }

  /** Updates the cell and its neighbours after the cell has changed its region. */
  update(cell: number): void {
    this.#update(cell)
    this.#update(cell + 1)
    this.#update(cell - 1)
    this.#update(cell + this.#columns)
    this.#update(cell - this.#columns)
  }

  #update(cell: number): void {
    const regions = this.#regions
    const columns = this.#columns
    const column = cell % columns
    // The edge of the grid always stays outside Nigeria.
    if (column === 0 || column === columns - 1 || cell < columns || cell >= regions.length - columns) return
    const own = regions[cell]
    const isBorder =
      regions[cell + 1] !== own ||
      regions[cell - 1] !== own ||
      regions[cell + columns] !== own ||
      regions[cell - columns] !== own
    const position = this.#positions[cell]!
    if (isBorder && position < 0) {
      this.#positions[cell] = this.size
      this.#cells[this.size++] = cell
    } else if (!isBorder && position >= 0) {
      const last = this.#cells[--this.size]!
      this.#cells[position] = last
      this.#positions[last] = position
      this.#positions[cell] = -1
    }
  }
}
