import { useId, useState } from 'react'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { useFeed } from '../../data/feed.ts'
import { formatIsoDate, newYork, parseNewYorkTime } from '../../format/time.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { FormGrid, Pane, PaneIntro } from '../../ui/Layout.tsx'

type ResetInput = MethodInput<'world.reset'>

/** Replaces the world with a fresh one. Seed, start and clock default to those of the present world. */
export function ResetWorld({ reset }: { reset: (input: ResetInput) => Promise<void> }) {
  const world = useFeed((feed) => feed.world)
  const clock = useFeed((feed) => feed.clock)
  const presentStart = Date.parse(world?.start ?? '2026-01-01T00:00:00.000Z')
  const present = {
    seed: world?.seed ?? '',
    date: formatIsoDate(presentStart),
    time: newYork(presentStart).time,
    mode: clock?.mode ?? 'frozen',
    pace: clock?.pace ?? 'fast',
  }
  const [kind, setKind] = useState<ResetInput['world']>('demo')
  const [typed, setTyped] = useState<Partial<typeof present>>({})
  const id = useId()
  const { seed, date, time, mode, pace } = { ...present, ...typed }
  const hasNewStart = typed.date !== undefined || typed.time !== undefined
  const start = hasNewStart ? parseNewYorkTime(date, time) : presentStart
  const isSeedInvalid = seed.length < 1 || seed.length > 200
  const error = isSeedInvalid
    ? 'Enter a seed of 1 to 200 characters.'
    : start === null
      ? 'Enter a date and a time that exist in New York. The start of daylight saving time skips an hour.'
      : null
  const fields = [
    ['seed', 'Seed', 'text', isSeedInvalid],
    ['date', 'Start, date ET', 'date', start === null],
    ['time', 'Start, time ET', 'time', start === null],
  ] as const
  const choices = [
    ['mode', 'Clock', ['running', 'frozen']],
    ['pace', 'Pace', ['fast', 'real']],
  ] as const
  return (
    <Pane aria-label="Start over">
      <PaneIntro>
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
        <FormGrid style={{ '--labels': '80px' }}>
          {fields.map(([name, label, type, isInvalid]) => [
            <label key={`${name} label`} htmlFor={id + name}>
              {label}
            </label>,
            <TextInput
              key={name}
              id={id + name}
              style={{ maxWidth: 320 }}
              type={type}
              step={type === 'time' ? 1 : undefined}
              value={{ seed, date, time }[name]}
              invalid={isInvalid}
              aria-describedby={`${id}error`}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
            />,
          ])}
        </FormGrid>
        {choices.map(([name, legend, values]) => (
          <Choice
            key={name}
            legend={legend}
            inline
            legendWidth={72}
            options={values.map((value) => ({ value, label: value }))}
            value={{ mode, pace }[name]}
            onChange={(to) => setTyped({ ...typed, [name]: to })}
          />
        ))}
        <p id={`${id}error`} className="data bad" role={error === null ? undefined : 'alert'}>
          {error}
        </p>
        {error === null && (
          <span className="row">
            <Confirm
              label="Start over…"
              title={`Start over with a fresh ${kind} world?`}
              action="Start over"
              onConfirm={() => void reset({ world: kind, seed, start: new Date(start!).toISOString(), mode, pace })}
            >
              A fresh world replaces this one. This world stays in the history: Undo or a rewind restores it. Snapshots,
              scenarios and the request log stay. Trace ids are forgotten, so that the same requests can be sent again.
            </Confirm>
          </span>
        )}
      </PaneIntro>
    </Pane>
  )
}
