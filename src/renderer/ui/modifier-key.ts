/** The name of the modifier key for shortcuts on this platform. */
export const MODIFIER_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

const SIGNS: Readonly<Record<string, string>> = { CmdOrCtrl: MODIFIER_KEY, Left: '←', Right: '→' }

/** `CmdOrCtrl+C` as it is written in a menu of the window. */
export const formatKeys = (keys: string) =>
  keys
    .split('+')
    .map((key) => SIGNS[key] ?? key)
    .join(' ')
