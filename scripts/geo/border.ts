/** The cells that have a neighbour of another region, to be drawn from at random. */
export class Border {
  readonly #regions: Int16Array
  readonly #columns: number
  readonly #cells: Int32Array
  readonly #places: Int32Array
  size = 0

  constructor(regions: Int16Array, columns: number) {
    this.#regions = regions
    this.#columns = columns
    this.#cells = new Int32Array(regions.length)
    this.#places = new Int32Array(regions.length).fill(-1)
    const rows = regions.length / columns
    for (let row = 1; row < rows - 1; row++) {
      for (let column = 1; column < columns - 1; column++) this.#update(row * columns + column)
    }
  }

  at(place: number): number {
    return this.#cells[place]!
  }

  /** To be called after the cell has changed its region. */
  changed(cell: number): void {
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
    // The grid's rim is outside Nigeria and stays so.
    if (column === 0 || column === columns - 1 || cell < columns || cell >= regions.length - columns) return
    const own = regions[cell]
    const open =
      regions[cell + 1] !== own ||
      regions[cell - 1] !== own ||
      regions[cell + columns] !== own ||
      regions[cell - columns] !== own
    const place = this.#places[cell]!
    if (open && place < 0) {
      this.#places[cell] = this.size
      this.#cells[this.size++] = cell
    } else if (!open && place >= 0) {
      const last = this.#cells[--this.size]!
      this.#cells[place] = last
      this.#places[last] = place
      this.#places[cell] = -1
    }
  }
}
