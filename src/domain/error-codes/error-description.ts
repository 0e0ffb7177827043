export interface ErrorDescription {
  readonly status: number
  readonly title: string
  readonly meaning: string
}
