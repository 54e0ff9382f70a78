import { Row } from './Box.tsx'
import { Checkbox } from './Checkbox.tsx'

interface CheckboxGroupProps {
  readonly labelledBy: string
  readonly options: readonly { readonly value: string; readonly label: React.ReactNode }[]
  readonly value: readonly string[]
  /** In the order of the options. */
  readonly onChange: (value: string[]) => void
}

/** Chooses any number of a few options. */
export function CheckboxGroup({ labelledBy, options, value, onChange }: CheckboxGroupProps) {
  const toggle = (toggled: string) =>
    onChange(options.map((option) => option.value).filter((one) => value.includes(one) !== (one === toggled)))
  return (
    <Row role="group" aria-labelledby={labelledBy} wraps gap="0 16" align="stretch" style={MARGIN}>
      {options.length === 0 && <span className="faint">none</span>}
      {options.map((option) => (
        <Row key={option.value} as="label" gap={6}>
          <Checkbox checked={value.includes(option.value)} onChange={() => toggle(option.value)} />
          {option.label}
        </Row>
      ))}
    </Row>
  )
}

/** Around each checkbox, so that the rows of a group are as high as other inputs. */
const MARGIN = { '--box-margin': '5px 0' } as React.CSSProperties
