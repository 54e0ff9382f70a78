import { ChevronDown } from 'lucide-react'
import { useQuery } from '../../data/use-query.ts'
import { formatInstant, formatLongDay } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioMenu } from '../../ui/Menu.tsx'

interface AsOfProps {
  readonly program_uid: string | undefined
  readonly at: string | undefined
  readonly onChange: (at: string | undefined) => void
}

const DAYS = 20
const NOW = 'now'

/** Shows the accounts as of now or of an earlier daily close. A close covers everything before its instant. */
export function AsOf({ program_uid, at, onChange }: AsOfProps) {
  const { data } = useQuery('ledger.reconciliation', program_uid === undefined ? null : { program_uid, days: DAYS }, [
    'custodial_account_closing_balances',
  ])
  const closes = (data?.closes ?? []).flatMap(({ at: close, day }) => (day === null ? [] : [close])).reverse()
  const instants = at === undefined || closes.includes(at) ? closes : [at, ...closes]
  return (
    <RadioMenu
      trigger={
        <Button>
          As of: {at === undefined ? NOW : formatClose(at, closes)}
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
      align="end"
      value={at ?? NOW}
      onChange={(value) => onChange(value === NOW ? undefined : value)}
      options={[NOW, ...instants].map((value) => ({ value, label: value === NOW ? NOW : formatClose(value, closes) }))}
    />
  )
}

const formatClose = (at: string, closes: readonly string[]) =>
  closes.includes(at) ? `close of ${formatLongDay(Date.parse(at) - 1)}` : formatInstant(Date.parse(at))
