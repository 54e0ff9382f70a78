import { type ComponentType, cloneElement, useEffect, useState } from 'react'

/**
 * Menus and popovers of the first screen. Their code is loaded after the first paint; until then only the button that opens them is drawn,
 * as it is later. A click on it before is not lost.
 */

type Parts = Pick<typeof import('./Menu.tsx'), 'ContextMenu' | 'RadioMenu'> &
  Pick<typeof import('./Popover.tsx'), 'Popover'>

let parts: Parts | undefined

export async function loadLate() {
  const [menu, popover] = await Promise.all([import('./Menu.tsx'), import('./Popover.tsx')])
  parts = { ...menu, ...popover }
}

interface Opened {
  readonly trigger?: React.ReactElement<React.ComponentProps<'button'>>
  readonly onOpenChange?: (open: boolean) => void
}

function late<N extends keyof Parts>(name: N, popup?: 'menu' | 'dialog') {
  function Late(props: Opened) {
    const [isLoaded, setLoaded] = useState(parts !== undefined)
    const [isWanted, setWanted] = useState(false)
    const [isFocused, setFocused] = useState(false)
    useEffect(() => {
      if (!isLoaded)
        loadLate().then(
          () => setLoaded(true),
          () => {},
        )
    }, [isLoaded])
    const { trigger, onOpenChange } = props
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
        onClick: () => (onOpenChange ? onOpenChange(true) : setWanted(true)),
        onFocus: () => setFocused(true),
        onBlur: () => setFocused(false),
      })
    )
  }
  return Late as Parts[N]
}

export const ContextMenu = late('ContextMenu')
export const RadioMenu = late('RadioMenu', 'menu')
export const Popover = late('Popover', 'dialog')
