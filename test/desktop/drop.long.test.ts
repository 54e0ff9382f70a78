import { describe, expect, it } from 'vitest'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'
import { built, dropOn, findAccessibilityErrors, IN_BROWSER, visit } from '../support/window.ts'

/** Files dropped on the window in a browser. electron.test.ts has the desktop app, which has the same window. */

const scenario = (title: string) => `name: ${title}\nteaches: Nothing yet.\nsteps:\n  - advance: PT1H\n`

describe('a file that is dropped on the window', IN_BROWSER, () => {
  it('shows what will happen to it while it is held over the window', async (context) => {
    const sandbox = await startSandbox({ window: built })
    const page = await visit(context, sandbox.gui)
    const hint = page.getByText('Drop the file to open it')
    expect(await dropOn(page, 'a.sandbank', '', 'dragover')).toBe(true)
    await hint.waitFor()
    for (const what of ['it opens in a world of its own', 'a scenario: saved', 'a recording: opened'])
      await page.getByText(what).waitFor()
    expect(await findAccessibilityErrors(page, 'held over')).toEqual([])
    await page.evaluate(() => void window.dispatchEvent(new DragEvent('dragleave')))
    await hint.waitFor({ state: 'detached' })
  })

  it('is saved if it is a scenario; replacing one of the same name needs a confirmation', async (context) => {
    const sandbox = await startSandbox({ window: built })
    const page = await visit(context, sandbox.gui, { lossy: true })
    await dropOn(page, 'my steps.yml', scenario('One'))
    await page.getByRole('heading', { name: 'One' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/scenarios/my-steps')
    const savedText = async () =>
      ((await sandbox.call('scenarios.read', { name: 'my-steps' })) as { value: { text: string } }).value.text
    await dropOn(page, 'my steps.yml', scenario('Two'))
    await page.getByText('You already have a scenario named').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await savedText()).toBe(scenario('One'))
    await dropOn(page, 'my steps.yml', scenario('Two'))
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await expect.poll(savedText).toBe(scenario('Two'))
    await dropOn(page, '-wrong.yaml', scenario('Wrong'))
    await page.getByText(/^-wrong\.yaml: .*a name is 1 to 100 letters/).waitFor()
  })

  it('opens a world of its own if it is a bundle, and this one does not change', async (context) => {
    const source = await setUpPayments()
    const { uid } = await source.customer()
    const { text } = ((await source.sandbox.call('bundles.export', {})) as { value: { text: string } }).value
    const sandbox = await startSandbox({ window: built, seed: 'another' })
    const page = await visit(context, sandbox.gui, { lossy: true })
    await dropOn(page, 'theirs.sandbank', text)
    await page.getByRole('button', { name: 'Back to the root world' }).waitFor()
    const customersOf = ({ store }: Pick<typeof sandbox, 'store'>) => store.world.collections.customers
    expect(customersOf(sandbox.worlds.get('world-1')!).get(uid)).toBeDefined()
    expect(customersOf(sandbox).get(uid)).toBeUndefined()
    // The window of the other world takes files as soon as it is connected.
    await page.locator('[data-api-address]').waitFor()
    await dropOn(page, 'half.sandbank', text.slice(0, -20))
    await page.getByText('The bundle could not be opened.').waitFor()
  })

  it('opens Import, ready for a replay, if it is a HAR file', async (context) => {
    const sandbox = await startSandbox({ window: built })
    const page = await visit(context, sandbox.gui)
    const request = { method: 'GET', url: 'https://api.test/api/v1/customers', headers: [] }
    await dropOn(
      page,
      'theirs.har',
      JSON.stringify({ log: { version: '1.2', entries: [{ startedDateTime: '2026-11-02T15:00:00Z', request }] } }),
    )
    await page.getByRole('heading', { name: 'Import' }).waitFor()
    await page.getByText('theirs.har, a recording of 1 kB').waitFor()
    expect(await page.getByRole('button', { name: 'Replay' }).last().getAttribute('aria-disabled')).not.toBe('true')
  })

  it('is rejected with a reason if it is another kind of file, and the browser does not open it', async (context) => {
    const sandbox = await startSandbox({ window: built })
    const page = await visit(context, sandbox.gui)
    const here = page.url()
    const { seq } = sandbox.store.world
    for (const name of ['thesis.pdf', 'no ending', '.yaml.exe', 'page.html']) {
      expect(await dropOn(page, name, '<h1>elsewhere</h1>'), 'the browser does not open the file').toBe(true)
      await page.getByText(`${name}: a bundle (.sandbank), a scenario (.yaml, .yml) or a HAR file (.har) is`).waitFor()
    }
    expect(await findAccessibilityErrors(page, 'a refusal')).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    const isHandled = await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.setData('text/uri-list', 'https://example.com/')
      const options = { dataTransfer, bubbles: true, cancelable: true }
      return !document.querySelector('main')!.dispatchEvent(new DragEvent('drop', options))
    })
    expect(isHandled, 'the browser does not open a link').toBe(true)
    const dropBytes = (...names: string[]) =>
      page.evaluate((files) => {
        const dataTransfer = new DataTransfer()
        for (const name of files) dataTransfer.items.add(new File([new Uint8Array([0xc3, 0x28])], name))
        const options = { dataTransfer, bubbles: true, cancelable: true }
        return !document.querySelector('main')!.dispatchEvent(new DragEvent('drop', options))
      }, names)
    expect(await dropBytes('picture.yaml')).toBe(true)
    await page.getByText('picture.yaml could not be read as text.').waitFor()
    expect(await dropBytes('a.yaml', 'b.yaml')).toBe(true)
    await page.getByText('2 files were dropped. Drop one file at a time.').waitFor()
    expect([page.url(), sandbox.store.world.seq]).toEqual([here, seq])
  })
})
