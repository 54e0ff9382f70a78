import { RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import type { WorldKind } from '../../../api/contract/control/worlds.ts'
import { call, perform } from '../../actions/action.ts'
import { describeRestore } from '../../actions/world.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { freshWorlds } from '../../data/worlds.ts'
import { formatIsoDate, newYork, parseNewYorkTime } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, TextInput } from '../../ui/Field.tsx'
import { FormGrid } from '../../ui/Layout.tsx'
import { Popover, PopoverBody, PopoverClose, PopoverText } from '../../ui/Popover.tsx'

const KIND_HINTS: Readonly<Record<WorldKind, string>> = {
  demo: 'a Program with Customers, accounts and a month of history',
  empty: 'one Program, without Customers',
  hosted: 'behaves as the hosted sandbox: a Program with two staged businesses',
}

/** Replaces the world with a fresh one. Seed, start and clock default to those of the present world. */
export function StartOver() {
  const reset = (input: MethodInput<'world.reset'>) =>
    perform({
      id: 'reset',
      icon: RotateCcw,
      title: 'Start over',
      failed: 'The world was not changed.',
      run: () =>
        call(
          sandbox['world.reset'](input),
          (done) => `Started over with ${freshWorlds[input.world]}. ${describeRestore(done)}`,
        ),
    })
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
  const kinds = world?.resets_to ?? []
  const [chosen, setChosen] = useState<WorldKind>()
  const kind = kinds.find((one) => one === chosen) ?? kinds[0] ?? 'demo'
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
    ['pace', 'Pace', clock?.paces ?? []],
  ] as const
  return (
    <Popover trigger={<Button icon={RotateCcw}>Start over…</Button>} title="Start over" wide>
      <PopoverBody>
        <PopoverText>
          A fresh world replaces this one. This world stays in the history: Undo or a rewind restores it. Snapshots,
          scenarios and the request log stay. Trace ids are forgotten, so that the same requests can be sent again. The
          same seed, start and requests produce the same uids again.
        </PopoverText>
        <Choice
          legend="World"
          options={kinds.map((value) => ({ value, label: value, hint: KIND_HINTS[value] }))}
          value={kind}
          onChange={setChosen}
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
          <PopoverClose>
            <Button
              primary
              onClick={() =>
                void reset({ world: kind, seed, start: new Date(start!).toISOString(), mode, pace: typed.pace })
              }
            >
              Start over
            </Button>
          </PopoverClose>
        )}
      </PopoverBody>
    </Popover>
  )
}
