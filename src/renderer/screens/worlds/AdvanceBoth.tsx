import { SkipForward } from 'lucide-react'
import { useState } from 'react'
import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { markChanged } from '../../data/feed.ts'
import { sandboxOf } from '../../data/sandbox.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { worldLabel } from '../../data/worlds.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { OneField } from '../../ui/OneField.tsx'
import { COMPARED } from './WorldSide.tsx'

/** Advances the clocks of both worlds by the same amount. */
export function AdvanceBoth({ worlds }: { worlds: readonly (string | null)[] }) {
  const [text, setText] = useState('1 business day')
  const { isBusy, result, error, run, reset } = useAction(async (input: AdvanceInput) => {
    // Refuses an amount that is not understood before either clock changes.
    await sandboxOf(worlds[0]!)['clock.preview'](input)
    const outcomes = await Promise.all(worlds.map((world) => advanceWorld(world, input)))
    markChanged(COMPARED)
    markChanged('worlds')
    return outcomes
  })
  return (
    <Stack
      as="form"
      gap={6}
      aria-label="Advance both worlds"
      onSubmit={submitting(() => text.trim() !== '' && run({ text }))}
    >
      <OneField
        label="Advance both by"
        value={text}
        placeholder="8 business days, 36h, monday 9:00"
        onChange={(to) => {
          setText(to)
          reset()
        }}
        error={error === undefined ? null : errorText(error)}
        note={result?.map(({ name, text, isError }) => (
          <p key={name} className={isError ? 'bad' : 'soft'}>
            {name}: {text}
          </p>
        ))}
      />
      <span className="row" data-tight>
        <Button type="submit" primary aria-disabled={isBusy || text.trim() === ''}>
          <SkipForward size={12} strokeWidth={1.8} aria-hidden="true" />
          {isBusy ? 'Advancing…' : 'Advance both'}
        </Button>
        <Button aria-disabled={isBusy} onClick={() => void run({ until: 'idle' })}>
          Until idle
        </Button>
      </span>
    </Stack>
  )
}

async function advanceWorld(world: string | null, input: AdvanceInput) {
  const name = worldLabel(world)
  try {
    const { ran } = await sandboxOf(world)['clock.advance'](input)
    return { name, text: `${plural(ran, 'task')} ran`, isError: false }
  } catch (error) {
    return { name, text: errorText(error), isError: true }
  }
}
