import { useRoute } from '../../data/route.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { FilterMenu } from '../../ui/FilterMenu.tsx'
import { ScreenBar } from '../../ui/Layout.tsx'
import { SearchField } from '../../ui/SearchField.tsx'

interface FilterBarProps {
  readonly title: string
  readonly search: {
    readonly label: string
    readonly placeholder: string
    readonly width: number
    readonly className?: string | undefined
  }
  /** Menus of values. `param`: the address parameter, if it is not the name. */
  readonly filters: readonly {
    readonly name: string
    readonly param?: string
    readonly options: readonly string[]
    readonly show?: (option: string) => React.ReactNode
  }[]
  /** Undefined while nothing is filtered. */
  readonly clear: (() => void) | undefined
  readonly className?: string | undefined
  /** At the right. */
  readonly actions: React.ReactNode
  readonly actionsClass?: string | undefined
  /** Further filters. */
  readonly children?: React.ReactNode
}

/** The bar of a list: its title, search and filters, which are in the address, and its actions. */
export function FilterBar({
  title,
  search,
  filters,
  clear,
  className,
  actions,
  actionsClass,
  children,
}: FilterBarProps) {
  const { params, filter } = useRoute()
  return (
    <ScreenBar className={className}>
      <h1>{title}</h1>
      <SearchField {...search} value={params.q?.[0] ?? ''} onChange={(q) => filter('q', q === '' ? [] : [q])} />
      {filters.map(({ name, param = name, options, show }) => (
        <FilterMenu
          key={name}
          name={name}
          options={options}
          chosen={params[param] ?? []}
          onChange={(chosen) => filter(param, chosen)}
          {...(show ? { show } : {})}
        />
      ))}
      {children}
      {clear && <Button onClick={clear}>Clear filters</Button>}
      <span className={cx('end row', actionsClass)} data-tight>
        {actions}
      </span>
    </ScreenBar>
  )
}
