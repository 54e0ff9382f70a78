import { useSyncExternalStore } from 'react'

/** Whether the window is at least so many pixels wide. */
export function useIsWide(least: number): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('resize', changed)
      return () => window.removeEventListener('resize', changed)
    },
    () => window.innerWidth >= least,
  )
}
