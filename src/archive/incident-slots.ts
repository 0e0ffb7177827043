import { PREFIXES } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import { indexedFieldsOf } from '../filter/indexed-fields.ts'
import type { Columns } from './columns/columns.ts'
import { IdIndex } from './columns/id-index.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { ScannedChunk } from './loading/scan-chunk.ts'
import { PublishedOrder } from './segments/published-order.ts'
import type { SegmentList } from './segments/segment-list.ts'
import { Pins } from './snapshots/pins.ts'

/** Gives each public incident a slot, and fills its columns and its document. */
export class IncidentSlots {
  readonly #columns: Columns
  readonly #documents: DocumentStore
  readonly #pins = new Pins((slot) => this.#freeSlot(slot))
  readonly #ids: IdIndex
  readonly #order: PublishedOrder
  readonly #free: number[] = []
  /** Slots that are not yet in published order. */
  #added: number[] = []
  /** All slots in use are below. */
  #end = 0
  #size = 0

  constructor(columns: Columns, documents: DocumentStore) {
    this.#columns = columns
    this.#documents = documents
    this.#ids = new IdIndex(columns)
    this.#order = new PublishedOrder(columns, this.#pins)
  }

  /** The number of incidents. */
  get size(): number {
    return this.#size
  }

  /** The slots in published order. */
  get list(): SegmentList {
    return this.#order.list
  }

  slotOf(id: string): number | null {
    return id.startsWith(PREFIXES.incident) ? this.#ids.slotOf(id.slice(PREFIXES.incident.length)) : null
  }

  /** Keeps the slots as they are, for a reader, until the pin is disposed of. */
  pin(): Disposable {
    return this.#pins.pin()
  }

  /** Takes over the slots from 0 up to `count`, which are filled and in published order. */
  takeOver(count: number): void {
    this.#end = count
    this.#size = count
    this.#ids.addFirst(count)
    this.#order.insertFirst(count)
  }

  /** `indexLoaded` has to follow. */
  loadChunk(chunk: ScannedChunk): void {
    this.#columns.append(this.#end, chunk.columns)
    this.#documents.addChunk(this.#end, chunk)
    this.#end += chunk.ends.length
  }

  indexLoaded(): void {
    this.#size = this.#end
    this.#ids.addFirst(this.#end)
    if (this.#isInPublishedOrder()) this.#order.insertFirst(this.#end)
    else this.#order.insert(Array.from({ length: this.#end }, (_, slot) => slot))
  }

  /** `orderAdded` has to follow, as after `replaceIncident`. */
  addIncident(incident: Incident, document: string): void {
    const slot = this.#free.pop() ?? this.#end++
    const suffix = incident.id.slice(PREFIXES.incident.length)
    this.#columns.set(slot, suffix, indexedFieldsOf(incident))
    this.#ids.add(suffix, slot)
    this.#size++
    this.#documents.addDocument(slot, document)
    this.#added.push(slot)
  }

  replaceIncident(slot: number, incident: Incident, document: string): void {
    const suffix = incident.id.slice(PREFIXES.incident.length)
    const isNew = this.#removeFromAdded(slot)
    // Remove and insert it again: the correction may have moved it in published order.
    if (!isNew) this.#order.remove(slot)
    if (!isNew && this.#pins.isAny) {
      // A reader may hold the slot, so the new version gets another one.
      this.#ids.remove(suffix)
      this.#size--
      this.#pins.retireSlot(slot)
      this.addIncident(incident, document)
      return
    }
    this.#columns.set(slot, suffix, indexedFieldsOf(incident))
    this.#documents.replaceDocument(slot, document)
    this.#added.push(slot)
  }

  removeIncident(slot: number, id: string): void {
    const isNew = this.#removeFromAdded(slot)
    if (!isNew) this.#order.remove(slot)
    this.#ids.remove(id.slice(PREFIXES.incident.length))
    this.#size--
    if (isNew) this.#freeSlot(slot)
    else this.#pins.retireSlot(slot)
  }

  /** Puts what was added into published order: all at once, because each time may copy segments. */
  orderAdded(): void {
    const added = this.#added
    this.#added = []
    this.#order.insert(added)
  }

  /** Returns whether the slot was not yet in published order. */
  #removeFromAdded(slot: number): boolean {
    const index = this.#added.lastIndexOf(slot)
    if (index >= 0) this.#added.splice(index, 1)
    return index >= 0
  }

  #freeSlot(slot: number): void {
    this.#documents.removeDocument(slot)
    this.#free.push(slot)
  }

  /** A database may order ids of the same millisecond in its own way. */
  #isInPublishedOrder(): boolean {
    for (let slot = 1; slot < this.#end; slot++) if (this.#columns.compare(slot - 1, slot) >= 0) return false
    return true
  }
}
