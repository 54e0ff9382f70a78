import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addressIn,
  createClient,
  type Dialog,
  EPHEMERAL,
  electron,
  emptyWorldIn,
  type Started,
  start,
} from '../support/electron.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { occupyPort } from '../support/ports.ts'
import { dropOn } from '../support/window.ts'

/** What a user does in the windows of the desktop app, in a real Electron. */

const scenario = (title: string) => `name: ${title}\nteaches: Nothing yet.\nsteps:\n  - advance: { by: PT1H }\n`

const commit = (page: Page) => page.getByRole('contentinfo').getByText(/^commit/)

describe.skipIf(!electron)('in a real Electron, one app', () => {
  const ends: (() => void | Promise<void>)[] = []
  const shared = {} as { app: Started }
  beforeAll(async () => {
    const until = (end: () => void | Promise<void>) => void ends.push(end)
    shared.app = await start([...emptyWorldIn(createTemporaryFolder(until)), '--clock', 'frozen'], { until })
  })
  afterAll(async () => {
    await shared.app?.quit()
    for (const end of ends.reverse()) await end()
  })

  it('starts, shows the address of the API, and lists a request as it arrives', async () => {
    const { page } = shared.app
    const { client } = await createClient(page)
    await shared.app.menu('Go', 'Requests')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await page.getByRole('grid').getByText('/customers').first().waitFor()
  })

  it('advances the clock from the window', async () => {
    const { page } = shared.app
    const before = await page.locator('[data-now]').getAttribute('datetime')
    await page.getByRole('button', { name: '1 hour' }).click()
    await expect
      .poll(async () => page.locator('[data-now]').getAttribute('datetime'))
      .toBe(new Date(Date.parse(before!) + 3_600_000).toISOString().replace('.000Z', 'Z'))
  })

  it('opens the same page in a new window, from the menu', async () => {
    const { page } = shared.app
    await shared.app.menu('Go', 'Faults')
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    const second = await shared.app.nextWindow(() => shared.app.menu('File', 'New Window'))
    await second.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    expect(second.url()).toBe(page.url())
    await shared.app.menu('Edit', 'Find…')
    await second.getByRole('search', { name: 'Find on this screen' }).waitFor()
    expect(await page.getByRole('search', { name: 'Find on this screen' }).count()).toBe(0)
    await shared.app.close(second)
  })

  it('opens no page of another origin, and no window for it', async () => {
    const { page } = shared.app
    const here = page.url()
    expect(await page.evaluate(() => window.open('https://example.com/'))).toBeNull()
    await page.evaluate(() => void (location.href = 'https://example.com/'))
    // The driver waits for a navigation that was prevented, until there is another one.
    await page.reload()
    await page.getByRole('button', { name: '1 hour' }).waitFor()
    expect(page.url()).toBe(here)
    expect(await page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined')
  })

  it('finds text on the screen, and gives the focus back', async () => {
    const { page } = shared.app
    await shared.app.menu('Go', 'Program settings')
    await page.getByRole('heading', { name: 'Program settings' }).waitFor()
    const button = page.getByRole('button', { name: '1 hour' })
    await button.focus()
    const bar = page.getByRole('search', { name: 'Find on this screen' })
    const count = () => bar.getByRole('status').getAttribute('data-count')

    await shared.app.menu('Edit', 'Find…')
    const field = bar.getByRole('textbox', { name: 'Find' })
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    // Some of these keys are shortcuts of the window.
    await page.keyboard.type('program settings', { delay: 5 })
    expect(await field.inputValue()).toBe('program settings')
    await expect.poll(count).toMatch(/^1 of [2-9]$/)
    const [, all] = /^1 of (\d)$/.exec((await count())!)!
    await page.keyboard.press('Enter')
    await expect.poll(count).toBe(`2 of ${all}`)
    await page.keyboard.press('Shift+Enter')
    await expect.poll(count).toBe(`1 of ${all}`)
    await page.keyboard.press('Shift+Enter')
    await expect.poll(count, { message: 'its own text is skipped' }).toBe(`${all} of ${all}`)
    await bar.getByRole('button', { name: 'Next match' }).click()
    await expect.poll(count).toBe(`1 of ${all}`)

    await field.fill('no such text on this screen')
    await expect.poll(count, { message: 'its own text is not counted' }).toBe('No matches')
    await field.fill('pr')
    await expect.poll(count).toMatch(/^1 of/)
    await page.keyboard.type('.?')
    expect(await field.inputValue()).toBe('pr.?')
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('ControlOrMeta+f')
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
  })

  it('a second start shows the first window and passes its file on', async () => {
    const path = join(createTemporaryFolder(), 'first steps.yaml')
    writeFileSync(path, scenario('First steps'))
    await shared.app.startAgain(path)
    await shared.app.page.getByRole('heading', { name: 'First steps' }).waitFor()
    expect(shared.app.page.url()).toMatch(/#\/scenarios\/first-steps$/)
  })

  it('opens a dropped file without leaving the screen', async () => {
    const { page } = shared.app
    const address = page.url().replace(/#.*/, '')
    expect(await dropOn(page, 'second steps.yaml', scenario('Second steps'))).toBe(true)
    await page.getByRole('heading', { name: 'Second steps' }).waitFor()
    expect(await dropOn(page, 'thesis.pdf', '%PDF')).toBe(true)
    await page.getByText('thesis.pdf: a bundle (.sandbank)').waitFor()
    expect(page.url()).toBe(`${address}#/scenarios/second-steps`)
  })
  it('is loaded again after its page has crashed, and the sandbox goes on', async () => {
    const { app, page, answer, dialogs } = shared.app
    const { client } = await createClient(page)
    const before = (await dialogs()).length
    await answer('Reload Window')
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer())
    await expect.poll(dialogs).toHaveLength(before + 1)
    expect((await client.get('/customers')).status).toBe(200)
    expect((await dialogs()).at(-1)!.text).toMatch(
      /^The window crashed\nThe sandbox is still running, and nothing is lost/,
    )
    const isBack = () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(
          'document.querySelector("[data-api-address]")?.textContent',
        ),
      )
    await expect.poll(isBack).toMatch(/^http:/)
  })
})

describe.skipIf(!electron)('in a real Electron', () => {
  it('shows another world with its own requests, and the root world again', async () => {
    const started = await start(emptyWorldIn(createTemporaryFolder()))
    const { page } = started
    const main = await addressIn(page)
    await started.menu('Go', 'Worlds')
    await page.getByLabel('Name', { exact: true }).fill('one')
    await page.getByRole('button', { name: 'Create and open' }).click()
    const back = page.getByRole('button', { name: 'Back to the root world' })
    await back.waitFor()
    const { api, client } = await createClient(page)
    expect(api).toBe(main.replace('/api/v1', '/worlds/one/api/v1'))
    await started.menu('Go', 'Requests')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await page.getByRole('grid').getByText('/customers').first().waitFor()
    await back.click()
    await back.waitFor({ state: 'detached' })
    expect(await addressIn(page)).toBe(main)
    await page.getByText('no request yet').waitFor()
    await started.quit()
  })

  it('shows another world in a second window: each follows its own world, and closing one keeps the other', async () => {
    const started = await start(emptyWorldIn(createTemporaryFolder()))
    const { page } = started
    await addressIn(page)
    await page.evaluate(() => window.sandbox!.call('worlds.create', { name: 'one' }))
    await started.menu('Go', 'Worlds')
    const link = page.getByRole('link', { name: 'one', exact: true })
    const second = await started.nextWindow(() => link.click({ modifiers: ['ControlOrMeta'] }))
    const clients = [await createClient(page), await createClient(second)] as const
    expect(clients.map(({ api }) => /worlds\/one/.test(api))).toEqual([false, true])
    for (const [at, it] of [page, second].entries()) {
      await it.evaluate(() => void (location.hash = '#/requests'))
      await it.getByText('no request').first().waitFor()
      expect((await clients[at]!.client.post('/customers', { email: `${at}@example.test` })).status).toBe(201)
      await it.getByRole('grid').getByText('/customers').first().waitFor()
      expect(await it.getByRole('grid').getByText('/customers').count(), 'only those of its own world').toBe(1)
    }
    await started.close(page)
    expect((await clients[1].client.get('/customers')).status).toBe(200)
    await expect.poll(() => second.getByRole('grid').getByText('/customers').count()).toBe(2)
    await started.menu('Go', 'Time')
    await second.getByRole('heading', { name: 'Time' }).waitFor()
    expect(second.url()).toMatch(/\?world=one#\/time$/)
    await started.quit()
  })

  it('opens another world, and the first one again from the recent worlds', async () => {
    const [one, other] = [createTemporaryFolder(), createTemporaryFolder()]
    const started = await start(emptyWorldIn(one))
    const { page } = started
    const { client } = await createClient(page)
    await client.post('/customers', {})
    await expect.poll(() => commit(page).innerText()).not.toMatch(/\b1$/)
    await started.answer(other, 'Empty World')
    await started.menu('File', 'New World…')
    const count = () =>
      page.evaluate(async () => {
        const input = { collection: 'customers', include_initiated: true, limit: 0 }
        const reply = await window.sandbox!.call('records.list', input)
        return (reply as unknown as { value?: { total_count: number } }).value?.total_count
      })
    await expect.poll(() => count().catch(() => undefined)).toBe(0)
    await started.menu('File', 'Recent Worlds', one)
    await expect.poll(() => count().catch(() => undefined)).toBe(1)
    await started.quit()
  })
  it('remembers the place of the window, unless it is off screen', async () => {
    const userData = createTemporaryFolder()
    const place = { x: 60, y: 50, width: 900, height: 700 }
    const first = await start(EPHEMERAL, { userData })
    const boundsOf = ({ app }: Started) =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getNormalBounds())
    await first.app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]!.setBounds(to), place)
    await expect.poll(() => boundsOf(first)).toEqual(place)
    await first.quit()
    const again = await start(EPHEMERAL, { userData })
    expect(await boundsOf(again)).toEqual(place)
    await again.quit()
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ bounds: { ...place, x: 9_000 } }))
    expect((await boundsOf(await start(EPHEMERAL, { userData }))).x).toBeLessThan(1_440)
  })

  it('offers the next free port when its port is in use, remembers it, and shows it', async () => {
    const { port: usedPort } = await occupyPort()
    const userData = createTemporaryFolder()
    const settings = join(userData, 'desktop.json')
    writeFileSync(settings, JSON.stringify({ port: usedPort }))
    const args = ['--data', createTemporaryFolder(), '--world', 'empty']
    const { page, dialogs } = await start(args, { answers: ['Use'], userData })
    const [{ text, buttons }] = (await dialogs()) as [Dialog]
    expect(text).toMatch(`Port ${usedPort} is taken by another program`)
    expect(buttons).toEqual([expect.stringMatching(/^Use \d+$/), 'Try Again', 'Quit'])
    const port = Number(buttons[0]!.slice('Use '.length))
    expect(await addressIn(page)).toBe(`http://127.0.0.1:${port}/api/v1`)
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ port })
  })
})
