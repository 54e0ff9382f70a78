import { useEffect } from 'react'
import { openScreen } from '../components/focus.ts'
import { type AdvancePreset, advanceByPreset, toggleClock } from '../data/advance.ts'
import { collections } from '../data/collections.ts'
import { addEarlyKey, togglePalette, usePalette } from '../data/palette.ts'
import { flushRoute, useRoute } from '../data/route.ts'
import { listedScreens, type Screen, screenList } from '../data/screen-list.ts'
import { copyText } from '../ui/copy.ts'
import { MODIFIER_KEY } from '../ui/modifier-key.ts'

/** Every key of the window, said once: the sheet prints these groups. */
export const shortcuts = [
  {
    title: 'Anywhere',
    keys: [
      [[`${MODIFIER_KEY} K`], 'the palette: do anything, go anywhere, find any record'],
      [['/'], 'search'],
      [['Esc'], 'close the nearest thing'],
      [['['], 'back'],
      [[']'], 'forward'],
      [['w'], 'why: of the amount or status that has the focus, or of the record'],
      [['y'], 'copy the address of what you see'],
      [['?'], 'these keys'],
    ],
  },
  {
    title: 'The clock',
    keys: [
      [['.'], 'freeze it, or let it run'],
      [['n'], 'on Time: advance to the next thing due'],
      [['h'], 'on Time: advance 1 hour'],
      [['b'], 'on Time: advance 1 business day'],
      [[`${MODIFIER_KEY} Enter`], 'on Time: show first what would run'],
    ],
  },
  {
    title: 'Go to',
    keys: listedScreens.map((screen) => [['g', screenList[screen].key], screenList[screen].name] as const),
  },
  {
    title: 'In a table',
    keys: [
      [['↑', '↓'], 'select; Home, End, PageUp and PageDown as well'],
      [['Space'], 'choose or leave a request, to replay several; Shift and an arrow choose on the way'],
      [['Enter'], 'open what is selected'],
    ],
  },
  {
    title: 'In the palette',
    keys: [
      [['↑', '↓'], 'choose'],
      [['Enter'], 'do it'],
      [['Tab'], 'fill in'],
      [[`${MODIFIER_KEY} Enter`], 'show first what would run'],
    ],
  },
] as const satisfies readonly ShortcutGroup[]

interface ShortcutGroup {
  readonly title: string
  readonly keys: readonly (readonly [strokes: readonly string[], does: string])[]
}

const screenByKey = new Map<string, Screen>(listedScreens.map((screen) => [screenList[screen].key, screen]))
/** Where a letter is a letter, or chooses among words. */
const TAKES_LETTERS = 'input, textarea, select, [contenteditable], [role=combobox], [role=menu], [role=dialog]'
/** After `g`, the second key has this long. */
const SEQUENCE_MS = 1_500
const NEVER = Number.NEGATIVE_INFINITY

export function useShortcuts({ showKeys, said }: { showKeys: () => void; said: (text: string) => void }) {
  useEffect(() => {
    let going = NEVER
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return togglePalette()
      }
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(event.target instanceof HTMLElement)) return
      if (usePalette.getState().open && !event.target.closest('[role=dialog]')) {
        event.preventDefault()
        return addEarlyKey(event.key)
      }
      if (event.target.closest(TAKES_LETTERS)) return
      const place = event.timeStamp - going < SEQUENCE_MS ? screenByKey.get(event.key) : undefined
      going = NEVER
      const way = useRoute.getState().screen === 'time' ? advanceKeys[event.key] : undefined
      const act = place ? () => openScreen(place) : way ? () => void advanced(way) : actions[event.key]
      if (event.key === 'g') going = event.timeStamp
      else if (act) {
        event.preventDefault()
        act()
      }
    }
    const advanced = async (way: AdvancePreset) => {
      const refused = await advanceByPreset(way)
      if (refused !== null) said(refused)
    }
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
      '?': showKeys,
      '[': () => history.back(),
      ']': () => history.forward(),
      '.': () => void toggleClock(),
      y: async () => {
        flushRoute()
        said((await copyText(location.href)) ? 'address copied' : 'the address could not be copied')
      },
      w: openExplanation,
      Escape: closeRecord,
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [showKeys, said])
}

/** Elsewhere these are letters. */
const advanceKeys: Readonly<Record<string, AdvancePreset>> = { n: 'next', h: 'hour', b: 'businessDay' }

export function openExplanation() {
  const focused = document.activeElement?.closest<HTMLElement>('[data-why]')
  const found = focused ?? document.querySelector<HTMLElement>('[data-why=main]')
  ;(found ?? document.querySelector<HTMLElement>('main [data-why]'))?.click()
}

function closeRecord() {
  const { screen, collection, record, params, go, adjust } = useRoute.getState()
  const { replay, record: recording, ...others } = params
  // A pane over the screen is nearer than what is open in it.
  if (replay || recording) return go({ screen, record, params: others })
  if (record === null) return
  // The list that it is one of, where the screen has several.
  if (collection !== null) {
    const { home } = collections[collection]
    return go(home === 'payments' ? { collection } : { screen: home })
  }
  if (screen === 'requests') adjust({ record: null })
  else go({ screen, params })
}
