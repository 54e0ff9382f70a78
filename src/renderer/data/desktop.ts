import {
  type DesktopBridge,
  type DesktopMethodName,
  type DesktopMethods,
  desktopMethods,
  type MenuPlace,
} from '../../api/contract/desktop.ts'
import { flushRoute, formatRoute } from './route.ts'
import { listedScreens, screenList } from './screen-list.ts'

/** The desktop around this window; a browser has none. */

declare global {
  interface Window {
    /** Exposed by the desktop's preload. */
    readonly desk?: DesktopBridge
  }
}

type Input<N extends DesktopMethodName> = Parameters<DesktopMethods[N]['input']['parse']>[0]
type Output<N extends DesktopMethodName> = ReturnType<DesktopMethods[N]['output']['parse']>

export const isDesktop = () => window.desk !== undefined

/** A refusal is thrown with the desktop's own words. */
export async function callDesktop<N extends DesktopMethodName>(name: N, input: Input<N>): Promise<Output<N>> {
  if (!window.desk) throw new Error('This window is not one of the desktop')
  const reply = await window.desk.call(name, input)
  if (!reply.ok) throw new Error(reply.error)
  return desktopMethods[name].output.parse(reply.value) as Output<N>
}

/** The menu lists the screens of the window. */
export function connectDesktop() {
  if (!window.desk) return
  const menu: MenuPlace[] = listedScreens.map((screen) => ({
    name: screenList[screen].name,
    address: formatRoute({ screen, collection: null, record: null, params: {} }),
    keys: `g ${screenList[screen].key}`,
  }))
  window.desk.subscribe(({ address }) => {
    flushRoute()
    location.hash = address
  })
  // Without its menu the window works all the same.
  callDesktop('desk.menu', { places: menu }).catch(() => {})
}
