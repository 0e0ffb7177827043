import type { Page } from 'playwright-core'
import { until } from '../../support/app.ts'

/** An editor who uses nothing but the keyboard. */
export class Editor {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  /** The id and the summary of the report on the screen. */
  async current(): Promise<{ id: string; summary: string }> {
    const heading = this.page.locator('.report-head h1')
    return { id: (await heading.getAttribute('data-report'))!, summary: await heading.innerText() }
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key)
  }

  /** Presses the keys of a decision and waits until another report is shown. */
  async decide(...keys: string[]): Promise<void> {
    const { id } = await this.current()
    for (const key of keys) {
      await this.press(key)
      // The next key belongs to the dialog, which opens within the same frame.
      if (keys.length > 1 && key === keys[0]) await this.page.waitForSelector('dialog[open]')
    }
    await this.page.waitForFunction(
      (before) => document.querySelector('.report-head h1')?.getAttribute('data-report') !== before,
      id,
    )
  }

  /** Merges the report into its likeliest duplicate. */
  async merge(): Promise<void> {
    const { id } = await this.current()
    await this.press('m')
    // Enter merges once the other report has been read and the button has the focus.
    await this.page.waitForFunction(() => document.activeElement?.matches('dialog button[type=submit]'))
    await this.press('Enter')
    await this.page.waitForFunction(
      (before) => document.querySelector('.report-head h1')?.getAttribute('data-report') !== before,
      id,
    )
  }

  /** Opens the form of the facts and writes into one of its fields. */
  async correct(label: string, value: string): Promise<void> {
    await this.press('e')
    await this.page.waitForSelector('form.editor')
    await this.tabTo(label)
    await this.press('Control+a')
    await this.page.keyboard.type(value)
    await this.press('Control+Enter')
    await this.page.waitForSelector('form.editor', { state: 'detached' })
  }

  /** Goes to the field whose label begins so. */
  async tabTo(label: string): Promise<void> {
    const isThere = () =>
      this.page.evaluate(
        (wanted) =>
          document.activeElement?.closest('label')?.querySelector('span')?.textContent?.startsWith(wanted) === true,
        label,
      )
    for (let tabs = 0; tabs < 30; tabs++) {
      if (await isThere()) return
      await this.press('Tab')
    }
    throw new Error(`the field “${label}” is not reached with Tab`)
  }

  /** Waits until every decision has been answered. */
  async settled(): Promise<void> {
    await until(
      () => this.page.evaluate(() => !Object.keys(localStorage).some((name) => name.startsWith('desk-decision:'))),
      'all decisions to be answered',
    )
  }
}
