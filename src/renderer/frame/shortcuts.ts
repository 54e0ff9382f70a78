import { useEffect } from 'react'
import { copyAddress } from '../components/copy-address.ts'
import { openScreen } from '../components/focus.ts'
import { type AdvancePreset, advanceByPreset, advancePresets, showFailure, toggleClock } from '../data/advance.ts'
import { collections } from '../data/collections.ts'
import { isDesktop } from '../data/desktop.ts'
import { openFindBar } from '../data/find.ts'
import { addEarlyKey, togglePalette, usePalette } from '../data/palette.ts'
import { useRoute } from '../data/route.ts'
import { listedScreens, type Screen, screenList } from '../data/screen-list.ts'
import { MODIFIER_KEY } from '../ui/modifier-key.ts'

const presetKeys = (Object.keys(advancePresets) as AdvancePreset[]).flatMap((preset) => {
  const { key } = advancePresets[preset]
  return key === null ? [] : [[key, preset] as const]
})
const presetByKey: ReadonlyMap<string, AdvancePreset> = new Map(presetKeys)

/** Every shortcut of the window, as ShortcutsDialog lists them. */
export const shortcuts = [
  {
    title: 'Anywhere',
    keys: [
      [[`${MODIFIER_KEY} K`], 'command palette: run a command, open a screen, find a record'],
      [['/'], 'search'],
      ...(isDesktop() ? ([[[`${MODIFIER_KEY} F`], 'find on this screen']] as const) : []),
      [['Esc'], 'close the top dialog, pane or record'],
      [['['], 'back'],
      [[']'], 'forward'],
      [['w'], 'why: explain the focused amount or status, or the record'],
      [['y'], 'copy the address of this view'],
      [['?'], 'these shortcuts'],
    ],
  },
  {
    title: 'Clock',
    keys: [
      [['.'], 'freeze or run'],
      ...presetKeys.map(([key, preset]) => [[key], `on Time: ${advancePresets[preset].title.toLowerCase()}`] as const),
      [[`${MODIFIER_KEY} Enter`], 'on Time: preview what would run'],
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
      [['Space'], 'mark or unmark a row; Shift with an arrow marks a range'],
      [['Enter'], 'open the selected row'],
    ],
  },
  {
    title: 'In the palette',
    keys: [
      [['↑', '↓'], 'select'],
      [['Enter'], 'run'],
      [['Tab'], 'complete'],
      [[`${MODIFIER_KEY} Enter`], 'preview'],
    ],
  },
] as const satisfies readonly ShortcutGroup[]

interface ShortcutGroup {
  readonly title: string
  readonly keys: readonly (readonly [keys: readonly string[], action: string])[]
}

const screenByKey = new Map<string, Screen>(listedScreens.map((screen) => [screenList[screen].key, screen]))
/** Elements in which a letter is text, or selects an option. */
const ACCEPTS_LETTERS =
  'input, textarea, select, search, [contenteditable], [role=combobox], [role=menu], [role=dialog]'
/** The second key of a sequence must follow `g` within this time. */
const SEQUENCE_MS = 1_500
const NEVER = Number.NEGATIVE_INFINITY

interface ShortcutCallbacks {
  readonly showShortcuts: () => void
  /** Shows a message in the status bar. */
  readonly announce: (message: string) => void
}

export function useShortcuts({ showShortcuts, announce }: ShortcutCallbacks) {
  useEffect(() => {
    let sequenceStart = NEVER
    const onKeyDown = (event: KeyboardEvent) => {
      if (isModified(event, 'k')) {
        event.preventDefault()
        return togglePalette()
      }
      // A browser has its own.
      if (isDesktop() && isModified(event, 'f')) {
        event.preventDefault()
        return openFindBar()
      }
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      if (!(event.target instanceof HTMLElement)) return
      if (usePalette.getState().open && !event.target.closest('[role=dialog]')) {
        event.preventDefault()
        return addEarlyKey(event.key)
      }
      if (event.target.closest(ACCEPTS_LETTERS)) return
      const screen = event.timeStamp - sequenceStart < SEQUENCE_MS ? screenByKey.get(event.key) : undefined
      sequenceStart = NEVER
      const preset = useRoute.getState().screen === 'time' ? presetByKey.get(event.key) : undefined
      const run = screen ? () => openScreen(screen) : preset ? () => void runAdvance(preset) : actions[event.key]
      if (event.key === 'g') sequenceStart = event.timeStamp
      else if (run) {
        event.preventDefault()
        run()
      }
    }
    const runAdvance = async (preset: AdvancePreset) => {
      const refusal = await advanceByPreset(preset)
      if (refusal !== null) announce(refusal)
    }
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
      '?': showShortcuts,
      '[': () => history.back(),
      ']': () => history.forward(),
      '.': () => void showFailure(toggleClock()),
      y: async () => announce(await copyAddress()),
      w: openExplanation,
      Escape: closeRecord,
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [showShortcuts, announce])
}

const isModified = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, letter: string) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === letter

/** Opens the explanation ("Why?") of the focused value, else of the record's main value, else of the first one. */
export function openExplanation() {
  const focused = document.activeElement?.closest<HTMLElement>('[data-why]')
  const found = focused ?? document.querySelector<HTMLElement>('[data-why=main]')
  ;(found ?? document.querySelector<HTMLElement>('main [data-why]'))?.click()
}

function closeRecord() {
  const { screen, collection, record, params, go, adjust } = useRoute.getState()
  const { replay, record: recording, ...others } = params
  // A pane over the screen closes before the record below it.
  if (replay || recording) return go({ screen, record, params: others })
  if (record === null) return
  // Back to the record's list; Payments has several lists.
  if (collection !== null) {
    const { home } = collections[collection]
    return go(home === 'payments' ? { collection } : { screen: home })
  }
  if (screen === 'requests') adjust({ record: null })
  else go({ screen, params })
}
