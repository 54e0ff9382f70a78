import { useEffect } from 'react'
import { copy } from './copy.ts'
import { tried } from './frame/advance.ts'
import { sandbox } from './sandbox.ts'
import { useFeed } from './stores/feed.ts'
import { type Screen, settleAddress, useView } from './stores/view.ts'

/** Every key of the window, said once: the sheet prints this list. */
export const keys = [
  [['g', 'c'], 'go to Connect'],
  [['g', 'r'], 'go to Requests'],
  [['g', 'u'], 'go to Customers'],
  [['g', 's'], 'go to Scenarios'],
  [['g', 'f'], 'go to Faults'],
  [['/'], 'search'],
  [['↑', '↓'], 'select in a table; Home, End, PageUp and PageDown as well'],
  [['Space'], 'choose or leave a request, to replay several; Shift and an arrow choose on the way'],
  [['Enter'], 'open what is selected'],
  [['Esc'], 'close the nearest thing'],
  [['['], 'back'],
  [[']'], 'forward'],
  [['.'], 'freeze the clock, or let it run'],
  [['y'], 'copy the address of what you see'],
  [['?'], 'these keys'],
] as const satisfies readonly (readonly [readonly string[], string])[]

const places: Readonly<Record<string, Screen>> = {
  c: 'connect',
  r: 'requests',
  u: 'customers',
  s: 'scenarios',
  f: 'faults',
}
/** After `g`, the second key has this long. */
const SEQUENCE_MS = 1_500

export function useKeys({ showKeys, said }: { showKeys: () => void; said: (text: string) => void }) {
  useEffect(() => {
    let going = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(event.target instanceof HTMLElement) || event.target.closest('input, textarea, [role=menu], [role=dialog]'))
        return
      const place = event.timeStamp - going < SEQUENCE_MS ? places[event.key] : undefined
      going = 0
      const act = place ? () => goTo(place) : actions[event.key]
      if (event.key === 'g') going = event.timeStamp
      else if (act) {
        event.preventDefault()
        act()
      }
    }
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
      '?': showKeys,
      '[': () => history.back(),
      ']': () => history.forward(),
      '.': () => void toggleClock(),
      y: async () => {
        settleAddress()
        said((await copy(location.href)) ? 'address copied' : 'the address could not be copied')
      },
      Escape: closeRecord,
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [showKeys, said])
}

/** The table of the screen takes the focus, so that arrows work at once. */
function goTo(screen: Screen) {
  useView.getState().go({ screen })
  requestAnimationFrame(() =>
    (
      document.querySelector<HTMLElement>('main :is([role=grid], [role=listbox])') ??
      document.querySelector<HTMLElement>('main')
    )?.focus(),
  )
}

function closeRecord() {
  const { screen, record, params, go, adjust } = useView.getState()
  const { replay, record: recording, ...others } = params
  // A pane over the screen is nearer than what is open in it.
  if (replay || recording) return go({ screen, record, params: others })
  if (record === null) return
  if (screen === 'requests') adjust({ record: null })
  else go({ screen, params })
}

export async function toggleClock() {
  const { clock } = useFeed.getState()
  if (clock) await tried(sandbox['clock.set']({ mode: clock.mode === 'running' ? 'frozen' : 'running' }))
}
