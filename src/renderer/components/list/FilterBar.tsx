import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { PartyNames } from '../../data/names.ts'
import { useRoute } from '../../data/route.ts'
import { escapeControls, formatAmount, formatCount } from '../../format/text.ts'
import { Button, Chip } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { SearchField, TextInput } from '../../ui/Field.tsx'
import { FormGrid, ScreenBar } from '../../ui/Layout.tsx'
import { FilterMenu } from '../../ui/Menu.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { Popover, PopoverBody } from '../../ui/Popover.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './FilterBar.module.css'

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

interface CustomerFilterProps {
  readonly names: PartyNames
  readonly chosen: string | undefined
  readonly onChange: (uid: string | undefined) => void
}

/** The others are found by typing a part of their name. */
const MAX_OFFERED = 50

interface Pick {
  readonly uid: string
  readonly name: string
}
const ANY: Pick = { uid: '', name: 'any' }

export function CustomerFilter({ names, chosen, onChange }: CustomerFilterProps) {
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState<string | null>(null)
  const found = useMemo(() => {
    const sought = query.trim().toLowerCase()
    return names.customers.filter(({ uid, name }) => `${name}\n${uid}`.toLowerCase().includes(sought))
  }, [names, query])
  const choose = ({ uid }: Pick) => {
    onChange(uid === '' ? undefined : uid)
    setOpen(false)
  }
  const offered = [ANY, ...found.slice(0, MAX_OFFERED)]
  const left = found.length - MAX_OFFERED
  return (
    <Popover
      trigger={
        <Chip on={chosen !== undefined}>
          <span className="cut">
            Customer: {chosen === undefined ? 'any' : <Text>{names.customer(chosen) ?? chosen}</Text>}
          </span>
          <ChevronDown size={12} aria-hidden="true" />
        </Chip>
      }
      title="Customer"
      header={
        <TextInput
          type="search"
          className="grow"
          aria-label="Find a Customer"
          placeholder="name or uid"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found[0]) choose(found[0])
          }}
        />
      }
      open={open}
      onOpenChange={(is) => {
        setOpen(is)
        setQuery('')
        setAt(chosen ?? '')
      }}
    >
      <PickList
        label="Customers"
        className={styles.list}
        groups={[
          { title: left > 0 ? `${formatCount(left)} more: type part of the name` : 'Customers', items: offered },
        ]}
        idOf={({ uid }) => uid}
        selected={at}
        onSelect={(pick) => setAt(pick.uid)}
        onOpen={() => {
          const pick = offered.find(({ uid }) => uid === at)
          if (pick) choose(pick)
        }}
        renderItem={(pick) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard the list itself chooses, with Enter.
          // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard the list itself chooses, with Enter.
          <span className="cut" title={escapeControls(pick.name.slice(0, 255))} onClick={() => choose(pick)}>
            <Text>{pick.name}</Text>
          </span>
        )}
      />
    </Popover>
  )
}

interface RangeFilterProps {
  readonly title: string
  /** The address parameters of both ends. */
  readonly params: readonly [from: string, to: string]
  readonly kind: 'date' | 'amount'
}

const AMOUNT = /^\d{1,15}(\.\d{1,2})?$/

/** Filters by days of New York, or by amounts of either direction. Both ends are included, and either may be open. */
export function RangeFilter({ title, params: [from, to], kind }: RangeFilterProps) {
  const { params, filter } = useRoute()
  const [low, high] = [params[from]?.[0] ?? '', params[to]?.[0] ?? '']
  const show = (text: string) => (kind === 'amount' && AMOUNT.test(text) ? formatAmount(fillCents(text)) : text)
  const text =
    low === '' && high === ''
      ? ''
      : low === ''
        ? `to ${show(high)}`
        : high === ''
          ? `from ${show(low)}`
          : `${show(low)} to ${show(high)}`
  const renderEnd = (name: string, label: string, value: string) => (
    <>
      <label htmlFor={`range-${name}`}>{label}</label>
      <TextInput
        id={`range-${name}`}
        type={kind === 'date' ? 'date' : 'text'}
        inputMode={kind === 'date' ? undefined : 'decimal'}
        numeric={kind === 'amount'}
        placeholder={kind === 'amount' ? '1000.00' : undefined}
        invalid={kind === 'amount' && value !== '' && !AMOUNT.test(value)}
        value={value}
        onChange={({ target }) => filter(name, target.value === '' ? [] : [target.value.replaceAll(',', '')])}
      />
    </>
  )
  return (
    <Popover
      trigger={
        <Chip on={low !== '' || high !== ''}>
          {text === '' ? title : `${title}: ${text}`}
          <ChevronDown size={12} aria-hidden="true" />
        </Chip>
      }
      title={kind === 'date' ? `${title}, New York` : `${title}, USD`}
    >
      <PopoverBody>
        <FormGrid>
          {renderEnd(from, 'From', low)}
          {renderEnd(to, 'To', high)}
        </FormGrid>
        {(low !== '' || high !== '') && (
          <Button
            small
            onClick={() => {
              filter(from, [])
              filter(to, [])
            }}
          >
            Any
          </Button>
        )}
      </PopoverBody>
    </Popover>
  )
}

const fillCents = (text: string) => {
  const [whole, cents = ''] = text.split('.')
  return `${whole}.${cents.padEnd(2, '0')}`
}
