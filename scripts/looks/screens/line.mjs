import { click, clickAt, fill, waitForText } from '../actions.mjs'

const task = clickAt('[data-line] [data-row]')
const point = (share) => async (page) => {
  const { width, height } = await page.getByRole('slider').boundingBox()
  await page.getByRole('slider').click({ position: { x: width * share, y: height - 12 } })
  await page.getByRole('dialog').waitFor()
}
const dayOf = (page, index) => page.locator('[data-day]').nth(index)
const clickDay = (index) => async (page) => {
  await dayOf(page, index).click()
  await page.getByRole('dialog').waitFor()
}
const dragOver = (from, to) => async (page) => {
  await dayOf(page, from).hover()
  await page.mouse.down()
  await dayOf(page, to).hover()
  await page.getByText(/tasks? will run/).waitFor()
}
const month = '#/customers?line=month'
const line = '#/customers?line=line'
const tasks = '#/customers?line=tasks'
const snapshots = '#/customers?line=snapshots'

export const states = [
  ['line', line],
  ['line-past', line, point(0.2)],
  ['look', line, point(0.2), click('Look'), waitForText(/nothing here can be changed/)],
  ['line-ahead', line, point(0.7)],
  ['line-hours', line, click('Hours')],
  ['line-years', line, click('Years')],
  ['month', month],
  ['month-day', month, clickDay(9)],
  ['month-past', month, clickDay(1)],
  ['month-drag', month, dragOver(8, 15)],
  ['tasks', tasks],
  ['tasks-one', tasks, task],
  ['tasks-held', tasks, task, click('Hold'), waitForText('advances skip it')],
  ['tasks-released', tasks, task, click('Release'), waitForText('is released')],
  ['tasks-recurring', tasks, click(/recurring: hidden/)],
  ['operations', '#/customers?line=operations'],
  ['operations-chosen', '#/customers?line=operations', clickAt('[data-line] [data-row]', 2)],
  ['snapshots', snapshots],
  ['snapshots-name-wrong', snapshots, fill('Save snapshot as', 'a/b')],
  ['snapshots-delete', snapshots, click(/^Delete/)],
  ['snapshots-compare', snapshots, click(/^Compare/)],
  ['snapshots-compare-open', snapshots, click(/^Compare/), clickAt('section[aria-label=Comparison] details > summary')],
  ['start-over', '#/customers?line=worlds', click(/^Start over/)],
]
