import { PREFIXES, SUFFIX_LENGTH } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import { indexedFieldsOf } from '../filter/filter.ts'
import { type Month, monthOf, monthStart } from '../lib/calendar.ts'
import type { MergedIncident } from '../store/store.ts'
import type { Columns } from './columns/columns.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { ScannedChunk } from './loading/scan.ts'
import { Pins, PublishedOrder, type SegmentList } from './segments/published-order.ts'
import type { WordIndex } from './words/word-index.ts'

/** Gives each public incident a slot, and fills its columns, its document and its words. */
export class IncidentSlots {
  readonly #columns: Columns
  readonly #documents: DocumentStore
  readonly #words: WordIndex
  readonly #pins = new Pins((slot) => this.#freeSlot(slot))
  readonly #ids: IdIndex
  readonly #order: PublishedOrder
  readonly #free: number[] = []
  /** Slots that are not yet in published order. */
  #added: number[] = []
  /** All slots in use are below. */
  #end = 0
  #size = 0

  constructor(columns: Columns, documents: DocumentStore, words: WordIndex) {
    this.#columns = columns
    this.#documents = documents
    this.#words = words
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
    this.#words.addScanned(chunk.words)
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
    this.#words.set(slot, incident.summary)
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
    this.#words.set(slot, incident.summary)
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
    this.#words.remove(slot)
    this.#free.push(slot)
  }

  /** A database may order ids of the same millisecond in its own way. */
  #isInPublishedOrder(): boolean {
    for (let slot = 1; slot < this.#end; slot++) if (this.#columns.compare(slot - 1, slot) >= 0) return false
    return true
  }
}

/**
 * Incidents that were public once: requests for them are answered otherwise than for unknown ones.
 */
export class Withdrawn {
  readonly #retracted = new Set<string>()
  /** By id: the one that remains. */
  readonly #merged = new Map<string, string>()

  addAll(retracted: Iterable<string>, merged: Iterable<MergedIncident>): void {
    for (const id of retracted) this.#retracted.add(id)
    for (const { id, into } of merged) this.#merged.set(id, into)
  }

  /** Takes note of an incident that is not public now. */
  add({ id, status, merged_into: into }: Incident): void {
    if (status === 'retracted') this.#retracted.add(id)
    if (into !== undefined) this.#merged.set(id, into)
  }

  /** The incident is public again. */
  remove(id: string): void {
    this.#retracted.delete(id)
    this.#merged.delete(id)
  }

  isRetracted(id: string): boolean {
    return this.#retracted.has(id)
  }

  mergedInto(id: string): string | null {
    return this.#merged.get(id) ?? null
  }

  get contents(): { readonly retracted: string[]; readonly merged: MergedIncident[] } {
    return { retracted: [...this.#retracted], merged: Array.from(this.#merged, ([id, into]) => ({ id, into })) }
  }
}

/**
 * Lists the months that have incidents, newest first, with their counts; `size` is that of the
 * list.
 */
export function countByMonth(
  list: SegmentList,
  { publishedAt }: Columns,
  size: number,
): { month: Month; incidents: number }[] {
  const { first, last } = list
  if (first === null || last === null) return []
  const months: { month: Month; incidents: number }[] = []
  const oldest = monthOf(publishedAt[first]!)
  for (let month = monthOf(publishedAt[last]!), above = size; month >= oldest; month--) {
    const below = list.countBefore(monthStart(month))
    if (above > below) months.push({ month, incidents: above - below })
    above = below
  }
  return months
}

/** For each month, the last event that changed one of its incidents. */
export class MonthVersions {
  readonly #versions = new Map<Month, number>()

  /** `time` is when an incident that the event changed was published. */
  change(time: number, seq: number): void {
    this.#versions.set(monthOf(time), seq)
  }

  of(month: Month): number {
    return this.#versions.get(month) ?? 0
  }

  forgetAll(): void {
    this.#versions.clear()
  }
}

const EMPTY = 0
const REMOVED = 0xffffffff
const FNV_OFFSET_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Finds the slot of an id: an open-addressing hash table over the column of ids. A `Map` would hold
 * a million strings, about 100 MB and a second of garbage collection; this takes 8 MB.
 */
export class IdIndex {
  readonly #columns: Columns
  /** Each entry is the slot + 1; 0 marks an empty one. */
  #table = new Uint32Array(4096)
  #taken = 0

  constructor(columns: Columns) {
    this.#columns = columns
  }

  slotOf(suffix: string): number | null {
    if (suffix.length !== SUFFIX_LENGTH) return null
    const mask = this.#table.length - 1
    for (let index = hash(suffix) & mask; ; index = (index + 1) & mask) {
      const entry = this.#table[index]!
      if (entry === EMPTY) return null
      if (entry !== REMOVED && this.#hasSuffix(entry - 1, suffix)) return entry - 1
    }
  }

  add(suffix: string, slot: number): void {
    if ((this.#taken + 1) * 2 > this.#table.length) this.#rebuild()
    this.#insert(hash(suffix), slot)
  }

  /** Adds the slots from 0 up to `count`, whose ids are in the column, to an empty index. */
  addFirst(count: number): void {
    let length = this.#table.length
    while ((count + 1) * 2 > length) length *= 2
    this.#table = new Uint32Array(length)
    for (let slot = 0; slot < count; slot++) this.#insert(hashOfSlot(this.#columns, slot), slot)
  }

  remove(suffix: string): void {
    const mask = this.#table.length - 1
    for (let index = hash(suffix) & mask; this.#table[index] !== EMPTY; index = (index + 1) & mask) {
      const entry = this.#table[index]!
      if (entry === REMOVED || !this.#hasSuffix(entry - 1, suffix)) continue
      this.#table[index] = REMOVED
      return
    }
  }

  #insert(hashed: number, slot: number): void {
    const mask = this.#table.length - 1
    let index = hashed & mask
    while (this.#table[index] !== EMPTY) index = (index + 1) & mask
    this.#table[index] = slot + 1
    this.#taken++
  }

  #rebuild(): void {
    const old = this.#table
    this.#table = new Uint32Array(old.length * 2)
    this.#taken = 0
    for (const entry of old) {
      if (entry !== EMPTY && entry !== REMOVED) this.#insert(hashOfSlot(this.#columns, entry - 1), entry - 1)
    }
  }

  #hasSuffix(slot: number, suffix: string): boolean {
    const bytes = this.#columns.suffix
    const start = slot * SUFFIX_LENGTH
    for (let index = SUFFIX_LENGTH - 1; index >= 0; index--) {
      if (bytes[start + index] !== suffix.charCodeAt(index)) return false
    }
    return true
  }
}

/** FNV-1a with one more mixing step, because the table uses only the low bits. */
function hash(text: string): number {
  let value = FNV_OFFSET_BASIS
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME)
  return (value ^ (value >>> 15)) >>> 0
}

/** Computes the same hash from the bytes in the column. */
function hashOfSlot({ suffix }: Columns, slot: number): number {
  let value = FNV_OFFSET_BASIS
  for (let index = slot * SUFFIX_LENGTH; index < (slot + 1) * SUFFIX_LENGTH; index++) {
    value = Math.imul(value ^ suffix[index]!, FNV_PRIME)
  }
  return (value ^ (value >>> 15)) >>> 0
}
