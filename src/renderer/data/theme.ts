import { create } from 'zustand'

/** Light, dark, or as the system says: kept in this browser. It is no secret. */

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

/** Before anything is drawn, so that nothing flashes. */
export function readTheme() {
  let kept: string | null = null
  try {
    kept = localStorage.getItem(STORAGE_KEY)
  } catch {
    // A browser that keeps nothing follows the system.
  }
  applyTheme(isTheme(kept) ? kept : 'system')
}

export function chooseTheme(theme: Theme) {
  applyTheme(theme)
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // It holds until the tab is closed.
  }
}
