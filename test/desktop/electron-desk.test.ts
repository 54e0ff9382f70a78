import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createTemporaryFolder, isLocked } from '../support/folder.ts'
import { connected, createClient, electron, emptyWorldIn, type Started, scenario, start } from './electron-app.ts'

/** What other programs and the desktop do with the app, in a real Electron. */

const hashOf = (page: Page) => new URL(page.url()).hash

describe.skipIf(!electron)('in a real Electron, the desktop', () => {
  it('an address opens a record or a commit in the running app, and says what does not exist', async () => {
    const started = await start(emptyWorldIn(createTemporaryFolder()))
    const { page } = started
    const { client } = await createClient(started)
    const { body } = await client.post<{ uid: string }>('/customers', { email: 'ada@example.test' })
    await started.startAgain(`sandbank://record/customers/${body.uid}`)
    await expect.poll(() => hashOf(page)).toBe(`#/customers/${body.uid}`)
    await page.getByText('ada@example.test').first().waitFor()
    await started.startAgain('sandbank://record/transfers/x404')
    await page.getByText('No Transfer has the uid x404.').waitFor()
    await started.startAgain('sandbank://commit/2')
    await page.getByRole('button', { name: 'Rewind to commit 2' }).waitFor()
    await started.startAgain('sandbank://commit/404')
    await page.getByText('This world has no commit 404.').waitFor()
    await started.startAgain('sandbank://commit/2?world=gone')
    const refusal = expect.stringMatching(/^The address was not opened\nThere is no world “gone”/)
    await expect.poll(() => started.said()).toEqual([refusal])
    expect(started.app.windows(), 'a page cannot open a window for each name').toHaveLength(1)
    await started.quit()
  })

  it('an address asks before it opens a bundle, and is refused with a reason if it has another form', async () => {
    const data = createTemporaryFolder()
    const started = await start([...emptyWorldIn(data), 'sandbank://record/customers/x1'])
    const { page } = started
    await page.getByText('No Customer has the uid x1.').waitFor()
    const path = join(createTemporaryFolder(), 'none.sandbank')
    await started.answer('Cancel', 'Open')
    await started.startAgain(`sandbank://bundle/?path=${encodeURIComponent(path)}`)
    await expect.poll(() => started.said()).toHaveLength(1)
    await started.startAgain(`sandbank://bundle/?path=${encodeURIComponent(path)}`)
    await expect.poll(() => started.said()).toHaveLength(3)
    const [asked] = await started.dialogs()
    expect(asked!.buttons[asked!.defaultId!], 'Enter does not replace the world').toBe('Cancel')
    const question = `A sandbank:// address asks to open ${path}. Its world replaces the current one. Undo brings the current one back.`
    expect(await started.said()).toEqual([
      question,
      question,
      `The file was not opened\n${path} cannot be read (ENOENT)`,
    ])
    await started.startAgain('sandbank://record/transfers/..%2f..%2fx', '--data', '/nowhere')
    await expect.poll(async () => (await started.said()).at(-1)).toMatch(/^The address was not opened\n"sandbank:/)
    expect(hashOf(page)).toBe('#/customers/x1')
    expect(isLocked(data)).toBe(true)
    await started.quit()
  })

  it('keeps serving without a window if the user wants it; a second start opens one, also for a file', async () => {
    const data = createTemporaryFolder()
    const started = await start(emptyWorldIn(data))
    const { page } = started
    const api = await connected(started)
    await choose(started, 'Keep serving when the last window closes')
    await started.close(page)
    expect((await fetch(api.replace('/api/v1', '/health'))).status).toBe(200)
    const second = await started.nextWindow(() => started.startAgain())
    expect(await connected({ page: second })).toBe(api)
    await started.close(second)
    const path = join(createTemporaryFolder(), 'first.yaml')
    writeFileSync(path, scenario('First'))
    const third = await started.nextWindow(() => started.startAgain(path))
    await third.getByRole('heading', { name: 'First' }).waitFor()
    await started.close(third)
    const fourth = await started.nextWindow(() => started.startAgain('sandbank://commit/1'))
    await fourth.getByRole('button', { name: 'Rewind to commit 1' }).waitFor()
    await started.close(fourth)
    expect(isLocked(data)).toBe(true)
    await started.quit()
    expect(isLocked(data)).toBe(false)
    expect(await started.said().catch(() => [])).toEqual([])
  })

  it('saves a page as a PDF where the user chooses, and says why it cannot', async () => {
    const started = await start(emptyWorldIn(createTemporaryFolder()))
    await connected(started)
    const folder = createTemporaryFolder()
    const path = join(folder, 'page.pdf')
    const errors = async () => (await started.said()).filter((text) => text.startsWith('The action failed'))
    await started.answer('Cancel', path, folder)
    await started.menu('File', 'Save as PDF…')
    await started.menu('File', 'Save as PDF…')
    await expect.poll(() => existsSync(path) && readFileSync(path, 'latin1').slice(0, 4)).toBe('%PDF')
    await started.menu('File', 'Save as PDF…')
    await expect.poll(errors).toEqual([expect.stringMatching(/cannot be written \(EISDIR\): choose another place\.$/)])
    await started.quit()
  })
})

/** Clicks a checkbox of the settings, and waits until it is saved. */
async function choose(started: Started, name: string) {
  await started.menu('Go', 'Program settings')
  const box = started.page.getByRole('checkbox', { name })
  await box.click()
  await expect.poll(() => box.isChecked()).toBe(true)
  await expect.poll(() => box.isEnabled()).toBe(true)
}
