import { useSyncExternalStore } from 'react'

/** True if the window is at least `minWidth` pixels wide. */
export function useIsWide(minWidth: number): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('resize', changed)
      return () => window.removeEventListener('resize', changed)
    },
    () => window.innerWidth >= minWidth,
  )
}
