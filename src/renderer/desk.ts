import {
  type DeskBridge,
  type DeskMethodName,
  type DeskMethods,
  deskMethods,
  type MenuPlace,
} from '../api/contract/desktop.ts'
import { listedScreens, places } from './screens.tsx'
import { addressOf, settleAddress } from './stores/view.ts'

/** The desktop around this window; a browser has none. */

declare global {
  interface Window {
    /** Exposed by the desktop's preload. */
    readonly desk?: DeskBridge
  }
}

type Input<N extends DeskMethodName> = Parameters<DeskMethods[N]['input']['parse']>[0]
type Output<N extends DeskMethodName> = ReturnType<DeskMethods[N]['output']['parse']>

export const hasDesk = () => window.desk !== undefined

/** A refusal is thrown with the desktop's own words. */
export async function askDesk<N extends DeskMethodName>(name: N, input: Input<N>): Promise<Output<N>> {
  if (!window.desk) throw new Error('This window is not one of the desktop')
  const reply = await window.desk.call(name, input)
  if (!reply.ok) throw new Error(reply.error)
  return deskMethods[name].output.parse(reply.value) as Output<N>
}

/** The menu shows the places of the window, and leads to them. */
export function meetDesk() {
  if (!window.desk) return
  const menu: MenuPlace[] = listedScreens.map((screen) => ({
    name: places[screen].name,
    address: addressOf({ screen, collection: null, record: null, params: {} }),
    keys: `g ${places[screen].key}`,
  }))
  window.desk.subscribe(({ address }) => {
    settleAddress()
    location.hash = address
  })
  // Without its menu the window works all the same.
  askDesk('desk.menu', { places: menu }).catch(() => {})
}
