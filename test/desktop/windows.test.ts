import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMenu, type MenuCommands } from '../../src/main/menu.ts'
import type { WindowDouble } from '../support/electron/double.ts'
import { start } from '../support/electron/start.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { goTo, IN_BROWSER } from '../support/window.ts'

/** Several windows of the desktop app and its native menus, in the Electron double. */

const emptyWorld = () => ['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty']

async function startWithTwo(userData = createTemporaryFolder()) {
  const started = await start(emptyWorld(), { userData })
  await started.page.locator('[data-api-address]').first().waitFor()
  const second = await started.nextWindow(() => started.menu('File', 'New Window'))
  await second.locator('[data-api-address]').first().waitFor()
  const windows = started.double.windows as [WindowDouble, WindowDouble]
  return { ...started, second, windows }
}

describe('the windows of the desktop app', IN_BROWSER, () => {
  it('the menu, a second start and a file act on the window that was used last', async () => {
    const { page, second, windows, menu, startAgain } = await startWithTwo()
    expect(windows.map(({ state }) => state.focused)).toEqual([false, true])
    windows[0].focus()
    await menu('Go', 'Faults')
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    windows[1].focus()
    await menu('File', 'Settings…')
    await second.getByRole('heading', { name: 'Program settings' }).waitFor()
    await menu('Go', 'Back')
    await second.getByText('First request').first().waitFor()
    await menu('Go', 'Forward')
    await second.getByRole('heading', { name: 'Program settings' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Faults', exact: true }).count()).toBe(1)
    windows[1].minimize()
    await startAgain()
    expect(windows[1].state).toMatchObject({ minimized: false, focused: true })
    expect(windows[0].state.focused).toBe(false)
  })

  it('opens beside the window that it is opened from, and the place of the one used last is remembered', async () => {
    const userData = createTemporaryFolder()
    writeFileSync(
      join(userData, 'desktop.json'),
      JSON.stringify({ bounds: { x: 40, y: 50, width: 1200, height: 800 } }),
    )
    const { windows, quit, nextWindow, menu } = await startWithTwo(userData)
    expect(windows[1].asked).toMatchObject({ x: 68, y: 78, width: 1200, height: 800 })
    windows[1].moveTo(700, 270)
    await nextWindow(() => menu('File', 'New Window'))
    expect(windows.at(-1)!.asked, 'it would leave the display').toMatchObject({ x: 0, y: 0, width: 1200 })
    windows[0].focus()
    windows[0].moveTo(300, 200)
    await quit()
    const { bounds } = JSON.parse(readFileSync(join(userData, 'desktop.json'), 'utf8')) as { bounds: object }
    expect(bounds).toEqual({ x: 300, y: 200, width: 1200, height: 800 })
  })

  it('closing the last one quits, closing another one does not', async () => {
    const { double, windows } = await startWithTwo()
    await windows[1].close()
    expect(double.hasEnded()).toBe(false)
    await windows[0].close()
    await double.end
    expect(double.dialogs).toEqual([])
  })

  it('shows the root world in each of them when another world is opened', async () => {
    const { page, second, answer, menu, said } = await startWithTwo()
    await second.evaluate(async () => {
      await window.sandbox!.call('worlds.create', { name: 'one' })
      location.assign('/index.html?world=one#/faults')
    })
    await second.getByRole('button', { name: 'Back to the root world' }).waitFor()
    await answer(createTemporaryFolder(), 'Empty World')
    await menu('File', 'New World…')
    await second.getByRole('button', { name: 'Back to the root world' }).waitFor({ state: 'detached' })
    for (const it of [page, second]) {
      await it.locator('[data-api-address]').first().waitFor()
      await expect
        .poll(() =>
          it
            .getByRole('contentinfo')
            .getByText(/^commit/)
            .innerText(),
        )
        .toMatch(/\b1$/)
    }
    expect(await said()).toHaveLength(2)
  })

  it('opens a file in a window that shows the root world', async () => {
    const { page, windows, startAgain, double } = await startWithTwo()
    await windows[1].close()
    await page.evaluate(async () => {
      await window.sandbox!.call('worlds.create', { name: 'one' })
      location.assign('/index.html?world=one#/faults')
    })
    await page.getByRole('button', { name: 'Back to the root world' }).waitFor()
    const path = join(createTemporaryFolder(), 'steps.yaml')
    writeFileSync(path, 'name: Steps\nteaches: Nothing yet.\nsteps:\n  - advance: { by: PT1H }\n')
    await startAgain(path)
    await expect.poll(() => double.windows.length).toBe(3)
    const opened = await double.windows[2]!.page
    await opened.getByRole('heading', { name: 'Steps' }).waitFor()
    expect(opened.url()).not.toContain('world=')
    expect(page.url()).toMatch(/world=one#\/faults$/)
  })

  it('uses no window that is closed', async () => {
    const { second, windows, menu, startAgain, said } = await startWithTwo()
    await windows[0].close()
    const reply = await second.evaluate(() => window.sandbox!.call('clock.advance', { by: 'PT1H' }))
    expect(reply).toMatchObject({ ok: true })
    await menu('Go', 'Faults')
    await second.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    await menu('Edit', 'Find…')
    await second.getByRole('search', { name: 'Find on this screen' }).waitFor()
    await startAgain()
    expect(windows[1].state.focused).toBe(true)
    expect(await said()).toEqual([])
  })
})

describe('a native context menu', IN_BROWSER, () => {
  it('has the commands of a row, and the window shows no menu of its own', async () => {
    const { page, double, nextWindow } = await start(emptyWorld())
    await page.locator('[data-api-address]').first().waitFor()
    await page.evaluate(() => window.sandbox!.call('operator.create_customer', {}).catch(() => null))
    await goTo(page, '#/settings')
    await page.getByRole('heading', { name: 'Program settings' }).waitFor()
    const api = await page.locator('[data-api-address]').first().innerText()
    expect((await fetch(`${api.trim()}/customers`)).status).toBe(401)
    await goTo(page, '#/requests')
    const path = page.locator('main [data-row] [data-column=path]').first()
    const openMenu = async (open: () => Promise<unknown>) => {
      const { length } = double.popups
      await open()
      await expect.poll(() => double.popups.length).toBe(length + 1)
      expect(await page.getByRole('menu').count()).toBe(0)
      return double.popups[length]!
    }
    const ofRow = await openMenu(() => path.click({ button: 'right' }))
    expect(ofRow.labels).toEqual([
      'Open',
      'Open in a new window',
      'separator',
      'Copy uid',
      'Copy row',
      'Copy row with headers',
      'Copy value',
      'Copy as curl',
      'separator',
      'Filter by this value',
    ])
    expect(ofRow.at, 'at the pointer').toBeNull()
    expect(ofRow.items[0]).toMatchObject({ accelerator: 'Enter', registerAccelerator: false })
    ofRow.close()
    const again = await openMenu(() => path.click({ button: 'right' }))
    again.click('Filter by this value')
    await expect.poll(() => page.url()).toContain('q=%2Fcustomers')
    // By keyboard it is below its row.
    await page.getByRole('grid').focus()
    const byKey = await openMenu(() => page.keyboard.press('Shift+F10'))
    const { y, height } = (await page.locator('main [data-row]').first().boundingBox())!
    expect(byKey.at!.y).toBe(Math.round(y + height))
    const opened = await nextWindow(async () => byKey.click('Open in a new window'))
    await expect.poll(() => opened.url()).toMatch(/#\/requests\/x?\w+/)
    const ofHeader = await openMenu(() => page.getByRole('columnheader', { name: 'Path' }).click({ button: 'right' }))
    ofHeader.click('Hide column')
    await page.getByRole('columnheader', { name: 'Path' }).waitFor({ state: 'detached' })
  })

  it('of a link elsewhere opens it in a new window, and other text has the menu of the system', async () => {
    const { page, double, nextWindow } = await start(emptyWorld())
    await page.locator('[data-api-address]').first().waitFor()
    await page.getByRole('link', { name: 'Faults' }).click({ button: 'right' })
    await expect.poll(() => double.popups.map(({ labels }) => labels)).toEqual([['Open in New Window', 'Copy Address']])
    expect(await page.getByRole('menu').count()).toBe(0)
    const opened = await nextWindow(async () => double.popups[0]!.click('Open in New Window'))
    await opened.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
  })
})

describe('the menu', () => {
  const commands = new Proxy({}, { get: () => () => {} }) as MenuCommands
  const itemsOf = (platform: NodeJS.Platform) =>
    createMenu(commands, [], [{ name: 'Time', address: '#/time', keys: 'g t' }], platform).flatMap(
      ({ label, role, submenu }) =>
        (Array.isArray(submenu) ? submenu : []).map((item) => ({ menu: label ?? role, ...item })),
    )
  /** Roles have the shortcuts of the system: Electron adds them. */
  const shortcuts = (platform: NodeJS.Platform) =>
    Object.fromEntries(
      itemsOf(platform).flatMap(({ menu, label, role, accelerator }) =>
        accelerator === undefined ? [] : [[accelerator, `${menu}: ${label ?? role}`]],
      ),
    )

  it.each([
    [
      'linux',
      {
        'CmdOrCtrl+,': 'File: Settings…',
        'CmdOrCtrl+W': 'Window: close',
        'Alt+Left': 'Go: Back',
        'Alt+Right': 'Go: Forward',
      },
      ['quit', 'minimize', 'reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen', 'about'],
    ],
    [
      'darwin',
      { 'CmdOrCtrl+,': 'Sandbank: Settings…', 'Cmd+[': 'Go: Back', 'Cmd+]': 'Go: Forward' },
      ['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit', 'close', 'reload', 'zoomIn', 'zoomOut'],
    ],
  ] as const)('on %s has the usual shortcuts, each once', (platform, own, roles) => {
    expect(shortcuts(platform)).toMatchObject({
      ...own,
      'CmdOrCtrl+N': 'File: New World…',
      'CmdOrCtrl+Shift+N': 'File: New Window',
      'CmdOrCtrl+O': 'File: Open World…',
      'CmdOrCtrl+F': 'Edit: Find…',
      'CmdOrCtrl+=': 'View: zoomIn',
    })
    const items = itemsOf(platform)
    expect(items.map(({ role }) => role)).toEqual(expect.arrayContaining([...roles]))
    const all = items.flatMap(({ accelerator }) => accelerator ?? [])
    expect(all.length).toBe(new Set(all).size)
  })
})
