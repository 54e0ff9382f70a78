import { useId, useState } from 'react'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { useFeed } from '../../data/feed.ts'
import { formatIsoDate, newYork, parseNewYorkTime } from '../../format/time.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { cx } from '../../ui/cx.ts'
import { TextInput } from '../../ui/Field.tsx'
import { FormGrid, introClass, Pane } from '../../ui/Layout.tsx'
import styles from './ResetWorld.module.css'

type ResetInput = MethodInput<'world.reset'>

/** Replaces the world with a fresh one. Seed, start and clock default to those of the present world. */
export function ResetWorld({ reset }: { reset: (input: ResetInput) => Promise<void> }) {
  const world = useFeed((feed) => feed.world)
  const clock = useFeed((feed) => feed.clock)
  const start = Date.parse(world?.start ?? '2026-01-01T00:00:00.000Z')
  const [kind, setKind] = useState<ResetInput['world']>('demo')
  const [typed, setTyped] = useState<{ seed?: string; date?: string; time?: string; mode?: string; pace?: string }>({})
  const id = useId()
  const seed = typed.seed ?? world?.seed ?? ''
  const date = typed.date ?? formatIsoDate(start)
  const time = typed.time ?? newYork(start).time
  const mode = typed.mode ?? clock?.mode ?? 'frozen'
  const pace = typed.pace ?? clock?.pace ?? 'fast'
  const hasNewStart = typed.date !== undefined || typed.time !== undefined
  const at = hasNewStart ? parseNewYorkTime(date, time) : start
  const isSeedInvalid = seed.length < 1 || seed.length > 200
  const error = isSeedInvalid
    ? 'Enter a seed of 1 to 200 characters.'
    : at === null
      ? 'Enter a date and a time that exist in New York. The start of daylight saving time skips an hour.'
      : null
  const submit = () =>
    reset({
      world: kind,
      seed,
      start: new Date(at!).toISOString(),
      mode: mode === 'running' ? 'running' : 'frozen',
      pace: pace === 'real' ? 'real' : 'fast',
    })
  const input = (name: 'seed' | 'date' | 'time', type: string, isInvalid: boolean) => (
    <TextInput
      id={`${id}${name}`}
      className={styles.field}
      type={type}
      step={type === 'time' ? 1 : undefined}
      value={{ seed, date, time }[name]}
      invalid={isInvalid}
      aria-invalid={isInvalid}
      aria-describedby={`${id}error`}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
    />
  )
  return (
    <Pane className={cx(introClass, styles.pane)} aria-label="Start over">
      <h2>Start over</h2>
      <p className="soft">
        Replaces this world with a fresh one. The same seed, start and requests produce the same uids again.
      </p>
      <Choice
        legend="World"
        options={[
          { value: 'demo', label: 'demo', hint: 'a Program with Customers, accounts and a month of history' },
          { value: 'empty', label: 'empty', hint: 'one Program, without Customers' },
        ]}
        value={kind}
        onChange={setKind}
      />
      <FormGrid data-names>
        <label htmlFor={`${id}seed`}>Seed</label>
        {input('seed', 'text', isSeedInvalid)}
        <label htmlFor={`${id}date`}>Start, date ET</label>
        {input('date', 'date', at === null)}
        <label htmlFor={`${id}time`}>Start, time ET</label>
        {input('time', 'time', at === null)}
      </FormGrid>
      <Choice
        legend="Clock"
        inline
        options={[
          { value: 'running', label: 'running' },
          { value: 'frozen', label: 'frozen' },
        ]}
        value={mode}
        onChange={(to) => setTyped({ ...typed, mode: to })}
      />
      <Choice
        legend="Pace"
        inline
        options={[
          { value: 'fast', label: 'fast' },
          { value: 'real', label: 'real' },
        ]}
        value={pace}
        onChange={(to) => setTyped({ ...typed, pace: to })}
      />
      <p id={`${id}error`} className="data bad" role={error === null ? undefined : 'alert'}>
        {error}
      </p>
      {error === null && (
        <span className="row">
          <Confirm
            label="Start over…"
            title={`Start over with a fresh ${kind} world?`}
            action="Start over"
            onConfirm={() => void submit()}
          >
            A fresh world replaces this one. This world stays in the history: Undo or a rewind restores it. Snapshots,
            scenarios and the request log stay. Trace ids are forgotten, so that the same requests can be sent again.
          </Confirm>
        </span>
      )}
    </Pane>
  )
}
