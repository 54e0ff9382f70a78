import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, Tray } from 'electron'
import type { Clock } from '../api/contract/control/clock.ts'
import { newYorkTime } from '../api/contract/terms/new-york.ts'

/** The item in the tray or the menu bar, while the app serves without a window. */

export interface TrayFacts {
  /** Null while another world is being opened. */
  readonly api: string | null
  readonly data: string | null
  readonly clock: Pick<Clock, 'now' | 'mode'> | null
}

export interface TrayCommands {
  readFacts(): Promise<TrayFacts>
  copy(text: string): unknown
  openWindow(): void
  quit(): void
}

export function createTrayMenu({ api, data, clock }: TrayFacts, commands: TrayCommands): MenuItemConstructorOptions[] {
  const fact = (label: string) => ({ label, enabled: false })
  return [
    api === null ? fact('Another world is being opened') : { label: `Copy ${api}`, click: () => commands.copy(api) },
    ...(api === null ? [] : [fact(data ?? 'A world in memory, not saved')]),
    ...(clock ? [fact(formatClock(clock))] : []),
    { type: 'separator' },
    { label: 'Open Window', click: commands.openWindow },
    { label: 'Quit', click: commands.quit },
  ]
}

function formatClock({ now, mode }: Pick<Clock, 'now' | 'mode'>): string {
  const { date, time_ms } = newYorkTime(Date.parse(now))
  const time = new Date(time_ms).toISOString().slice(11, 16)
  return `${date} ${time} ET, clock ${mode}`
}

const REFRESH_EVERY_MS = 1_000

export class AppTray {
  readonly #folder: string
  readonly #commands: TrayCommands
  readonly #platform: NodeJS.Platform
  #tray: Tray | undefined
  #timer: NodeJS.Timeout | undefined
  /** The menu that Linux has, without its functions. */
  #menu = ''

  constructor(folder: string, commands: TrayCommands, platform = process.platform) {
    this.#folder = folder
    this.#commands = commands
    this.#platform = platform
  }

  /** On a Linux without a tray nothing is to be seen, and nothing fails. */
  show(isShown: boolean) {
    if (!isShown) {
      clearInterval(this.#timer)
      this.#menu = ''
      this.#tray?.destroy()
      this.#tray = undefined
    } else if (!this.#tray) {
      const icon = this.#platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'
      const tray = new Tray(join(this.#folder, icon))
      this.#tray = tray
      tray.setToolTip('Sandbank')
      const popUp = async () => tray.popUpContextMenu(Menu.buildFromTemplate(await this.#readItems()))
      if (this.#platform === 'linux') this.#keepMenu()
      else tray.on('right-click', () => void popUp())
      // Linux opens the menu itself, or knows this click only.
      tray.on('click', () => (this.#platform === 'darwin' ? void popUp() : this.#commands.openWindow()))
    }
  }

  /** Linux shows a menu that was set before, and does not tell when it opens. A menu that is open changes, too. */
  #keepMenu() {
    const refresh = async () => {
      const items = await this.#readItems()
      const menu = JSON.stringify(items)
      if (menu === this.#menu) return
      this.#menu = menu
      this.#tray?.setContextMenu(Menu.buildFromTemplate(items))
    }
    void refresh()
    this.#timer = setInterval(() => void refresh(), REFRESH_EVERY_MS).unref()
  }

  async #readItems(): Promise<MenuItemConstructorOptions[]> {
    return createTrayMenu(await this.#commands.readFacts(), this.#commands)
  }
}
