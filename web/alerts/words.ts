/** The sentences that the page hands to its script. */
export type Words = (name: string, values?: Readonly<Record<string, string>>) => string

export function readWords(page: HTMLElement): Words {
  const words = JSON.parse(page.dataset.words ?? '{}') as Readonly<Record<string, string>>
  return (name, values = {}) =>
    (words[name] ?? '').replaceAll(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder)
}
