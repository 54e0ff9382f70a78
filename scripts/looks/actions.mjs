// What a state of the window needs done before its pictures are taken: functions that return an action of a page.
import { callControl } from './sandbox.mjs'

export const click =
  (name, options = {}) =>
  (page) =>
    page
      .getByRole('button', { name, ...options })
      .first()
      .click()

export const clickExact = (name) => click(name, { exact: true })

export const clickAt =
  (selector, index = 0) =>
  (page) =>
    page
      .locator(selector)
      .nth(index)
      .click({ position: { x: 20, y: 10 } })

/** The context menu of the first one. */
export const openMenuOf = (selector) => (page) => page.locator(selector).first().click({ button: 'right' })

export const check = (label) => (page) => page.getByLabel(label).check()
export const selectTab = (name) => (page) => page.getByRole('tab', { name }).first().click()
export const select = (label, option) => (page) => page.getByLabel(label).first().selectOption(option)
export const fill = (label, text) => (page) => page.getByLabel(label).first().fill(text)
export const typeText = (text) => (page) => page.keyboard.insertText(text)

export const press =
  (...keys) =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key)
  }

export const waitFor = (selector) => (page) => page.locator(selector).first().waitFor()
export const waitForText = (text) => (page) => page.getByText(text).first().waitFor()

// ── Parts of screens

export const waitForTimeline = waitForText(/^\d+ of \d+/)
export const waitForExplanation = waitFor('[role=dialog] :is([data-chain], [data-statement])')

export const inject = click(/^Inject/)
export const fillForm = (name, text) => (page) => page.locator('main form').getByLabel(name, { exact: true }).fill(text)
export const fillDialog = (name, text) => (page) =>
  page.getByRole('dialog').getByRole('textbox', { name, exact: true }).fill(text)
export const setCount = (count) => (page) => page.getByLabel(/^How many times/).fill(String(count))
export const slowInjections = (ms) => (page) =>
  page.route('**/exchanges.send', async (route) => {
    await new Promise((done) => setTimeout(done, ms))
    await route.continue()
  })

/** Scrolls a page of the reference down by so many of its own heights. */
export const scrollReference = (heights) => (page) =>
  page.locator('#reference-page').evaluate((pane, by) => pane.scrollTo(0, pane.clientHeight * by), heights)

/** Clicks the `Run` of the scenario; the clock bar has one, too. */
export const runScenario = (page) =>
  page
    .getByRole('region', { name: 'Scenario', exact: true })
    .getByRole('button', { name: /^(Run|Continue)$/ })
    .click()

/** Saves a scenario of the user, and reloads the window so that it lists it. */
export const saveScenario = (name, text) => async (page, sandbox) => {
  await callControl(sandbox, 'scenarios.save', { name, text })
  await page.reload()
  await page.getByRole('tab', { name: 'Text' }).waitFor()
}

/** Opens the palette and types. Its code loads on demand, and keys pressed before would be lost. */
export const openPalette =
  (...texts) =>
  async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search commands, screens and records' }).waitFor()
    for (const text of texts) await page.keyboard.insertText(text)
  }

/** Sends drag events with a file to the window: `dragover` shows where it can be dropped, `drop` drops it. */
export const dragFile =
  (name, text, ...events) =>
  (page) =>
    page.evaluate(
      ([name, text, events]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text], name))
        for (const event of events)
          document.body.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }))
      },
      [name, text, events],
    )

// ── States

/** A screen as it opens. */
export const screen = (name) => [name, `#/${name}`]

/** Types into the find bar of the desktop app, which answers with these matches. */
export const findText = (text, matches, active) => async (page) => {
  await page.evaluate(
    (found) => {
      const call = async (name) => ({ ok: true, value: name === 'desk.find' ? found : {} })
      window.desk = { call, subscribe: () => () => {} }
    },
    { matches, active },
  )
  await page.keyboard.press('Control+f')
  await page.keyboard.type(text)
}
