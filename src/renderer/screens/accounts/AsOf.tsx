import { Menu } from '@base-ui/react/menu'
import { Check, ChevronDown } from 'lucide-react'
import { useQuery } from '../../data/use-query.ts'
import { formatInstant, formatLongDay } from '../../format/time.ts'

interface AsOfProps {
  readonly program_uid: string | undefined
  readonly at: string | undefined
  readonly onChange: (at: string | undefined) => void
}

const DAYS = 20
const NOW = 'now'

/** Now, or an earlier close of day: what a close saw stands just before its instant. */
export function AsOf({ program_uid, at, onChange }: AsOfProps) {
  const { data } = useQuery('ledger.reconciliation', program_uid === undefined ? null : { program_uid, days: DAYS }, [
    'custodial_account_closing_balances',
  ])
  const closes = (data?.closes ?? []).flatMap(({ at: close, day }) => (day === null ? [] : [close])).reverse()
  const known = at === undefined || closes.includes(at) ? closes : [at, ...closes]
  return (
    <Menu.Root>
      <Menu.Trigger className="btn" data-on={at === undefined ? undefined : ''}>
        As of: {at === undefined ? NOW : nameOf(at, closes)}
        <ChevronDown size={12} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="over" sideOffset={4} align="end">
          <Menu.Popup className="raised menu">
            <Menu.RadioGroup
              value={at ?? NOW}
              onValueChange={(value: string) => onChange(value === NOW ? undefined : value)}
            >
              {[NOW, ...known].map((value) => (
                <Menu.RadioItem key={value} className="item" value={value} closeOnClick>
                  <span className="mark">
                    <Menu.RadioItemIndicator>
                      <Check size={13} aria-hidden="true" />
                    </Menu.RadioItemIndicator>
                  </span>
                  {value === NOW ? NOW : nameOf(value, closes)}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const nameOf = (at: string, closes: readonly string[]) =>
  closes.includes(at) ? `close of ${formatLongDay(Date.parse(at) - 1)}` : formatInstant(Date.parse(at))
