/** The little that the server writes into the page; everything else comes from the API. */
export interface InitialData {
  /** The server's clock. */
  readonly now: string
  readonly demo: boolean
  /** `unknown` if the browser kept its cookie back, because another site led here. */
  readonly session: 'yes' | 'no' | 'unknown'
  readonly signUp: 'open' | 'email' | 'closed'
  readonly hasLgas: boolean
  readonly hasRoads: boolean
}

export const initialData = JSON.parse(document.getElementById('initial-data')!.textContent!) as InitialData

const clockOffset = Date.parse(initialData.now) - Date.now()

/** Returns the server's time: the clock of a computer may be wrong by minutes. */
export function serverNow(): number {
  return Date.now() + clockOffset
}
