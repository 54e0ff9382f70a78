import { ChevronDown } from 'lucide-react'
import { Chip } from './Chip.tsx'
import { Menu, MenuCheckItem } from './Menu.tsx'

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
