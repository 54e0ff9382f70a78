import { useState } from 'react'
import { readStored, writeStored } from '../format/stored.ts'

/** The properties of a `details` element that stays as the user left it, also after a reload. */
export function useFold(key: string, isOpenAtFirst = false) {
  const stored = `sandbank.layout.open.${key}`
  const [open, setOpen] = useState(() => {
    const last = readStored('localStorage', stored)
    return typeof last === 'boolean' ? last : isOpenAtFirst
  })
  return {
    open,
    onToggle: ({ currentTarget }: React.ToggleEvent<HTMLDetailsElement>) => {
      if (currentTarget.open === open) return
      setOpen(currentTarget.open)
      writeStored('localStorage', stored, currentTarget.open === isOpenAtFirst ? undefined : currentTarget.open)
    },
  }
}
