import { create } from 'zustand'

/** Light, dark or as the system; remembered in this browser. */

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const STORAGE_KEY = 'sandbank.theme'
const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text)

export const useTheme = create<{ readonly theme: Theme }>()(() => ({ theme: 'system' }))

function applyTheme(theme: Theme) {
  useTheme.setState({ theme })
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Called before the first render, so that nothing flashes. */
export function readTheme() {
  let saved: string | null = null
  try {
    saved = localStorage.getItem(STORAGE_KEY)
  } catch {
    // Storage is not available: follow the system.
  }
  applyTheme(isTheme(saved) ? saved : 'system')
}

export function chooseTheme(theme: Theme): undefined {
  applyTheme(theme)
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // The choice holds until the tab is closed.
  }
}
