import { StoreUnavailable } from '../../../store/store.ts'

/** Documents in a file that is damaged; they are read again from the store, and then readable. */
export class UnreadableDocuments extends StoreUnavailable {
  override readonly name = 'UnreadableDocuments'
}
