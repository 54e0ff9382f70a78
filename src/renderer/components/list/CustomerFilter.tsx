import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { PartyNames } from '../../data/names.ts'
import { formatCount } from '../../format/numbers.ts'
import { escapeControls } from '../../format/text.ts'
import { Chip } from '../../ui/Chip.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './CustomerFilter.module.css'

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
