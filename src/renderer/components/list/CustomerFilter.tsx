import { Popover } from '@base-ui/react/popover'
import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { PartyNames } from '../../data/names.ts'
import { formatCount } from '../../format/numbers.ts'
import { escapeControls } from '../../format/text.ts'
import { PickList } from '../../ui/PickList.tsx'
import { Text } from '../../ui/Text.tsx'

interface CustomerFilterProps {
  readonly names: PartyNames
  readonly chosen: string | undefined
  readonly onChange: (uid: string | undefined) => void
}

/** So many are offered; whoever looks for another one types a part of its name. */
const OFFERED = 50

interface Pick {
  readonly uid: string
  readonly name: string
}
const ANY: Pick = { uid: '', name: 'any' }

export function CustomerFilter({ names, chosen, onChange }: CustomerFilterProps) {
  const [open, setOpen] = useState(false)
  const [words, setWords] = useState('')
  const [at, setAt] = useState<string | null>(null)
  const found = useMemo(() => {
    const sought = words.trim().toLowerCase()
    return names.customers.filter(({ uid, name }) => `${name}\n${uid}`.toLowerCase().includes(sought))
  }, [names, words])
  const choose = ({ uid }: Pick) => {
    onChange(uid === '' ? undefined : uid)
    setOpen(false)
  }
  const offered = [ANY, ...found.slice(0, OFFERED)]
  const left = found.length - OFFERED
  return (
    <Popover.Root
      open={open}
      onOpenChange={(is) => {
        setOpen(is)
        setWords('')
        setAt(chosen ?? '')
      }}
    >
      <Popover.Trigger className="chip" data-on={chosen === undefined ? undefined : ''}>
        <span className="cut">
          Customer: {chosen === undefined ? 'any' : <Text>{names.customer(chosen) ?? chosen}</Text>}
        </span>
        <ChevronDown size={12} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="over" sideOffset={4} align="start" collisionPadding={8}>
          <Popover.Popup className="raised pop customerpick">
            <header>
              <Popover.Title className="unseen">Customer</Popover.Title>
              <span className="field grow">
                <input
                  type="search"
                  aria-label="Find a Customer"
                  placeholder="name or uid"
                  value={words}
                  spellCheck={false}
                  onChange={(event) => setWords(event.target.value)}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' && found[0]) choose(found[0])
                  }}
                />
              </span>
            </header>
            <PickList
              label="Customers"
              groups={[
                {
                  title: left > 0 ? `${formatCount(left)} more: type a part of the name` : 'Customers',
                  items: offered,
                },
              ]}
              idOf={({ uid }) => uid}
              selected={at}
              onSelect={(pick) => setAt(pick.uid)}
              onOpen={() => {
                const pick = offered.find(({ uid }) => uid === at)
                if (pick) choose(pick)
              }}
              draw={(pick) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: by keys the list itself chooses, with Enter.
                // biome-ignore lint/a11y/useKeyWithClickEvents: by keys the list itself chooses, with Enter.
                <span className="cut" title={escapeControls(pick.name.slice(0, 255))} onClick={() => choose(pick)}>
                  <Text>{pick.name}</Text>
                </span>
              )}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
