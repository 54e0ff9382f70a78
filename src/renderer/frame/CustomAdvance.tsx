import { useId, useState } from 'react'
import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { advance, advancePresets } from '../data/advance.ts'
import { useNow } from '../data/use-now.ts'
import { formatUtc } from '../format/time.ts'
import { Button } from '../ui/Button.tsx'
import { TextInput } from '../ui/Field.tsx'
import { Popover, PopoverForm } from '../ui/Popover.tsx'

/** Advances by a duration, to an instant, or until nothing is due. The API validates the input; its error is shown here. */
export function CustomAdvance() {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('P1D')
  const [error, setError] = useState<string | null>(null)
  const inputId = useId()
  const noteId = useId()
  const tomorrow = formatUtc(useNow(60_000) + 86_400_000)

  const run = async (input: AdvanceInput, goal: string) => {
    const refusal = await advance(input, goal, true)
    setError(refusal)
    if (refusal === null) setOpen(false)
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const value = text.trim()
    if (!/^[p\d]/i.test(value))
      return setError(`“${value}” was found; a duration such as PT36H or an instant such as ${tomorrow} is expected.`)
    void (/^p/i.test(value) ? run({ by: value.toUpperCase() }, value.toUpperCase()) : run({ to: value }, 'Advance'))
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
      <PopoverForm onSubmit={submit}>
        <label htmlFor={inputId} className="data soft">
          A duration or an instant, in ISO 8601
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
              For example <code>PT36H</code>, <code>P2W</code> or <code>{tomorrow}</code>.
            </>
          )}
        </p>
        <span className="row">
          <Button onClick={() => void run(advancePresets.idle.input, advancePresets.idle.goal)}>
            Until nothing is due
          </Button>
          <span className="meta">except the daily close</span>
          <ScreenLink screen="time" className="data end">
            Agenda
          </ScreenLink>
        </span>
      </PopoverForm>
    </Popover>
  )
}
