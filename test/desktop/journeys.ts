import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Program } from '../../src/api/contract/resources/programs.ts'
import { apiClient } from '../support/client.ts'

/**
 * What the desktop app must do. The journeys run in the Electron double and, where its binary is installed, in a real Electron.
 */

/** A started app, in the double or in Electron. */
export interface Started {
  readonly page: Page
  /** Clicks an item of the native menu, by the beginnings of the labels on the path to it. */
  menu(...labels: string[]): Promise<void>
  /** Sets the answers to the next dialogs: the label of a button, or a path. */
  answer(...answers: string[]): Promise<void>
  /** The texts of the dialogs so far. */
  said(): Promise<string[]>
  /** Starts the app a second time with these arguments. */
  startAgain(...args: string[]): Promise<void>
  /** After a navigation that the app prevents: the driver of a real Electron waits for it until there is another one. */
  endNavigation(): Promise<void>
  /** Does what opens a window, and returns its page, by default when it is connected. */
  nextWindow(open: () => Promise<unknown>, connects?: boolean): Promise<Page>
  /** Closes a window as a user does. */
  close(page: Page): Promise<void>
  /** Quits as a user does, and waits for the end. */
  quit(): Promise<void>
}

/** Registers what is to be done when the app is not needed any more. */
export type Until = (end: () => void | Promise<void>) => void

export interface Ground {
  /** An empty folder. */
  folder(until?: Until): string
  start(args: readonly string[], until?: Until): Promise<Started>
}

export const emptyWorldIn = (data: string) => ['--data', data, '--port', '0', '--world', 'empty']

export const connected = async ({ page }: Pick<Started, 'page'>): Promise<string> => {
  await page.locator('[data-api-address]').first().waitFor()
  return (await page.locator('[data-api-address]').first().innerText()).trim()
}

/** Sends a request with the values that Connect shows. */
export async function createClient(started: Pick<Started, 'page'>) {
  const api = await connected(started)
  const program = await started.page.evaluate(async () => {
    const reply = await window.sandbox!.call('programs.list', {})
    return (reply as unknown as { value: { programs: Program[] } }).value.programs[0]!
  })
  return { api, client: apiClient({ api, programs: () => [program] }) }
}

/** Drops a file on the window with events, because the driver cannot drag files. */
export const dropOn = (page: Page, name: string, text: string, type: 'dragover' | 'drop' = 'drop') =>
  page.evaluate(
    ([file, content, event]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content!], file!))
      const options = { dataTransfer, bubbles: true, cancelable: true }
      // A browser opens a dropped file as a page if no listener prevents it.
      return !document.querySelector('main')!.dispatchEvent(new DragEvent(event!, options))
    },
    [name, text, type],
  )

/** A scenario file. */
export const scenario = (title: string) => `name: ${title}\nteaches: Nothing yet.\nsteps:\n  - advance: { by: PT1H }\n`

const commit = (page: Page) => page.getByRole('contentinfo').getByText(/^commit/)

