import { useEffect } from 'react'
import { type Action, perform } from '../actions/action.ts'
import { advanceAction, advanceNames, toggleClock } from '../actions/clock.ts'
import { copyAddressAction, openScreenActions, requestActions, shortcutsAction } from '../actions/window.ts'
import { sendRepaired, stackActions } from '../actions/world.ts'
import { collections } from '../data/collections.ts'
import { isDesktop } from '../data/desktop.ts'
import { focusTable } from '../data/focus.ts'
import { addEarlyKey, openFindBar, togglePalette, usePalette } from '../data/overlays.ts'
import { useRoute } from '../data/route.ts'
import { MODIFIER_KEY } from '../ui/modifier-key.ts'

const advances = advanceNames.map(advanceAction).filter(({ keys }) => keys)
const lower = (text: string) => `${text[0]!.toLowerCase()}${text.slice(1)}`

/** Every shortcut of the window, as ShortcutsDialog lists them. */
export const shortcuts: readonly ShortcutGroup[] = [
  {
    title: 'Anywhere',
    keys: [
      [[`${MODIFIER_KEY} K`], 'command palette: run a command, open a screen, find a record'],
      [['/'], 'search; ↓ or Enter leads to the rows'],
      ...(isDesktop() ? [[[`${MODIFIER_KEY} F`], 'find on this screen'] as const] : []),
      [['Esc'], 'close the top dialog, pane or record'],
      [['['], 'back'],
      [[']'], 'forward'],
      [['w'], 'why: explain the focused amount or status, or the record'],
      [['d'], 'on a record: what can be decided about it'],
      ...[...requestActions(''), sendRepaired('')].map(
        ({ keys, title }) => [keys!, `on a request: ${lower(title)}`] as const,
      ),
      [['t'], 'on the button of a change: try it in a copy of the world'],
      [copyAddressAction.keys!, lower(copyAddressAction.title)],
      [['?'], 'these shortcuts'],
    ],
  },
  {
    title: 'Clock',
    keys: [
      [toggleClock().keys!, 'freeze or run'],
      ...stackActions().map(({ keys, title }) => [keys!, `${lower(title)} the newest operation`] as const),
      ...advances.map(({ keys, title }) => [keys!, `on the line of time: ${lower(title)}`] as const),
    ],
  },
  {
    title: 'On the line of time',
    keys: [
      [['←', '→'], 'the operation before, the next one, then the tasks; also where no table or field has the focus'],
      [['Enter'], 'what can be done there'],
      [['+', '-'], 'zoom; the wheel does, too'],
      [['Shift ←', 'Shift →'], 'move along'],
      [['Home'], 'back to now'],
    ],
  },
  {
    title: 'Go to',
    keys: openScreenActions.map(({ keys, title }) => [keys!, title] as const),
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
      [[`${MODIFIER_KEY} Enter`], 'try it'],
    ],
  },
]

interface ShortcutGroup {
  readonly title: string
  readonly keys: readonly (readonly [keys: readonly string[], action: string])[]
}

/** Elements in which a letter is text, or selects an option. */
const ACCEPTS_LETTERS =
  'input, textarea, select, search, [contenteditable], [role=combobox], [role=menu], [role=dialog]'
/** The second key of a sequence must follow `g` within this time. */
const SEQUENCE_MS = 1_500
const NEVER = Number.NEGATIVE_INFINITY

/** The row with these keys, in order. */
const findByKeys = (rows: readonly Action[], ...keys: readonly string[]) =>
  rows.find((row) => row.keys?.join() === keys.join())

/** Shift counts with letters and the period: the other signs are on other keys of each keyboard. */
function keysOf({ key, code, shiftKey }: KeyboardEvent): readonly string[] {
  if (shiftKey && code === 'Period') return ['Shift', '.']
  return shiftKey && /^[A-Z]$/.test(key) ? ['Shift', key] : [key]
}

/** Keys of one letter that do what a button or the palette does: the advances only on the line of time, others of an open request. */
function keyedActions(): readonly Action[] {
  const { screen, record, params } = useRoute.getState()
  return [
    toggleClock(),
    ...stackActions(),
    copyAddressAction,
    shortcutsAction,
    ...(document.activeElement?.closest('[data-line]') ? advanceNames.map(advanceAction) : []),
    ...(screen === 'requests' && record !== null && !params.replay
      ? [...requestActions(record), sendRepaired(record)]
      : []),
  ]
}

/** The other keys. */
const keyHandlers: Readonly<Record<string, () => void>> = {
  '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
  '[': () => history.back(),
  ']': () => history.forward(),
  w: openExplanation,
  d: () => document.querySelector<HTMLElement>('[data-decisions] li button')?.focus(),
  Escape: closeRecord,
}

export function useShortcuts() {
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
      if (event.target.matches('[data-search]') && /^(ArrowDown|Enter)$/.test(event.key)) {
        event.preventDefault()
        return focusTable(event.key)
      }
      if (event.target.closest(ACCEPTS_LETTERS)) return
      const isSequence = event.timeStamp - sequenceStart < SEQUENCE_MS
      sequenceStart = NEVER
      const action =
        (isSequence ? findByKeys(openScreenActions, 'g', event.key) : undefined) ??
        findByKeys(keyedActions(), ...keysOf(event))
      const run = action ? () => void perform(action) : keyHandlers[event.key]
      if (event.key === 'g') sequenceStart = event.timeStamp
      else if (STEPS.has(event.key) && event.target.matches('body, main')) stepAlongLine(event.key)
      else if (run) {
        event.preventDefault()
        run()
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

const STEPS = new Set(['ArrowLeft', 'ArrowRight'])

/** Where nothing else takes the key, it moves along the line of time. */
function stepAlongLine(key: string) {
  const line = document.querySelector<HTMLElement>('[data-line] [role=slider]')
  line?.focus()
  line?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
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
  const { replay, record: recording, edit, ...others } = params
  // A pane over the screen closes before the record below it.
  if (replay || recording || edit) return go({ screen, record, params: others })
  if (record === null) return
  // Back to the record's list; Payments has several lists.
  if (collection !== null) {
    const { home } = collections[collection]
    return go(home === 'payments' ? { collection } : { screen: home })
  }
  if (screen === 'requests') adjust({ record: null })
  else go({ screen, params })
}
