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

type Beginning = MethodInput<'world.reset'>

/** A fresh world in the place of this one, of the same seed, start and clock unless others are given. */
export function ResetWorld({ reset }: { reset: (input: Beginning) => Promise<void> }) {
  const world = useFeed((feed) => feed.world)
  const clock = useFeed((feed) => feed.clock)
  const start = Date.parse(world?.start ?? '2026-01-01T00:00:00.000Z')
  const [kind, setKind] = useState<Beginning['world']>('demo')
  const [change, setChange] = useState<{ seed?: string; date?: string; time?: string; mode?: string; pace?: string }>(
    {},
  )
  const id = useId()
  const seed = change.seed ?? world?.seed ?? ''
  const date = change.date ?? formatIsoDate(start)
  const time = change.time ?? newYork(start).time
  const mode = change.mode ?? clock?.mode ?? 'frozen'
  const pace = change.pace ?? clock?.pace ?? 'fast'
  const moved = change.date !== undefined || change.time !== undefined
  const at = moved ? parseNewYorkTime(date, time) : start
  const wrong =
    seed.length < 1 || seed.length > 200
      ? 'A seed is 1 to 200 letters.'
      : at === null
        ? 'A date and a time that the clocks of New York show are expected.'
        : null
  const begin = () =>
    reset({
      world: kind,
      seed,
      start: new Date(at!).toISOString(),
      mode: mode === 'running' ? 'running' : 'frozen',
      pace: pace === 'real' ? 'real' : 'fast',
    })
  const text = (name: 'seed' | 'date' | 'time', type: string, bad: boolean) => (
    <TextInput
      id={`${id}${name}`}
      className={styles.field}
      type={type}
      step={type === 'time' ? 1 : undefined}
      value={{ seed, date, time }[name]}
      invalid={bad}
      aria-invalid={bad}
      aria-describedby={`${id}told`}
      onChange={(event) => setChange({ ...change, [name]: event.target.value })}
    />
  )
  const badSeed = seed.length < 1 || seed.length > 200
  return (
    <Pane className={cx(introClass, styles.pane)} aria-label="Begin again">
      <h2>Begin again</h2>
      <p className="soft">
        A fresh world in the place of this one. One seed, start and record give the same uids again.
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
        {text('seed', 'text', badSeed)}
        <label htmlFor={`${id}date`}>Start, date ET</label>
        {text('date', 'date', at === null)}
        <label htmlFor={`${id}time`}>Start, time ET</label>
        {text('time', 'time', at === null)}
      </FormGrid>
      <Choice
        legend="Clock"
        inline
        options={[
          { value: 'running', label: 'running' },
          { value: 'frozen', label: 'frozen' },
        ]}
        value={mode}
        onChange={(to) => setChange({ ...change, mode: to })}
      />
      <Choice
        legend="Pace"
        inline
        options={[
          { value: 'fast', label: 'fast' },
          { value: 'real', label: 'real' },
        ]}
        value={pace}
        onChange={(to) => setChange({ ...change, pace: to })}
      />
      <p id={`${id}told`} className="data bad" role={wrong === null ? undefined : 'alert'}>
        {wrong}
      </p>
      {wrong === null && (
        <span className="row">
          <Confirm
            label="Begin again…"
            title={`Begin again with a fresh ${kind} world?`}
            act="Begin again"
            onConfirm={() => void begin()}
          >
            This world makes room. It stays in the history: Undo, or going back to an earlier moment, brings it back.
            Kept worlds, scenarios and the log of requests stay; the trace ids that were sent are forgotten, so that the
            same requests can be sent again.
          </Confirm>
        </span>
      )}
    </Pane>
  )
}
