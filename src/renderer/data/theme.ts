import { create } from 'zustand'
import { readStored, writeStored } from '../format/stored.ts'

/** Light, dark or as the system; remembered in this browser. */

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const STORAGE_KEY = 'sandbank.theme'

export const useTheme = create<{ readonly theme: Theme }>()(() => ({ theme: 'system' }))

function applyTheme(theme: Theme) {
  useTheme.setState({ theme })
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Called before the first render, so that nothing flashes. */
export function readTheme() {
  const stored = readStored('localStorage', STORAGE_KEY)
  applyTheme(themes.find((theme) => theme === stored) ?? 'system')
}

export function chooseTheme(theme: Theme): undefined {
  applyTheme(theme)
  writeStored('localStorage', STORAGE_KEY, theme)
}