/** Each leaves the window open, for the next one. */
const visits: Readonly<Record<string, (started: Started, folder: () => string) => Promise<void>>> = {
  'starts, shows the address of the API, and lists a request as it arrives': async (started) => {
    const { page } = started
    const { client } = await createClient(started)
    await started.menu('Go', 'Requests')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await page.getByRole('grid').getByText('/customers').first().waitFor()
  },

  'advances the clock from the window': async (started) => {
    const { page } = started
    const before = await page.locator('[data-now]').getAttribute('datetime')
    await page.getByRole('button', { name: '1 hour' }).click()
    await expect
      .poll(async () => page.locator('[data-now]').getAttribute('datetime'))
      .toBe(new Date(Date.parse(before!) + 3_600_000).toISOString().replace('.000Z', 'Z'))
  },

  'opens the same page in a new window, from the menu': async (started) => {
    const { page } = started
    await started.menu('Go', 'Faults')
    await page.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    const second = await started.nextWindow(() => started.menu('File', 'New Window'))
    await second.getByRole('heading', { name: 'Faults', exact: true }).waitFor()
    expect(second.url()).toBe(page.url())
    await started.menu('Edit', 'Find…')
    await second.getByRole('search', { name: 'Find on this screen' }).waitFor()
    expect(await page.getByRole('search', { name: 'Find on this screen' }).count()).toBe(0)
    await started.close(second)
  },

  'opens no page of another origin, and no window for it': async (started) => {
    const { page } = started
    const here = page.url()
    expect(await page.evaluate(() => window.open('https://example.com/'))).toBeNull()
    await page.evaluate(() => void (location.href = 'https://example.com/'))
    await started.endNavigation()
    await page.getByRole('button', { name: '1 hour' }).waitFor()
    expect(page.url()).toBe(here)
    expect(await page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined')
  },

  'finds text on the screen, and gives the focus back': async (started) => {
    const { page } = started
    await started.menu('Go', 'Program settings')
    await page.getByRole('heading', { name: 'Program settings' }).waitFor()
    const button = page.getByRole('button', { name: '1 hour' })
    await button.focus()
    const bar = page.getByRole('search', { name: 'Find on this screen' })
    const count = () => bar.getByRole('status').getAttribute('data-count')

    await started.menu('Edit', 'Find…')
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
  },

  'a second start shows the first window and passes its file on': async (started, folder) => {
    const path = join(folder(), 'first steps.yaml')
    writeFileSync(path, scenario('First steps'))
    await started.startAgain(path)
    await started.page.getByRole('heading', { name: 'First steps' }).waitFor()
    expect(started.page.url()).toMatch(/#\/scenarios\/first-steps$/)
  },

  'opens a dropped file without leaving the screen': async (started) => {
    const { page } = started
    const address = page.url().replace(/#.*/, '')
    expect(await dropOn(page, 'second steps.yaml', scenario('Second steps'))).toBe(true)
    await page.getByRole('heading', { name: 'Second steps' }).waitFor()
    expect(await dropOn(page, 'thesis.pdf', '%PDF')).toBe(true)
    await page.getByText('thesis.pdf: a bundle (.sandbank)').waitFor()
    expect(page.url()).toBe(`${address}#/scenarios/second-steps`)
  },
}

const journeys: Readonly<Record<string, (ground: Ground) => Promise<void>>> = {
  'shows another world with its own requests, and the root world again': async ({ start, folder }) => {
    const started = await start(emptyWorldIn(folder()))
    const { page } = started
    const main = await connected(started)
    await started.menu('Go', 'Worlds')
    await page.getByLabel('Name', { exact: true }).fill('one')
    await page.getByRole('button', { name: 'Create and open' }).click()
    const back = page.getByRole('button', { name: 'Back to the root world' })
    await back.waitFor()
    const { api, client } = await createClient(started)
    expect(api).toBe(main.replace('/api/v1', '/worlds/one/api/v1'))
    await started.menu('Go', 'Requests')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    expect((await client.post('/customers', { email: 'ada@example.test' })).status).toBe(201)
    await page.getByRole('grid').getByText('/customers').first().waitFor()
    await back.click()
    await back.waitFor({ state: 'detached' })
    expect(await connected(started)).toBe(main)
    await page.getByText('no request yet').waitFor()
    await started.quit()
  },

  'shows another world in a second window: each follows its own world, and closing one keeps the other': async ({
    start,
    folder,
  }) => {
    const started = await start(emptyWorldIn(folder()))
    const { page } = started
    await connected(started)
    await page.evaluate(() => window.sandbox!.call('worlds.create', { name: 'one' }))
    await started.menu('Go', 'Worlds')
    const link = page.getByRole('link', { name: 'one', exact: true })
    const second = await started.nextWindow(() => link.click({ modifiers: ['ControlOrMeta'] }))
    const clients = [await createClient(started), await createClient({ page: second })] as const
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
  },

  'has every acknowledged record after a quit during writes': async ({ start, folder }) => {
    const data = folder()
    const first = await start(emptyWorldIn(data))
    const { client } = await createClient(first)
    const answered: string[] = []
    let going = true
    const writing = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (going) {
          const { status, body } = await client
            .post<{ uid: string }>('/customers', {})
            .catch(() => ({ status: 0, body: { uid: '' } }))
          if (status === 201) answered.push(body.uid)
          else going = false
        }
      }),
    )
    await expect.poll(() => answered.length).toBeGreaterThan(20)
    await first.quit()
    await writing
    const again = await start(['--data', data, '--port', '0'])
    await connected(again)
    const stored = await again.page.evaluate(async () => {
      const input = { collection: 'customers', include_initiated: true, limit: 1000 }
      const reply = await window.sandbox!.call('records.list', input)
      return (reply as unknown as { value: { data: { uid: string }[] } }).value.data.map(({ uid }) => uid)
    })
    expect(answered.filter((uid) => !stored.includes(uid))).toEqual([])
    expect(await again.said(), 'the app reports no unclean end').toEqual([])
    await again.quit()
  },

  'opens another world, and the first one again from the recent worlds': async ({ start, folder }) => {
    const [one, other] = [folder(), folder()]
    const started = await start(emptyWorldIn(one))
    const { page } = started
    const { client } = await createClient(started)
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
  },
}

export function testJourneys(ground: Ground, timeout: number) {
  describe('one app', () => {
    const ends: (() => void | Promise<void>)[] = []
    let started: Started | undefined
    beforeAll(async () => {
      const until: Until = (end) => void ends.push(end)
      started = await ground.start([...emptyWorldIn(ground.folder(until)), '--clock', 'frozen'], until)
      await connected(started)
    }, timeout)
    afterAll(async () => {
      await started?.quit()
      for (const end of ends.reverse()) await end()
    })
    it.each(Object.entries(visits))('%s', (_name, visit) => visit(started!, () => ground.folder()), timeout)
  })
  it.each(Object.entries(journeys))('%s', (_name, journey) => journey(ground), timeout)
}
