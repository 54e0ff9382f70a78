import { create } from 'zustand'

/** Whether the palette stands open. Its code is fetched when it is first wanted. */
interface PaletteState {
  readonly open: boolean
}

export const usePalette = create<PaletteState>()(() => ({ open: false }))

export const openPalette = () => usePalette.setState({ open: true })
export const closePalette = () => usePalette.setState({ open: false })
export const togglePalette = () => usePalette.setState(({ open }) => ({ open: !open }))
