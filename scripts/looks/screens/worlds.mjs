import { click, clickAt, fill, press, waitForText } from '../actions.mjs'
import { callControl } from '../sandbox.mjs'

/** Two forks of the world, approved in one. */
const branch = async (page, sandbox) => {
  const { worlds } = await callControl(sandbox, 'worlds.list')
  for (const { name } of worlds) await callControl(sandbox, 'worlds.drop', { name })
  await page.getByRole('button', { name: 'Branch and compare' }).click()
  await page.getByRole('region', { name: 'branch-1-a' }).getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('region', { name: 'branch-1-b' }).getByRole('button', { name: 'Deny…' }).waitFor()
  await page.locator('[data-sentence]').first().waitFor()
}
const record = '#/transactions/$payment'
const open = click(/^Switch world/)
const list = press('g', 'w')
const dropOne = async (_page, sandbox) => void (await callControl(sandbox, 'worlds.drop', { name: 'branch-1-b' }))

export const states = [
  ['worlds-root-only', '#/customers?line=worlds'],
  ['worlds-name-wrong', '#/customers?line=worlds', fill('Name', 'No')],
  ['worlds-branched', record, branch],
  ['worlds-deny', record, branch, click('Deny…')],
  ['worlds-differences', record, branch, clickAt('section[aria-label=Comparison] details > summary')],
  ['worlds-list', record, branch, list],
  ['worlds-keep', record, branch, list, click(/^Keep/)],
  ['worlds-drop', record, branch, list, click(/^Drop/)],
  ['worlds-switch', record, branch, open],
  ['worlds-dropped', record, branch, dropOne, click('Refresh'), waitForText('There is no world')],
]
