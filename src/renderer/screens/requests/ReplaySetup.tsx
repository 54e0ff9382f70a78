import { keepsGaps, type ReplayOptions, type ReplayTargetKind } from '../../data/replay-input.ts'
import { useQuery } from '../../data/use-query.ts'
import { LabelledCheckbox } from '../../ui/Checkbox.tsx'
import { Choice, type Option } from '../../ui/Choice.tsx'
import { Select } from '../../ui/Field.tsx'

interface ReplaySetupProps {
  readonly setup: ReplayOptions
  readonly onChange: (setup: ReplayOptions) => void
  /** What is replayed brings the world that it was recorded in. */
  readonly hasWorld: boolean
}

/** Where a replay goes, and whether time passes in it. */
export function ReplaySetup({ setup, onChange, hasWorld }: ReplaySetupProps) {
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots
  const usable = snapshots?.filter(({ trouble }) => trouble === undefined).map(({ name }) => name) ?? []
  const places: Option<ReplayTargetKind>[] = [
    {
      value: 'then',
      label: 'The world as it was then',
      hint: 'In a copy; the present world stays as it is.',
      whyNot: hasWorld ? undefined : 'A HAR file and curl lines hold no world.',
    },
    { value: 'present', label: 'The present world', hint: 'It goes on from there; Undo takes it back.' },
    {
      value: 'snapshot',
      label: 'A snapshot',
      hint: 'In a copy of it.',
      whyNot: usable.length > 0 ? undefined : 'None is kept.',
    },
    { value: 'demo', label: 'A fresh demo world', hint: 'Of the same seed and start.' },
    { value: 'empty', label: 'A fresh empty world', hint: 'One Program without Customers.' },
  ]
  return (
    <>
      <Choice
        legend="Where"
        options={places}
        value={setup.place}
        onChange={(place) => onChange({ ...setup, place, snapshot: setup.snapshot || (usable[0] ?? '') })}
      />
      {setup.place === 'snapshot' && (
        <Select
          aria-label="Snapshot"
          value={setup.snapshot}
          onChange={(event) => onChange({ ...setup, snapshot: event.target.value })}
        >
          {usable.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
      <LabelledCheckbox
        checked={keepsGaps(setup)}
        onChange={(event) => onChange({ ...setup, gaps: event.target.checked })}
      >
        With the time that passed between them
        <span className="hint">Simulated time moves on as it did in the record.</span>
      </LabelledCheckbox>
    </>
  )
}
