import { ChevronDown } from 'lucide-react'
import { useRoute } from '../../data/route.ts'
import { formatAmount } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { FormGrid } from '../../ui/Layout.tsx'
import { Popover, PopoverBody } from '../../ui/Popover.tsx'

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
