import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { appPaths } from '../../src/main/app-paths.ts'
import { AppTray, createTrayMenu, type TrayFacts } from '../../src/main/tray.ts'

/** The item in the tray. No display of the tests has a tray; on Linux it was looked at in the panel of Xfce. */

type Item = { label?: string; enabled?: boolean; click?: () => void }
const { trays } = vi.hoisted(() => ({ trays: [] as FakeTray[] }))
interface FakeTray {
  readonly icon: string
  readonly menus: { items: Item[] }[]
  readonly listeners: Record<string, () => void>
  isDestroyed: boolean
}
vi.mock('electron', () => ({
  Menu: {
    buildFromTemplate: (items: Item[]) => ({ items }),
  },
  Tray: class {
    readonly menus: FakeTray['menus'] = []
    readonly listeners: Record<string, () => void> = {}
    isDestroyed = false
    readonly icon: string
    constructor(icon: string) {
      this.icon = icon
      trays.push(this)
    }
    setToolTip() {}
    setContextMenu = (menu: FakeTray['menus'][number]) => void this.menus.push(menu)
    popUpContextMenu = (menu: FakeTray['menus'][number]) => void this.menus.push(menu)
    on(name: string, listener: () => void) {
      this.listeners[name] = listener
    }
    destroy() {
      this.isDestroyed = true
    }
  },
}))

const API = 'http://127.0.0.1:4010/api/v1'
const facts = (time: string): TrayFacts => ({
  api: API,
  data: '/home/a/world',
  clock: { now: `2026-11-20T${time}:00.000Z`, mode: 'running' },
})

function createTray(platform: NodeJS.Platform) {
  trays.length = 0
  const done: string[] = []
  let time = '14:04'
  const tray = new AppTray(
    appPaths(join(import.meta.dirname, '../../out/main')).tray,
    {
      readFacts: async () => facts(time),
      copy: (text) => void done.push(text),
      openWindow: () => void done.push('open'),
      quit: () => void done.push('quit'),
    },
    platform,
  )
  tray.show(true)
  tray.show(true)
  expect(trays).toHaveLength(1)
  const [shown] = trays
  expect(existsSync(shown!.icon)).toBe(true)
  const labels = () => shown!.menus.at(-1)?.items.map(({ label = '-' }) => label)
  return { tray, shown: shown!, done, labels, setTime: (to: string) => void (time = to) }
}

const menuAt = (time: string) => [
  `Copy ${API}`,
  '/home/a/world',
  `2026-11-20 ${time} ET, clock running`,
  '-',
  'Open Window',
  'Quit',
]

it.each(['win32', 'darwin'] as const)('reads address, world and clock when its menu opens on %s', async (platform) => {
  const { tray, shown, done, labels, setTime } = createTray(platform)
  const open = shown.listeners[platform === 'win32' ? 'right-click' : 'click']!
  open()
  await expect.poll(labels).toEqual(menuAt('09:04'))
  setTime('14:10')
  open()
  await expect.poll(labels).toEqual(menuAt('09:10'))
  for (const { click } of shown.menus.at(-1)!.items) click?.()
  expect(done).toEqual([API, 'open', 'quit'])
  tray.show(false)
  expect(shown.isDestroyed).toBe(true)
})

it('sets its menu before on Linux, which does not tell when it opens, and again within a second if it is another one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { tray, shown, done, labels, setTime } = createTray('linux')
  await expect.poll(labels).toEqual(menuAt('09:04'))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(shown.menus, 'the same menu is set once').toHaveLength(1)
  setTime('14:10')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(labels()).toEqual(menuAt('09:10'))
  shown.listeners.click!()
  expect(done, 'on a desktop that shows no menu').toEqual(['open'])
  tray.show(false)
  setTime('14:20')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(shown.menus).toHaveLength(2)
})

it('has no address while another world is being opened', () => {
  const commands = { readFacts: async () => facts('14:04'), copy: () => {}, openWindow: () => {}, quit: () => {} }
  const items = createTrayMenu({ api: null, data: null, clock: null }, commands)
  expect(items.map(({ label, enabled }) => [label, enabled])).toEqual([
    ['Another world is being opened', false],
    [undefined, undefined],
    ['Open Window', undefined],
    ['Quit', undefined],
  ])
})
