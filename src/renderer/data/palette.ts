import { create } from 'zustand'

/** Whether the palette stands open. Its code is fetched when it is first wanted. */
interface PaletteState {
  readonly open: boolean
  /** What was typed before its field was there to take it. */
  readonly early: string
}

export const usePalette = create<PaletteState>()(() => ({ open: false, early: '' }))

export const openPalette = () => usePalette.setState({ open: true, early: '' })
export const closePalette = () => usePalette.setState({ open: false })
export const togglePalette = () => usePalette.setState(({ open }) => ({ open: !open, early: '' }))

/** Fingers are faster than a screen: no letter that follows the key of the palette is lost, or taken for another key. */
export function addEarlyKey(key: string) {
  if (key.length === 1) usePalette.setState(({ early }) => ({ early: early + key }))
  else if (key === 'Backspace') usePalette.setState(({ early }) => ({ early: early.slice(0, -1) }))
  else if (key === 'Escape') closePalette()
}
