import { ContextMenu as Context } from '@base-ui/react/context-menu'
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { cx } from './cx.ts'
import styles from './Menu.module.css'
import surface from './Surface.module.css'

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: React.ReactElement
  readonly align?: 'start' | 'end'
  readonly children: React.ReactNode
}

export function Menu({ trigger, align = 'start', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={surface.above} sideOffset={4} align={align}>
          <Base.Popup className={cx(surface.surface, styles.menu)}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ContextMenuProps {
  /** Called first for each right-click, before the children say what it is for. */
  readonly onAim: () => void
  /** False where the browser's own menu is more useful. Asked when the menu is about to open. */
  readonly canOpen: () => boolean
  readonly items: React.ReactNode
  readonly children: React.ReactNode
}

/** A menu at the pointer, for a right-click within its children, or for the menu key. */
export function ContextMenu({ onAim, canOpen, items, children }: ContextMenuProps) {
  const [open, setOpen] = useState(false)
  return (
    <Context.Root open={open} onOpenChange={(is) => setOpen(is && canOpen())}>
      <Context.Trigger className={styles.area} onContextMenuCapture={onAim}>
        {children}
      </Context.Trigger>
      <Context.Portal>
        <Context.Positioner className={surface.above}>
          <Context.Popup className={cx(surface.surface, styles.menu)}>{items}</Context.Popup>
        </Context.Positioner>
      </Context.Portal>
    </Context.Root>
  )
}

export const MenuSeparator = () => <Base.Separator className={styles.separator} />

export function MenuItem({ onClick, children }: { onClick: () => void; children: React.ReactNode }) {
  return (
    <Base.Item className={styles.item} onClick={onClick}>
      {children}
    </Base.Item>
  )
}

const Mark = ({ children }: { children: React.ReactNode }) => <span className={styles.mark}>{children}</span>
const Tick = () => <Check size={13} aria-hidden="true" />

interface CheckItemProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: React.ReactNode
}

export function MenuCheckItem({ checked, onChange, children }: CheckItemProps) {
  return (
    <Base.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange}>
      <Mark>
        <Base.CheckboxItemIndicator>
          <Tick />
        </Base.CheckboxItemIndicator>
      </Mark>
      {children}
    </Base.CheckboxItem>
  )
}

interface RadioMenuProps<T> extends Omit<MenuProps, 'children'> {
  readonly value: T | undefined
  readonly onChange: (value: T) => void
  readonly options: readonly { readonly value: T; readonly label: React.ReactNode }[]
  /** More items, below a line. */
  readonly children?: React.ReactNode
}

/** Chooses one of several values and closes. */
export function RadioMenu<T extends string | number>({
  value,
  onChange,
  options,
  children,
  ...menu
}: RadioMenuProps<T>) {
  return (
    <Menu {...menu}>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={styles.item} closeOnClick>
            <Mark>
              <Base.RadioItemIndicator>
                <Tick />
              </Base.RadioItemIndicator>
            </Mark>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
      {children !== undefined && (
        <>
          <MenuSeparator />
          {children}
        </>
      )}
    </Menu>
  )
}
