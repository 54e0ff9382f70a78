import { type ComponentType, cloneElement, useEffect, useState } from 'react'
import { useMessages } from '../data/messages.ts'

/**
 * Menus and popovers of the first screen. Their code is loaded after the first paint; until then only the button that opens them is drawn,
 * as it is later. A click on it before is not lost.
 */

type Parts = Pick<typeof import('../ui/Menu.tsx'), 'ContextMenu' | 'RadioMenu'> &
  Pick<typeof import('../ui/Popover.tsx'), 'Popover'>

let parts: Parts | undefined

export async function loadLate() {
  const [menu, popover] = await Promise.all([import('../ui/Menu.tsx'), import('../ui/Popover.tsx')])
  parts = { ...menu, ...popover }
}

interface Opened {
  readonly trigger?: React.ReactElement<React.ComponentProps<'button'>>
  readonly onOpenChange?: (open: boolean) => void
  readonly onClose?: () => void
}

function late<N extends keyof Parts>(name: N, popup: 'menu' | 'dialog' = 'menu') {
  function LoadedLate(props: Opened) {
    const [isLoaded, setLoaded] = useState(parts !== undefined)
    const [isWanted, setWanted] = useState(false)
    const [isFocused, setFocused] = useState(false)
    const { trigger, onOpenChange: setOpen = setWanted, onClose } = props
    const load = async (isAsked: boolean) => {
      try {
        await loadLate()
        setLoaded(true)
      } catch {
        if (!isAsked) return
        setOpen(false)
        onClose?.()
        useMessages.setState({ failure: { title: `The ${popup} cannot be shown.`, error: NOT_LOADED } })
      }
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: loads once; a click tries again, where the browser does not keep the failure.
    useEffect(() => {
      if (isLoaded) setFocused(false)
      // Without a button it is drawn because the user asked for it.
      else void load(!trigger)
    }, [isLoaded])
    if (parts) {
      const Loaded = parts[name] as ComponentType<Opened & { defaultOpen?: boolean }>
      const kept = trigger && isFocused ? { trigger: cloneElement(trigger, { autoFocus: true }) } : {}
      return <Loaded {...props} {...kept} defaultOpen={isWanted} />
    }
    return (
      trigger &&
      cloneElement(trigger, {
        'aria-haspopup': popup,
        'aria-expanded': false,
        onClick: () => {
          setOpen(true)
          void load(true)
        },
        onFocus: () => setFocused(true),
        onBlur: () => setFocused(false),
      })
    )
  }
  return LoadedLate as Parts[N]
}

const NOT_LOADED = 'Its code could not be loaded. Nothing in the sandbox has changed. Reload the window.'

export const ContextMenu = late('ContextMenu')
export const RadioMenu = late('RadioMenu')
export const Popover = late('Popover', 'dialog')
