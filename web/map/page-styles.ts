/**
 * The style sheets of the scripts' page. The server's page only preloads them: applied to it, they
 * would have the browser style and lay out a page that the scripts replace at once.
 */
const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=style]')].map(({ href }) => {
  const sheet = document.createElement('link')
  return Object.assign(sheet, { rel: 'stylesheet', media: 'not all', href })
})

/** Resolves when all are there. If one cannot be loaded, the server's page stays: it needs none. */
export async function stylesLoaded(): Promise<void> {
  await Promise.all(sheets.map(load))
}

export function applyStyles(): void {
  for (const sheet of sheets) sheet.media = 'all'
}

function load(sheet: HTMLLinkElement): Promise<unknown> {
  return new Promise((resolve, reject) => {
    sheet.addEventListener('load', resolve)
    sheet.addEventListener('error', () => reject(new Error(`${sheet.href} cannot be loaded`)))
    document.head.append(sheet)
  })
}
