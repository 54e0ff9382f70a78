import { lazy, Suspense, useState } from 'react'
import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import { advanceAction, advanceInput } from '../actions/clock.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { advance } from '../data/advance.ts'
import { submitting } from '../data/use-action.ts'
import { useNow } from '../data/use-now.ts'
import { formatUtc } from '../format/time.ts'
import { Stack } from '../ui/Box.tsx'
import { Button } from '../ui/Button.tsx'
import { OneField } from '../ui/OneField.tsx'
import { Popover } from './late.tsx'

/** Loaded with the popover. */
const LastAdvance = lazy(async () => ({ default: (await import('./LastAdvance.tsx')).LastAdvance }))

/** Advances by a duration, to a time, or until nothing is due. The sandbox reads the text; its error is shown here. */
export function CustomAdvance() {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('1 day')
  const [error, setError] = useState<string | null>(null)
  const now = useNow(60_000)

  const run = async (input: AdvanceInput, goal: string) => {
    const refusal = await advance(input, goal, { showsError: false, showsGoal: false })
    setError(refusal)
    if (refusal === null) setOpen(false)
  }
  return (
    <Popover
      trigger={<Button>Custom…</Button>}
      title="Advance the clock"
      align="end"
      open={open}
      onOpenChange={(isOpen) => {
        setOpen(isOpen)
        setError(null)
      }}
    >
      <Stack as="form" gap={8} pad={12} onSubmit={submitting(() => run({ text }, text.trim()))}>
        <OneField
          label="A duration or a time in New York"
          mono
          value={text}
          error={error}
          onChange={(to) => {
            setText(to)
            setError(null)
          }}
          note={
            <>
              For example <code>8 business days</code>, <code>monday 9:00</code>, <code>PT36H</code> or{' '}
              <code>{formatUtc(now + DAY_MS)}</code>.
            </>
          }
        >
          <Button type="submit" primary>
            Advance
          </Button>
        </OneField>
        <span className="row">
          <Button onClick={() => void run(advanceInput('idle'), advanceAction('idle').label!)}>
            Until nothing is due
          </Button>
          <span className="meta">except the daily close</span>
          <ScreenLink screen="time" className="data end">
            Time
          </ScreenLink>
        </span>
        <Suspense fallback={null}>
          <LastAdvance />
        </Suspense>
      </Stack>
    </Popover>
  )
}

const DAY_MS = 86_400_000
