import { useId } from 'react'
import type { Program } from '../../data/feed.ts'
import { SettingInput } from '../../forms/SettingInput.tsx'
import { Table } from '../../ui/Table.tsx'
import type { Draft } from './draft.ts'
import { formatTypedAmount, type Setting } from './fields.ts'
import styles from './LimitsTable.module.css'
import { Problem } from './Row.tsx'
import { ChangedFrom } from './SettingRow.tsx'
import { useSetting } from './use-setting.ts'
import type { FieldErrors } from './validation.ts'

interface LimitsTableProps {
  /** One row for each limit, one column for each rail. */
  readonly settings: readonly Setting[]
  readonly program: Program
  readonly draft: Draft
  readonly errors: FieldErrors
}

const railOf = ({ path }: Setting) => path.split('.')[1]!

/** The limits of all rails side by side. */
export function LimitsTable({ settings, program, draft, errors }: LimitsTableProps) {
  const rails = [...new Set(settings.map(railOf))]
  const labels = [...new Set(settings.map(({ label }) => label))]
  const find = (rail: string, label: string) => settings.find((one) => railOf(one) === rail && one.label === label)
  return (
    <div className={styles.limits}>
      <Table headers={[{ label: 'Limit', width: '34%' }, ...rails.map((label) => ({ label, right: true }))]}>
        {labels.map((label) => (
          <tr key={label}>
            <td>
              {label}
              <p className="meta">
                {find(rails[0]!, label)?.description}. Section {find(rails[0]!, label)?.section}.
              </p>
            </td>
            {rails.map((rail) => {
              const setting = find(rail, label)
              return setting === undefined ? (
                <td key={rail}>–</td>
              ) : (
                <LimitCell key={rail} setting={setting} program={program} draft={draft} error={errors[setting.path]} />
              )
            })}
          </tr>
        ))}
      </Table>
    </div>
  )
}

interface LimitCellProps extends Pick<LimitsTableProps, 'program' | 'draft'> {
  readonly setting: Setting
  readonly error: string | undefined
}

function LimitCell({ setting, program, draft, error }: LimitCellProps) {
  const id = useId()
  const { value, saved, isChanged, set } = useSetting(setting, program, draft)
  const { label, shape } = setting
  const showsAmount = shape.kind === 'amount' && error === undefined && value !== null && value !== ''
  return (
    <td data-right="" data-changed={isChanged ? '' : undefined}>
      <label htmlFor={id} className="unseen">
        {railOf(setting)} {label}
      </label>
      <SettingInput
        id={id}
        shape={shape}
        value={value}
        onChange={set}
        invalid={error !== undefined}
        describedBy={`${id}?`}
        placeholder="no limit"
      />
      <div id={`${id}?`}>
        {showsAmount && <span className="meta">{formatTypedAmount(String(value))} USD</span>}
        <Problem>{error}</Problem>
      </div>
      {isChanged && <ChangedFrom saved={saved} reset={() => set(saved)} />}
    </td>
  )
}
