import { useEffect } from 'react'
import { collections } from './collections.ts'
import { copy } from './copy.ts'
import { advanceBy, tried, type Way } from './frame/advance.ts'
import { sandbox } from './sandbox.ts'
import { listedScreens, places } from './screens.tsx'
import { useFeed } from './stores/feed.ts'
import { type Screen, settleAddress, useView } from './stores/view.ts'

/** Every key of the window, said once: the sheet prints this list. */
export const keys = [
  ...listedScreens.map((screen) => [['g', places[screen].key], `go to ${places[screen].name}`] as const),
  [['/'], 'search'],
  [['↑', '↓'], 'select in a table; Home, End, PageUp and PageDown as well'],
  [['Space'], 'choose or leave a request, to replay several; Shift and an arrow choose on the way'],
  [['Enter'], 'open what is selected'],
  [['Esc'], 'close the nearest thing'],
  [['['], 'back'],
  [[']'], 'forward'],
  [['.'], 'freeze the clock, or let it run'],
  [['n'], 'advance to the next due'],
  [['h'], 'advance by an hour'],
  [['b'], 'on the screen of time: advance by a business day'],
  [['Ctrl', 'Enter'], 'on the screen of time: preview of the advance'],
  [['y'], 'copy the address of what you see'],
  [['w'], 'why: of the amount or status that has the focus, or of the record'],
  [['?'], 'these keys'],
] as const satisfies readonly (readonly [readonly string[], string])[]

const byKey = new Map<string, Screen>(listedScreens.map((screen) => [places[screen].key, screen]))
/** After `g`, the second key has this long. */
const SEQUENCE_MS = 1_500

export function useKeys({ showKeys, said }: { showKeys: () => void; said: (text: string) => void }) {
  useEffect(() => {
    let going = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(event.target instanceof HTMLElement) || event.target.closest('input, textarea, [role=menu], [role=dialog]'))
        return
      const place = event.timeStamp - going < SEQUENCE_MS ? byKey.get(event.key) : undefined
      going = 0
      const act = place ? () => goTo(place) : actions[event.key]
      if (event.key === 'g') going = event.timeStamp
      else if (act) {
        event.preventDefault()
        act()
      }
    }
    const advanced = async (way: Way) => {
      const refused = await advanceBy(way)
      if (refused !== null) said(refused)
    }
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
      '?': showKeys,
      '[': () => history.back(),
      ']': () => history.forward(),
      '.': () => void toggleClock(),
      n: () => void advanced('next'),
      h: () => void advanced('hour'),
      b: () => void (useView.getState().screen === 'time' && advanced('businessDay')),
      y: async () => {
        settleAddress()
        said((await copy(location.href)) ? 'address copied' : 'the address could not be copied')
      },
      w: askWhy,
      Escape: closeRecord,
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [showKeys, said])
}

/** Who went by keys wants to go on by keys. */
let byKeys = false

export function goTo(screen: Screen) {
  const { screen: here, go } = useView.getState()
  byKeys = true
  go({ screen })
  if (here === screen) requestAnimationFrame(arrive)
}

/** The table of the screen takes the focus, so that arrows work at once. */
export function arrive() {
  if (!byKeys) return
  byKeys = false
  const main = document.querySelector<HTMLElement>('main')
  const table = main?.querySelector<HTMLElement>(':is([role=grid], [role=listbox], [role=treegrid])')
  ;(table ?? main)?.focus()
}

function askWhy() {
  const focused = document.activeElement?.closest<HTMLElement>('[data-why]')
  ;(focused ?? document.querySelector<HTMLElement>('[data-why=main]'))?.click()
}

function closeRecord() {
  const { screen, collection, record, params, go, adjust } = useView.getState()
  const { replay, record: recording, ...others } = params
  // A pane over the screen is nearer than what is open in it.
  if (replay || recording) return go({ screen, record, params: others })
  if (record === null) return
  if (collection !== null) return go({ screen: collections[collection].home })
  if (screen === 'requests') adjust({ record: null })
  else go({ screen, params })
}

export async function toggleClock() {
  const { clock } = useFeed.getState()
  if (clock) await tried(sandbox['clock.set']({ mode: clock.mode === 'running' ? 'frozen' : 'running' }))
}
