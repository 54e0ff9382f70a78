import { useState } from 'react'
import { readRemembered, remember } from './remember.ts'

/** The properties of a `details` element that stays as the user left it, also after a reload. */
export function useFold(key: string, isOpenAtFirst = false) {
  const [open, setOpen] = useState(() => {
    const stored = readRemembered(`open.${key}`)
    return stored === null ? isOpenAtFirst : stored === 'yes'
  })
  return {
    open,
    onToggle: ({ currentTarget }: React.ToggleEvent<HTMLDetailsElement>) => {
      if (currentTarget.open === open) return
      setOpen(currentTarget.open)
      remember(`open.${key}`, currentTarget.open === isOpenAtFirst ? undefined : currentTarget.open ? 'yes' : 'no')
    },
  }
}
