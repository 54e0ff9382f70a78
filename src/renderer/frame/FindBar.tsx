import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { callDesktop } from '../data/desktop.ts'
import { closeFindBar, useFind } from '../data/overlays.ts'
import { useRoute } from '../data/route.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { TextInput } from '../ui/Field.tsx'
import surface from '../ui/Surface.module.css'
import styles from './FindBar.module.css'

/** Finds text on the screen, in the desktop app. Must come first in the window: see OWN_MATCHES. */
export function FindBar() {
  const opened = useFind((find) => find.opened)
  const bar = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isSearching = useRef(false)
  const [text, setText] = useState('')
  /** null until the text was searched for on this screen. */
  const [found, setFound] = useState<Found | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: opening an open bar selects its text.
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [opened])
  useEffect(() => useRoute.subscribe(() => setFound(null)), [])

  const search = async (wanted: string, forward: boolean, isFirst: boolean) => {
    isSearching.current = true
    const result = await findText(wanted, { forward, isFirst, removeCaret })
    if (result === undefined) return
    isSearching.current = false
    setFound(result)
    if (document.activeElement === bar.current) input.current?.focus()
  }
  /** The bar keeps the focus, so that no key becomes a shortcut of the window. */
  const removeCaret = () => {
    if (!bar.current?.contains(document.activeElement) || document.activeElement === input.current) bar.current?.focus()
    getSelection()?.removeAllRanges()
  }
  const change = (value: string) => {
    setText(value)
    if (value !== '') return void search(value, true, true)
    setFound(null)
    void stopFind()
  }
  const step = (forward: boolean) => text !== '' && void search(text, forward, found === null)
  const close = async () => {
    await stopFind()
    const { focused } = useFind.getState()
    closeFindBar()
    if (focused instanceof HTMLElement && focused.isConnected && focused !== document.body) focused.focus()
    else document.querySelector('main')?.focus()
  }

  return (
    <search
      ref={bar}
      className={cx(surface.surface, surface.above, styles.bar)}
      tabIndex={-1}
      aria-label="Find on this screen"
      onKeyDown={(event) => {
        const isButton = event.target instanceof HTMLButtonElement
        if (event.key === 'Escape') void close()
        else if (event.key === 'Enter' && !isButton) step(!event.shiftKey)
        else return
        event.preventDefault()
      }}
      onBlur={({ target, relatedTarget }) => {
        // Chromium removes the focus when it shows a match.
        if (isSearching.current && relatedTarget === null) target.focus()
      }}
    >
      <TextInput
        ref={input}
        className={styles.text}
        aria-label="Find"
        placeholder="Find on this screen"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      <span className={styles.count} role="status" data-count={text === '' ? '' : countText(found)} />
      <Button
        icon={ChevronUp}
        bare
        small
        aria-label="Previous match"
        title="Previous match (Shift Enter)"
        onClick={() => step(false)}
      />
      <Button
        icon={ChevronDown}
        bare
        small
        aria-label="Next match"
        title="Next match (Enter)"
        onClick={() => step(true)}
      />
      <Button icon={X} bare small aria-label="Close" title="Close (Esc)" onClick={() => void close()} />
    </search>
  )
}

const countText = (found: Found | null) =>
  found === null ? '' : found.matches === 0 ? 'No matches' : `${found.position} of ${found.matches}`

/** The window may be closing. */
const stopFind = () => callDesktop('desk.stop_find', {}).catch(() => {})

interface Found {
  readonly matches: number
  /** Of the highlighted match, from 1. */
  readonly position: number
}

/**
 * Chromium also finds the text in the bar's own field. As the bar comes first in the document, that match is the first one: it is not
 * counted, and skipped. The bar has no other text that is found; generated content is not.
 */
const OWN_MATCHES = 1

let latest = 0

/** Returns undefined if another search began meanwhile. */
async function findText(
  text: string,
  { forward, isFirst, removeCaret }: { forward: boolean; isFirst: boolean; removeCaret: () => void },
): Promise<Found | undefined> {
  const turn = ++latest
  const find = (is_first: boolean) => {
    // Chromium starts at the caret if there is one, not at the match before.
    if (!is_first) removeCaret()
    return callDesktop('desk.find', { text, forward, is_first }).catch(() => null)
  }
  let result = await find(isFirst)
  const isOwn = result !== null && result.active <= OWN_MATCHES && result.matches > OWN_MATCHES
  if (isOwn && turn === latest) result = await find(false)
  if (turn !== latest) return undefined
  const { matches, active } = result ?? { matches: 0, active: 0 }
  return { matches: Math.max(0, matches - OWN_MATCHES), position: Math.max(0, active - OWN_MATCHES) }
}
