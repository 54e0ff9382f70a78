import { useId, useState } from 'react'
import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import { advanceAction, advanceInput } from '../actions/clock.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { Undo } from '../components/Undo.tsx'
import { advance, useAdvanceResults } from '../data/advance.ts'
import { submitting } from '../data/use-action.ts'
import { useNow } from '../data/use-now.ts'
import { formatShortInstant, formatUtc } from '../format/time.ts'
import { Button } from '../ui/Button.tsx'
import { TextInput } from '../ui/Field.tsx'
import { Popover, PopoverForm } from '../ui/Popover.tsx'

/** Advances by a duration, to a time, or until nothing is due. The sandbox reads the text; its error is shown here. */
export function CustomAdvance() {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('1 day')
  const [error, setError] = useState<string | null>(null)
  const inputId = useId()
  const noteId = useId()
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
      <PopoverForm onSubmit={submitting(() => run({ text }, text.trim()))}>
        <label htmlFor={inputId} className="data soft">
          A duration or a time in New York
        </label>
        <span className="row">
          <TextInput
            id={inputId}
            className="grow"
            mono
            invalid={error !== null}
            value={text}
            aria-invalid={error !== null}
            aria-describedby={noteId}
            onChange={(event) => {
              setText(event.target.value)
              setError(null)
            }}
          />
          <Button type="submit" primary>
            Advance
          </Button>
        </span>
        <p id={noteId} role={error === null ? undefined : 'alert'} className={`data wrap ${error ? 'bad' : 'faint'}`}>
          {error ?? (
            <>
              For example <code>8 business days</code>, <code>monday 9:00</code>, <code>PT36H</code> or{' '}
              <code>{formatUtc(now + DAY_MS)}</code>.
            </>
          )}
        </p>
        <span className="row">
          <Button onClick={() => void run(advanceInput('idle'), advanceAction('idle').label!)}>
            Until nothing is due
          </Button>
          <span className="meta">except the daily close</span>
          <ScreenLink screen="time" className="data end">
            Time
          </ScreenLink>
        </span>
        <LastAdvance />
      </PopoverForm>
    </Popover>
  )
}

/** The last advance of this window, with its Undo. */
function LastAdvance() {
  const last = useAdvanceResults()[0]
  if (!last || last.ended === 'lost') return null
  return (
    <div className="data">
      <p className="meta">Last advance: to {formatShortInstant(Date.parse(last.to))}</p>
      <Undo key={last.id} what="the last advance" before={last.before} seq={last.seq} />
    </div>
  )
}

const DAY_MS = 86_400_000
