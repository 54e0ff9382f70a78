import { Menu } from '@base-ui/react/menu'
import { Check, ChevronDown } from 'lucide-react'

interface FilterMenuProps {
  readonly name: string
  readonly options: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  readonly show?: (option: string) => React.ReactNode
}

/** Any of several values; none chosen means any. */
export function FilterMenu({ name, options, chosen, onChange, show = (option) => option }: FilterMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger className="chip" data-on={chosen.length > 0 ? '' : undefined}>
        {name}:{' '}
        {chosen.length === 0 ? 'any' : chosen.length > 2 ? `${chosen.length} of ${options.length}` : chosen.join(', ')}
        <ChevronDown size={12} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="over" sideOffset={4} align="start">
          <Menu.Popup className="raised menu">
            {options.map((option) => (
              <Menu.CheckboxItem
                key={option}
                className="item"
                checked={chosen.includes(option)}
                onCheckedChange={(on) => onChange(options.filter((o) => (o === option ? on : chosen.includes(o))))}
              >
                <span className="mark">
                  <Menu.CheckboxItemIndicator>
                    <Check size={13} aria-hidden="true" />
                  </Menu.CheckboxItemIndicator>
                </span>
                {show(option)}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
