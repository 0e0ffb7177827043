import type { Page } from 'playwright-core'

/** Shares of the map's width and height; the whole of Nigeria is in view. */
type Click = readonly [x: number, y: number]
export const AROUND_KADUNA: readonly Click[] = [
  [0.4, 0.2],
  [0.6, 0.2],
  [0.6, 0.6],
  [0.4, 0.6],
  [0.4, 0.2],
]

/** Draws a shape on the map of a form, as a pointer does. */
export async function draw(page: Page, kind: string, clicks: readonly Click[]): Promise<void> {
  await page.locator('.area-map[aria-busy=false]').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: kind }).click()
  await page.locator('.area-map').scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await page.locator('.area-map').boundingBox())!
  for (const [right, down] of clicks) {
    await page.mouse.move(x + width * right - 8, y + height * down - 8)
    await page.mouse.move(x + width * right, y + height * down, { steps: 3 })
    await page.mouse.down()
    await page.mouse.up()
  }
}
