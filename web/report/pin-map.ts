/** The sentences that the page hands to its script. */
export type Words = Readonly<Record<string, string>>

export interface Point {
  readonly lat: number
  readonly lng: number
}

interface Ground {
  /** Units in a degree. */
  readonly units: number
  readonly states: readonly string[]
  /** The largest first. */
  readonly towns: readonly (readonly [name: string, x: number, y: number])[]
}

const SVG = 'http://www.w3.org/2000/svg'
const NIGERIA = { x: 865, y: -915, width: 1300 }
const POINT_WIDTH = 60
const MIN_WIDTH = 12
const MAX_WIDTH = 1600
const MAX_TOWNS = 24
/** Pixels between the names of towns. */
const ROOM = { x: 90, y: 26 }
const NEAR_UNITS = 30
const KEYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A map that moves beneath a cross in its middle: one finger or the arrow keys are enough. */
export class PinMap {
  readonly element = document.createElement('div')
  onTake: (point: Point, near: string | null) => void = () => {}
  readonly #ground: Ground
  readonly #svg = document.createElementNS(SVG, 'svg')
  readonly #towns = document.createElementNS(SVG, 'g')
  #x: number
  #y: number
  /** Units across the map. */
  #width: number

  static async open(words: Words, point: Point | null): Promise<PinMap> {
    const response = await fetch('/report/ground.json')
    if (!response.ok) throw new TypeError(`the map answered ${response.status}`)
    return new PinMap((await response.json()) as Ground, words, point)
  }

  private constructor(ground: Ground, words: Words, point: Point | null) {
    this.#ground = ground
    this.#x = point === null ? NIGERIA.x : point.lng * ground.units
    this.#y = point === null ? NIGERIA.y : -point.lat * ground.units
    this.#width = point === null ? NIGERIA.width : POINT_WIDTH
    this.#svg.setAttribute('class', 'pin-map')
    this.#svg.setAttribute('tabindex', '0')
    this.#svg.setAttribute('role', 'application')
    this.#svg.setAttribute('aria-label', words.pin_help ?? '')
    for (const state of ground.states) {
      const path = document.createElementNS(SVG, 'path')
      path.setAttribute('d', state)
      this.#svg.append(path)
    }
    this.#svg.append(this.#towns)
    const help = document.createElement('p')
    help.textContent = words.pin_help ?? ''
    const frame = document.createElement('div')
    frame.className = 'pin'
    const zoom = document.createElement('div')
    zoom.className = 'pin-zoom'
    zoom.append(
      button('+', words.zoom_in, () => this.#zoom(0.5)),
      button('−', words.zoom_out, () => this.#zoom(2)),
    )
    frame.append(this.#svg, zoom)
    this.element.append(
      help,
      frame,
      button(words.pin_take ?? '', undefined, () => this.#take()),
    )
    this.#listen()
    // It has a size once it is in the page.
    new ResizeObserver(() => this.#draw()).observe(this.#svg)
  }

  focus(): void {
    this.#svg.focus()
  }

  #listen(): void {
    const svg = this.#svg
    svg.addEventListener('pointerdown', (event) => svg.setPointerCapture(event.pointerId))
    svg.addEventListener('pointermove', (event) => {
      if (!svg.hasPointerCapture(event.pointerId) || !event.isPrimary) return
      this.#move(-event.movementX * this.#unitsPerPixel, -event.movementY * this.#unitsPerPixel)
    })
    svg.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        this.#zoom(event.deltaY < 0 ? 0.8 : 1.25)
      },
      { passive: false },
    )
    svg.addEventListener('keydown', (event) => {
      const step = KEYS[event.key]
      if (step) this.#move((step[0] * this.#width) / 10, (step[1] * this.#width) / 10)
      else if (event.key === '+' || event.key === '=') this.#zoom(0.5)
      else if (event.key === '-') this.#zoom(2)
      else if (event.key === 'Enter') this.#take()
      else return
      event.preventDefault()
    })
  }

  get #unitsPerPixel(): number {
    return this.#width / (this.#svg.clientWidth || 1)
  }

  #move(x: number, y: number): void {
    this.#x += x
    this.#y += y
    this.#draw()
  }

  #zoom(factor: number): void {
    this.#width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, this.#width * factor))
    this.#draw()
  }

  #draw(): void {
    const scale = this.#unitsPerPixel
    const height = this.#svg.clientHeight * scale
    const [left, top] = [this.#x - this.#width / 2, this.#y - height / 2]
    this.#svg.setAttribute('viewBox', `${left} ${top} ${this.#width} ${height}`)
    const shown: { readonly x: number; readonly y: number }[] = []
    const marks: Element[] = []
    for (const [name, x, y] of this.#ground.towns) {
      if (marks.length >= 2 * MAX_TOWNS) break
      if (x < left || x > left + this.#width || y < top || y > top + height) continue
      const crowded = shown.some(
        (other) => Math.abs(other.x - x) < ROOM.x * scale && Math.abs(other.y - y) < ROOM.y * scale,
      )
      if (crowded) continue
      shown.push({ x, y })
      marks.push(mark('circle', { cx: x, cy: y, r: 2.5 * scale }))
      const label = mark('text', { x: x + 5 * scale, y: y + 4 * scale, 'font-size': 12 * scale })
      label.textContent = name
      marks.push(label)
    }
    this.#towns.replaceChildren(...marks)
  }

  #take(): void {
    const { units } = this.#ground
    this.onTake({ lat: -this.#y / units, lng: this.#x / units }, this.#nearestTown())
  }

  #nearestTown(): string | null {
    let nearest: string | null = null
    let distance = NEAR_UNITS
    for (const [name, x, y] of this.#ground.towns) {
      const away = Math.hypot(x - this.#x, y - this.#y)
      if (away >= distance) continue
      distance = away
      nearest = name
    }
    return nearest
  }
}

function button(text: string, label: string | undefined, act: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.textContent = text
  element.className = label === undefined ? 'plain' : ''
  if (label !== undefined) element.setAttribute('aria-label', label)
  element.addEventListener('click', act)
  return element
}

function mark(name: 'circle' | 'text', attributes: Readonly<Record<string, number | string>>): Element {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}
