import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus inside a box when its buttons are replaced, as Start by Stop: focuses the button with `data-stop`, and
 * later the button that had the focus before. `turn` changes with each replacement.
 */
export function useKeepFocus<E extends HTMLElement>(turn: unknown): RefObject<E | null> {
  const box = useRef<E>(null)
  const before = useRef<string | null>(null)
  const active = typeof document === 'undefined' ? null : document.activeElement
  const held = active !== null && box.current?.contains(active) ? active.textContent : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a replacement moves the focus.
  useLayoutEffect(() => {
    if (held === null || box.current === null || (document.activeElement ?? document.body) !== document.body) return
    const buttons = [...box.current.querySelectorAll<HTMLElement>('button')]
    const stop = buttons.find((button) => button.dataset.stop !== undefined)
    const again = buttons.find(({ textContent }) => textContent === before.current)
    ;(stop ?? again ?? buttons[0])?.focus()
    before.current = held
  }, [turn])
  return box
}
