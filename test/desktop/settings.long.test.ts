import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { start } from '../support/electron/start.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { findFreePort, occupyPort } from '../support/ports.ts'
import { startSandbox } from '../support/sandbox.ts'
import { built, findAccessibilityErrors, goTo, IN_BROWSER, visit } from '../support/window.ts'

/** The settings of the desktop app, in the Electron double, and in a browser for comparison. */

async function settings(page: Page) {
  await page.locator('[data-api-address]').first().waitFor()
  await goTo(page, '#/settings?part=sandbox')
  const part = page.getByRole('region', { name: 'This sandbox' })
  await part.waitFor()
  return {
    part,
    port: part.getByLabel('port', { exact: true }),
    listen: part.getByRole('button', { name: 'Change port' }),
    refusal: part.getByRole('alert'),
  }
}

const folderOf = (page: Page) =>
  page
    .evaluate(() => window.desk!.call('desk.read', {}))
    .then((reply) => (reply as { value: { data: string } }).value.data, String)

describe('the Settings of the desktop app', IN_BROWSER, () => {
  it('show the port and the requested port, and change it without a restart', async () => {
    const { port: taken } = await occupyPort()
    const userData = createTemporaryFolder()
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ port: taken }))
    const { page, double } = await start(['--data', createTemporaryFolder(), '--world', 'empty'], {
      userData,
      answers: ['Use'],
    })
    const { part, port, listen, refusal } = await settings(page)
    const first = Number(double.dialogs[0]!.buttons[0]!.slice('Use '.length))
    expect(await port.inputValue()).toBe(String(first))
    await part.getByText(`Requested: port ${taken}; it was taken by another program.`).waitFor()
    expect(await listen.getAttribute('aria-disabled'), 'it listens there').toBe('true')
    expect(await findAccessibilityErrors(page, 'Settings of the desktop')).toEqual([])

    for (const wrong of ['0', '70000', 'http', '']) {
      await port.fill(wrong)
      await expect.poll(() => refusal.innerText()).toBe('A number from 1 to 65535 is expected.')
      expect(await listen.getAttribute('aria-disabled')).toBe('true')
    }
    await port.fill(String(taken))
    await listen.click()
    await expect.poll(() => refusal.innerText()).toMatch(`Port ${taken} is taken by another program: `)
    expect(await page.locator('[data-api-address]').first().innerText()).toBe(`http://127.0.0.1:${first}/api/v1`)

    const free = await findFreePort()
    await port.fill(String(free))
    await port.press('Enter')
    const address = page.locator('[data-api-address]').first()
    await expect.poll(() => address.innerText().catch(() => '')).toBe(`http://127.0.0.1:${free}/api/v1`)
    await expect.poll(() => port.inputValue()).toBe(String(free))
    expect((await fetch(`http://127.0.0.1:${free}/health`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.1:${first}/health`), 'the old port is closed').rejects.toThrow()
    expect(await part.getByText('Requested: port').count(), 'the port is used now').toBe(0)
    expect(JSON.parse(readFileSync(join(userData, 'desktop.json'), 'utf8'))).toMatchObject({ port: free })
    expect(double.dialogs, 'only the dialog at the start was shown').toHaveLength(1)
  })

  it('show the open world, open and create others, and keep the world open when another cannot be opened', async () => {
    const [one, broken, fresh] = [createTemporaryFolder(), createTemporaryFolder(), createTemporaryFolder()]
    writeFileSync(join(broken, 'world.jsonl'), 'not a world\n')
    const userData = createTemporaryFolder()
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ recent: [broken, join(fresh, 'gone')] }))
    const { page, double } = await start(['--data', one, '--port', '0', '--world', 'empty'], { userData })
    const { part, refusal } = await settings(page)
    await part.getByText(one, { exact: true }).waitFor()
    await part.getByText(/^node .*cli\.js serve$/).waitFor()
    await part.getByRole('button', { name: 'Show the folder' }).click()
    await expect.poll(() => double.shown).toEqual([one])

    await part.getByRole('button', { name: `Open ${broken}` }).click()
    await expect.poll(() => refusal.innerText()).toMatch(`The world in ${broken} was not opened. `)
    expect(await folderOf(page)).toBe(one)
    await part.getByRole('button', { name: `Open ${join(fresh, 'gone')}` }).click()
    await expect.poll(() => refusal.innerText()).toMatch(/gone no longer exists: choose the folder of a world/)
    expect(await part.getByText('gone', { exact: true }).count(), 'it is not a recent world anymore').toBe(0)
    double.answers.push(one)
    await part.getByRole('button', { name: 'New empty world…' }).click()
    await expect.poll(() => refusal.innerText()).toMatch(`${one} already contains a world`)
    expect(await folderOf(page)).toBe(one)
    // The previous sandbox still answers.
    await page.getByRole('button', { name: '1 hour', exact: true }).click()
    await page
      .getByRole('contentinfo')
      .getByText(/^commit/)
      .waitFor()

    double.answers.push(fresh)
    await part.getByRole('button', { name: 'New empty world…' }).click()
    await expect.poll(() => folderOf(page)).toBe(fresh)
    await part.getByText(fresh, { exact: true }).waitFor()
    expect(
      double.dialogs.map(({ kind }) => kind),
      'only dialogs for folders were shown',
    ).toEqual(['open', 'open'])
    await part.getByRole('button', { name: `Open ${one}` }).click()
    await expect.poll(() => folderOf(page)).toBe(one)
  })

  it('do not change the port or the world while there are unsaved changes', async () => {
    const { page } = await start(['--data', createTemporaryFolder(), '--port', '0', '--world', 'empty'])
    const { part, port, listen } = await settings(page)
    const first = await port.inputValue()
    const free = await findFreePort()
    const name = page.getByRole('region', { name: 'Program', exact: true }).getByLabel('name', { exact: true })
    await name.fill('Typed and not saved')
    await part.getByText('1 change not saved: save or discard first.').waitFor()
    await port.fill(String(free))
    expect(await listen.getAttribute('aria-disabled')).toBe('true')
    await port.press('Enter')
    for (const act of ['Open a world…', 'New demo world…', 'New empty world…'])
      expect(await part.getByRole('button', { name: act }).getAttribute('aria-disabled'), act).toBe('true')
    expect((await fetch(`http://127.0.0.1:${first}/health`)).status, 'the API still listens at the first port').toBe(
      200,
    )
    expect(await name.inputValue()).toBe('Typed and not saved')

    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect.poll(() => listen.getAttribute('aria-disabled')).toBe('false')
    expect(await part.getByText('not saved').count()).toBe(0)
  })

  it('open at the part that an address names: Products, and Synthetic Account Types', async (context) => {
    const sandbox = await startSandbox({ window: built })
    const page = await visit(context, sandbox.gui)
    for (const [address, name] of [
      ['#/synthetic_account_types', 'Synthetic Account Types'],
      ['#/products', 'Products'],
    ] as const) {
      await goTo(page, address)
      await page.getByRole('region', { name, exact: true }).waitFor()
      const inSight = () =>
        page.getByRole('region', { name, exact: true }).evaluate((part) => part.getBoundingClientRect().top)
      await expect.poll(inSight).toBeLessThan(400)
    }
  })

  it('show only the port and its option in a browser', async (context) => {
    const sandbox = await startSandbox({ window: built })
    const { part, port } = await settings(await visit(context, sandbox.gui))
    const { port: listens } = new URL(sandbox.api)
    await part.getByText(`${listens}, set with sandbank serve --port ${listens}`).waitFor()
    expect(await port.count()).toBe(0)
    expect(await part.getByRole('button', { name: /world/ }).count()).toBe(0)
  })
})
