/** Reads origins that are written one in each line, or with commas. */
export function originsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((origin) => origin.replace(/\/$/, ''))
    .filter((origin) => origin !== '')
}
