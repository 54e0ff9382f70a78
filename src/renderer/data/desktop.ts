import type { DesktopBridge, DesktopMethodName, DesktopMethods, MenuPlace } from '../../api/contract/desktop.ts'
import { linePaneNames, linePanes, openLineAt } from './line.ts'
import { openFindBar } from './overlays.ts'
import { flushRoute, formatRoute, parseRoute } from './route.ts'
import { listedScreens, screenList } from './screen-list.ts'

/** The desktop app around this window; absent in a browser. */

declare global {
  interface Window {
    /** Set by the desktop's preload script. */
    readonly desk?: DesktopBridge
  }
}

type Input<N extends DesktopMethodName> = Parameters<DesktopMethods[N]['input']['parse']>[0]
type Output<N extends DesktopMethodName> = ReturnType<DesktopMethods[N]['output']['parse']>

export const isDesktop = () => window.desk !== undefined

/** An error is thrown with the desktop's own text. */
export async function callDesktop<N extends DesktopMethodName>(name: N, input: Input<N>): Promise<Output<N>> {
  if (!window.desk) throw new Error('This window runs in a browser, not in the desktop app')
  const reply = await window.desk.call(name, input)
  if (!reply.ok) throw new Error(reply.error)
  return reply.value as Output<N>
}

/** The menu has an entry for each screen. */
export function connectDesktop() {
  if (!window.desk) return
  const place = { screen: null, collection: null, record: null, params: {} }
  const menu: MenuPlace[] = [
    ...listedScreens.map((screen) => ({
      name: screenList[screen].name,
      address: formatRoute({ ...place, screen }),
      keys: `g ${screenList[screen].key}`,
    })),
    ...linePaneNames.map((pane) => ({
      name: linePanes[pane].name,
      address: formatRoute({ ...place, params: { line: [pane] } }),
      keys: `g ${linePanes[pane].key}`,
    })),
  ]
  window.desk.subscribe((notice) => {
    if (notice.type === 'find') return openFindBar()
    flushRoute()
    const { line, commit } = parseRoute(notice.address).params
    if (line) openLineAt(line[0], commit?.[0])
    else location.hash = notice.address
  })
  // The window works without its menu.
  callDesktop('desk.menu', { places: menu }).catch(() => {})
}
