import { keepsGaps, type ReplayOptions, type ReplayTargetKind } from '../../data/replay-input.ts'
import { useQuery } from '../../data/use-query.ts'
import { LabelledCheckbox } from '../../ui/Checkbox.tsx'
import { Choice, type Option } from '../../ui/Choice.tsx'
import { Select } from '../../ui/Field.tsx'

interface ReplaySetupProps {
  readonly setup: ReplayOptions
  readonly onChange: (setup: ReplayOptions) => void
  /** True if the recording comes with its world. */
  readonly hasWorld: boolean
}

/** The target of a replay, and whether simulated time passes between its requests. */
export function ReplaySetup({ setup, onChange, hasWorld }: ReplaySetupProps) {
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots
  const names = snapshots?.filter(({ trouble }) => trouble === undefined).map(({ name }) => name) ?? []
  const targets: Option<ReplayTargetKind>[] = [
    {
      value: 'then',
      label: 'The world at that time',
      hint: 'Uses a copy. The current world does not change.',
      disabledReason: hasWorld ? undefined : 'Only a bundle contains its world.',
    },
    { value: 'copy', label: 'A copy of the current world', hint: 'The current world does not change.' },
    { value: 'present', label: 'The current world', hint: 'Changes it. Undo rewinds it.' },
    {
      value: 'snapshot',
      label: 'A snapshot',
      hint: 'Uses a copy of it.',
      disabledReason: names.length > 0 ? undefined : 'There is no snapshot.',
    },
    { value: 'demo', label: 'A new demo world', hint: 'With the same seed and start time.' },
    { value: 'empty', label: 'A new empty world', hint: 'One Program, no Customers.' },
  ]
  return (
    <>
      <Choice
        legend="Target"
        options={targets}
        value={setup.place}
        onChange={(place) => onChange({ ...setup, place, snapshot: setup.snapshot || (names[0] ?? '') })}
      />
      {setup.place === 'snapshot' && (
        <Select
          aria-label="Snapshot"
          value={setup.snapshot}
          onChange={(event) => onChange({ ...setup, snapshot: event.target.value })}
        >
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
      <LabelledCheckbox
        checked={keepsGaps(setup)}
        onChange={(event) => onChange({ ...setup, gaps: event.target.checked })}
      >
        Keep the time between requests
        <span className="hint">Simulated time advances as it did in the recording.</span>
      </LabelledCheckbox>
    </>
  )
}
