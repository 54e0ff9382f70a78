import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { findFreePort, occupyPort } from '../support/ports.ts'
import { startSandbox } from '../support/sandbox.ts'
import { dropOn } from '../support/window.ts'
import {
  connected,
  createClient,
  type Dialog,
  EPHEMERAL,
  electron,
  emptyWorldIn,
  expectCleanEnd,
  type Started,
  scenario,
  start,
} from './electron-app.ts'

/** What a user does in the windows of the desktop app, in a real Electron. */

const commit = (page: Page) => page.getByRole('contentinfo').getByText(/^commit/)

/** Places of the line of time, which stays under the clock on every screen, by their tabs. */
const panesOfLine = new Map([
  ['Line of time', /^Line/],
  ['Scheduled tasks', /^Tasks/],
  ...['Month', 'Operations', 'Snapshots', 'Worlds'].map((name) => [name, new RegExp(`^${name}`)] as const),
])

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
    const { client } = await createClient({ page })
    await shared.app.menu('Go', 'Requests')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await page.getByRole('grid').getByText('/customers').first().waitFor()
    // The list may have been read after the first request: only a notice tells of the next one.
    expect((await client.get('/products')).status).toBe(200)
    await page.getByRole('grid').getByText('/products').first().waitFor()
  })

  it('advances the clock from the window', async () => {
    const { page } = shared.app
    const before = await page.locator('[data-now]').getAttribute('datetime')
    await page.getByRole('button', { name: '1 hour', exact: true }).click()
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
    await page.getByRole('button', { name: '1 hour', exact: true }).waitFor()
    expect(page.url()).toBe(here)
    expect(await page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined')
  })

  it('finds text on the screen, and gives the focus back', async () => {
    const { page } = shared.app
    await shared.app.menu('Go', 'Program settings')
    await page.getByRole('heading', { name: 'Program settings' }).waitFor()
    const button = page.getByRole('button', { name: '1 hour', exact: true })
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
  it('is isolated and sandboxed, without Node, and no other frame has its bridge', async () => {
    const { app, page } = shared.app
    const preferences = await app.evaluate(({ BrowserWindow }) =>
      (
        BrowserWindow.getAllWindows()[0]!.webContents as never as { getLastWebPreferences(): object }
      ).getLastWebPreferences(),
    )
    const expected = { contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false }
    expect(preferences).toMatchObject(expected)
    await page.evaluate(() => void document.body.append(document.createElement('iframe')))
    const names = await page.frames()[1]!.evaluate(() => Object.keys(window))
    expect(names.filter((name) => ['sandbox', 'desk'].includes(name))).toEqual([])
    await page.evaluate(() => document.querySelector('iframe')!.remove())
  })

  it('gets only the permission to write to the clipboard', async () => {
    const { page } = shared.app
    const stateOf = (name: string) =>
      page.evaluate(async (asked) => (await navigator.permissions.query({ name: asked as PermissionName })).state, name)
    expect(await stateOf('clipboard-write')).toBe('granted')
    for (const name of ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'])
      expect(await stateOf(name), name).toBe('denied')
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
  })

  it('gets only its own files, with a strict content policy', async () => {
    const read = (address: string) =>
      shared.app.app.evaluate(async ({ net }, url) => {
        const { status, headers } = await net.fetch(url)
        return { status, policy: headers.get('content-security-policy') }
      }, address)
    expect(await read('app://sandbank/index.html')).toEqual({
      status: 200,
      policy: expect.stringMatching(/default-src 'none'; script-src 'self'/),
    })
    for (const address of [
      'app://sandbank/../main/index.js',
      'app://sandbank/assets/..%2f..%2fmain/index.js',
      'app://sandbank/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
      'app://sandbank/assets/..%5c..%5cmain%5cindex.js',
      'app://sandbank/assets/',
      'app://elsewhere/index.html',
      'app://sandbank/assets/%00.js',
      'app://sandbank/%E0%A4%A.html',
    ])
      expect((await read(address)).status, address).toBe(404)
  })

  it('has the menu of the system with the commands of a row, and with those of a link and of a text', async () => {
    const { app, page, menu, popup, choose, nextWindow, close } = shared.app
    const { api } = await createClient({ page })
    expect((await fetch(`${api}/customers`)).status).toBe(401)
    await menu('Go', 'Requests')
    const path = page.locator('main [data-row] [data-column=path]').first()
    const ofRow = await popup(() => path.click({ button: 'right' }))
    expect(ofRow).toEqual({
      labels: expect.arrayContaining(['Open', 'Copy as curl', 'Filter by this value']),
      at: null,
    })
    expect(await page.getByRole('menu').count()).toBe(0)
    await choose('Filter by this value')
    await expect.poll(() => page.url()).toContain('q=%2Fcustomers')
    // By keyboard it is below its row.
    await page.getByRole('grid').focus()
    const byKey = await popup(() => page.keyboard.press('Shift+F10'))
    const { y, height } = (await page.locator('main [data-row]').first().boundingBox())!
    expect(byKey.at!.y).toBe(Math.round(y + height))
    const opened = await nextWindow(() => choose('Open in a new window'))
    await expect.poll(() => opened.url()).toMatch(/#\/requests\/x?\w+/)
    await close(opened)
    const link = page.getByRole('link', { name: 'Faults' })
    const ofLink = await popup(() => link.click({ button: 'right' }))
    expect(ofLink.labels).toEqual(['Open in New Window', 'Copy Address'])
    await choose('Copy Address')
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('#/faults')
    await popup(() => link.click({ button: 'right' }))
    const faults = await nextWindow(() => choose('Open in New Window'))
    await faults.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    await close(faults)
    const field = page.locator('main input').first()
    const ofField = await popup(() => field.click({ button: 'right' }))
    expect(ofField.labels.map((label) => label.toLowerCase())).toEqual(['cut', 'copy', 'paste', 'selectall'])
  })

  it('has a menu with every screen of the window and its keys, and the commands for worlds', async () => {
    const { app, page, menu } = shared.app
    const labelsOf = (label: string) =>
      app.evaluate(
        ({ Menu }, name) =>
          Menu.getApplicationMenu()!
            .items.find((item) => item.label.replace('&', '') === name)!
            .submenu!.items.map((item) => item.label || item.type),
        label,
      )
    await menu('Go', 'Faults')
    await page.getByRole('button', { name: '1 hour', exact: true }).focus()
    await page.keyboard.press('?')
    const listed = page.getByRole('heading', { name: 'Go to' }).locator('..').locator('dl > div')
    await listed.first().waitFor()
    const keys = await listed.evaluateAll((rows) =>
      rows.map((row) => {
        const strokes = [...row.querySelectorAll('kbd')].map(({ textContent }) => textContent)
        return `${row.querySelector('dd')!.textContent}    ${strokes.join(' ')}`
      }),
    )
    await page.keyboard.press('Escape')
    const places = (await labelsOf('Go')).slice(3)
    // Connect is a sheet over the screens, without an address.
    expect(places).toEqual(keys.filter((key) => !key.startsWith('Connect ')))
    for (const label of places) {
      await menu('Go', label)
      const [name = ''] = label.split('    ')
      const tab = panesOfLine.get(name)
      if (tab) await page.getByRole('tab', { name: tab, selected: true }).waitFor()
      else await expect.poll(() => page.title()).toMatch(`Sandbank · ${name}`)
    }
    expect(await labelsOf('File')).toEqual(
      expect.arrayContaining(['New Window', 'New World…', 'Open World…', 'Recent Worlds', 'Open Data Folder']),
    )
  })

  it('ends a search that another one replaces without a result', async () => {
    const { page, menu } = shared.app
    await menu('Go', 'Faults')
    const found = await page.evaluate(() => {
      const find = (text: string) => window.desk!.call('desk.find', { text, forward: true, is_first: true })
      return Promise.all([find('Fau'), find('Faults')])
    })
    expect(found).toEqual([
      { ok: true, value: null },
      { ok: true, value: { matches: 3, active: expect.any(Number) } },
    ])
  })

  it('is loaded again after its page has crashed, and the sandbox goes on', async () => {
    const { app, page, answer, dialogs } = shared.app
    const { client } = await createClient({ page })
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
    const main = await connected({ page })
    await started.menu('Go', 'Worlds')
    await page.getByLabel('Name', { exact: true }).fill('one')
    await page.getByRole('button', { name: 'Create and open' }).click()
    const back = page.getByRole('button', { name: 'Back to the root world' })
    await back.waitFor()
    const { api, client } = await createClient({ page })
    expect(api).toBe(main.replace('/api/v1', '/worlds/one/api/v1'))
    await started.menu('Go', 'Requests')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await page.getByRole('grid').getByText('/customers').first().waitFor()
    await back.click()
    await back.waitFor({ state: 'detached' })
    expect(await connected({ page })).toBe(main)
    await page.getByText('no request yet').waitFor()
    await started.quit()
  })

  it('shows another world in a second window: each follows its own world, and closing one keeps the other', async () => {
    const started = await start(emptyWorldIn(createTemporaryFolder()))
    const { page } = started
    await connected({ page })
    await page.evaluate(() => window.sandbox!.call('worlds.create', { name: 'one' }))
    await started.menu('Go', 'Worlds')
    const link = page.getByRole('link', { name: 'one', exact: true })
    const second = await started.nextWindow(() => link.click({ modifiers: ['ControlOrMeta'] }))
    const clients = [await createClient({ page }), await createClient({ page: second })] as const
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
    await started.menu('Go', 'Faults')
    await second.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    expect(second.url()).toMatch(/\?world=one#\/faults$/)
    await started.quit()
  })

  it('opens another world, and the first one again from the recent worlds', async () => {
    const [one, other] = [createTemporaryFolder(), createTemporaryFolder()]
    const started = await start(emptyWorldIn(one))
    const { page } = started
    const { client } = await createClient({ page })
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
    expect(await connected({ page })).toBe(`http://127.0.0.1:${port}/api/v1`)
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ port })
  })

  it('acts on the window that was used last: the menu and a second start; closing the last window quits', async () => {
    const { app, page, menu, nextWindow, startAgain, close, dialogs } = await start()
    const second = await nextWindow(() => menu('File', 'New Window'))
    await connected({ page: second })
    const use = async (which: Page) => (await app.browserWindow(which)).evaluate((window) => window.emit('focus'))
    await use(page)
    await menu('Go', 'Faults')
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    await use(second)
    await menu('File', 'Settings…')
    await second.getByRole('heading', { name: 'Program settings' }).waitFor()
    await menu('Go', 'Back')
    await second.getByRole('heading', { name: 'Now', exact: true }).waitFor()
    await menu('Go', 'Forward')
    await second.getByRole('heading', { name: 'Program settings' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Faults', exact: true }).count()).toBe(1)
    await page.evaluate(() => window.sandbox!.call('worlds.create', { name: 'one' }))
    await second.evaluate(() => location.assign('/index.html?world=one#/faults'))
    await second.getByRole('button', { name: 'Back to the root world' }).waitFor()
    const path = join(createTemporaryFolder(), 'steps.yaml')
    writeFileSync(path, scenario('Steps'))
    await startAgain(path)
    await page.getByRole('heading', { name: 'Steps' }).waitFor()
    expect(second.url(), 'a file is opened in a window of the root world').toMatch(/world=one#\/faults$/)
    await close(page)
    expect(await second.evaluate(() => window.sandbox!.call('clock.read', {}))).toMatchObject({ ok: true })
    expect(await dialogs()).toEqual([])
    const over = new Promise<void>((resolve) => app.once('close', () => resolve()))
    await close(second)
    await over
  })

  it('does not change a world that it cannot open, and lets the user choose another', async () => {
    const data = createTemporaryFolder()
    writeFileSync(join(data, 'world.jsonl'), 'not a world\n')
    const answers = ['Open Another World…', createTemporaryFolder(), 'Empty']
    const { said } = await start(['--data', data, '--port', '0'], { answers })
    expect((await said())[0]).toMatch(`The world in ${data} was not opened`)
    expect(readFileSync(join(data, 'world.jsonl'), 'utf8')).toBe('not a world\n')
  })

  it('closes a world before it opens another one, also if several are requested at once', async () => {
    const [one, other] = [createTemporaryFolder(), createTemporaryFolder()]
    await (await startSandbox({ data: other, world: 'empty' })).close()
    const { page, answer, quit } = await start(emptyWorldIn(one))
    await answer(other, other, other)
    const refusals: string[] = []
    page.on('console', (message) => void refusals.push(message.text()))
    await page.evaluate(() => {
      // A call between two worlds waits.
      setInterval(() => window.sandbox!.call('clock.read', {}).catch((error) => console.log(`refused: ${error}`)), 1)
      for (let i = 0; i < 3; i++) void window.desk!.call('desk.open_world', {})
    })
    const open = () =>
      page
        .evaluate(async () => (await window.desk!.call('desk.read', {})) as { value: { data: string } })
        .then(({ value }) => value.data, String)
    await expect.poll(open).toBe(other)
    expectCleanEnd(one)
    expect(refusals.filter((line) => line.startsWith('refused'))).toEqual([])
    await quit()
    expectCleanEnd(other)
  })

  it('refuses a folder with other files, and asks before it discards a world that is not saved', async () => {
    const folder = createTemporaryFolder()
    writeFileSync(join(folder, 'thesis.txt'), 'mine')
    const { page, answer, said } = await start()
    const refused = (words: string) => ({ ok: false, error: expect.stringContaining(words) })
    const opened = (path: string) => page.evaluate((to) => window.desk!.call('desk.open_world', { folder: to }), path)
    expect(await opened(createTemporaryFolder()), 'only a dialog opens another folder').toEqual(
      refused('is not one of the recent worlds'),
    )
    const chosen = async (path: string) => {
      await answer(path)
      return page.evaluate(() => window.desk!.call('desk.open_world', {}))
    }
    expect(await chosen(folder)).toEqual(refused('contains other files, but no world'))
    expect(await chosen(join(folder, 'gone'))).toEqual(refused('no longer exists'))
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
    const before = await connected({ page })
    await answer('Cancel')
    await page.evaluate((to) => window.desk!.call('desk.listen', { port: to }), await findFreePort())
    expect((await said()).at(-1)).toMatch(/^This world is not saved and will be lost/)
    expect(await connected({ page })).toBe(before)
  })

  it('opens a window beside the one before, and shows the root world in all of them when another world is opened', async () => {
    const { app, page, menu, nextWindow, answer, dialogs } = await start(emptyWorldIn(createTemporaryFolder()))
    const boundsOf = async (which: Page) => (await app.browserWindow(which)).evaluate((window) => window.getBounds())
    const place = { x: 40, y: 50, width: 1_000, height: 700 }
    await (await app.browserWindow(page)).evaluate((window, to) => window.setBounds(to), place)
    await expect.poll(() => boundsOf(page)).toEqual(place)
    const second = await nextWindow(() => menu('File', 'New Window'))
    expect(await boundsOf(second)).toEqual({ ...place, x: 68, y: 78 })
    await connected({ page: second })
    await page.evaluate(() => window.sandbox!.call('worlds.create', { name: 'one' }))
    await second.evaluate(() => location.assign('/index.html?world=one#/faults'))
    const back = second.getByRole('button', { name: 'Back to the root world' })
    await back.waitFor()
    const data = createTemporaryFolder()
    await answer(data, 'Empty World')
    await menu('File', 'New World…')
    await back.waitFor({ state: 'detached' })
    for (const it of [page, second]) {
      const described = () => it.evaluate(() => window.sandbox!.call('world.describe', {})).catch(() => undefined)
      await expect.poll(described).toMatchObject({ value: { name: null, data, seq: 1 } })
    }
    expect(await dialogs()).toHaveLength(2)
  })
})
