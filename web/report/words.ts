/** The sentences that the page hands to its script. */
export type Words = Readonly<Record<string, string>>

export function readWords(form: HTMLFormElement): Words {
  return JSON.parse(form.dataset.words ?? '{}') as Words
}

export function fill(sentence: string | undefined, values: Readonly<Record<string, string>>): string {
  return (sentence ?? '').replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}
