import { Menu as Base } from '@base-ui/react/menu'
import { Check, ChevronDown } from 'lucide-react'
import { Chip } from './Button.tsx'
import { cx } from './cx.ts'
import styles from './Menu.module.css'
import { formatKeys } from './modifier-key.ts'
import surface from './Surface.module.css'

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: React.ReactElement
  readonly align?: 'start' | 'end'
  readonly defaultOpen?: boolean
  readonly children: React.ReactNode
}

export function Menu({ trigger, align = 'start', defaultOpen = false, children }: MenuProps) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Popup place={{ sideOffset: 4, align }}>{children}</Popup>
    </Base.Root>
  )
}

const Popup = ({ place, ...popup }: Base.Popup.Props & { place: Base.Positioner.Props }) => (
  <Base.Portal>
    <Base.Positioner className={surface.above} {...place}>
      <Base.Popup className={cx(surface.surface, styles.menu)} {...popup} />
    </Base.Positioner>
  </Base.Portal>
)

interface MenuEntry {
  readonly label: string
  /** The shortcut that does the same, e.g. `CmdOrCtrl+C`. */
  readonly keys?: MenuKeys | undefined
  readonly run: () => void
}
/** null is a line between entries. */
export type MenuEntries = readonly (MenuEntry | null)[]
type MenuKeys = 'Enter' | 'CmdOrCtrl+C' | 'Alt+Left' | 'Alt+Right'

export interface Anchor {
  readonly x: number
  readonly y: number
  /** Of the row that the menu opens below, or above if there is more space; 0 at the pointer. */
  readonly height: number
}

interface ContextMenuProps {
  readonly entries: MenuEntries
  readonly at: Anchor
  /** What had the focus before. */
  readonly focused: Element | null
  readonly onClose: () => void
}

/** A menu at a row or a point of the window. */
export function ContextMenu({ entries, at, focused, onClose }: ContextMenuProps) {
  return (
    <Base.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popup
        place={{ align: 'start', anchor: { getBoundingClientRect: () => DOMRect.fromRect({ ...at, width: 0 }) } }}
        aria-label="Context menu"
        finalFocus={() => (focused instanceof HTMLElement ? focused : null)}
      >
        {entries.map((entry, position) =>
          entry === null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the entries of an open menu do not change.
            <MenuSeparator key={position} />
          ) : (
            <MenuItem key={entry.label} onClick={entry.run}>
              {entry.label} {entry.keys && <span className="meta">{formatKeys(entry.keys)}</span>}
            </MenuItem>
          ),
        )}
      </Popup>
    </Base.Root>
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
  readonly options: readonly { readonly value: T; readonly label: React.ReactNode; readonly isOff?: boolean }[]
  /** More items, below a line. */
  readonly more?: readonly { readonly id: string; readonly label: React.ReactNode; readonly run: () => void }[]
}

/** Chooses one of several values and closes. */
export function RadioMenu<T extends string | number>({
  value,
  onChange,
  options,
  more = [],
  ...menu
}: RadioMenuProps<T>) {
  return (
    <Menu {...menu}>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            className={styles.item}
            disabled={option.isOff}
            closeOnClick
          >
            <Mark>
              <Base.RadioItemIndicator>
                <Tick />
              </Base.RadioItemIndicator>
            </Mark>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
      {more.length > 0 && <MenuSeparator />}
      {more.map(({ id, label, run }) => (
        <MenuItem key={id} onClick={run}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}

interface FilterMenuProps {
  readonly name: string
  readonly options: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  readonly show?: (option: string) => React.ReactNode
}

/** Filters by any of several values; without a choice there is no filter. */
export function FilterMenu({ name, options, chosen, onChange, show = (option) => option }: FilterMenuProps) {
  const text =
    chosen.length === 0 ? 'any' : chosen.length > 2 ? `${chosen.length} of ${options.length}` : chosen.join(', ')
  return (
    <Menu
      trigger={
        <Chip on={chosen.length > 0}>
          {name}: {text}
          <ChevronDown size={12} aria-hidden="true" />
        </Chip>
      }
    >
      {options.map((option) => (
        <MenuCheckItem
          key={option}
          checked={chosen.includes(option)}
          onChange={(on) => onChange(options.filter((o) => (o === option ? on : chosen.includes(o))))}
        >
          {show(option)}
        </MenuCheckItem>
      ))}
    </Menu>
  )
}
