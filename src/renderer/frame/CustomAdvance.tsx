import { useId, useState } from 'react'
import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { advance, advancePresets } from '../data/advance.ts'
import { useNow } from '../data/use-now.ts'
import { formatUtc } from '../format/time.ts'
import { Button } from '../ui/Button.tsx'
import { TextInput } from '../ui/Field.tsx'
import { Popover, PopoverForm } from '../ui/Popover.tsx'

/** Any duration, any instant, or until nothing is left to do. The API judges it; its words are shown here. */
export function CustomAdvance() {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('P1D')
  const [error, setError] = useState<string | null>(null)
  const field = useId()
  const told = useId()
  const tomorrow = formatUtc(useNow(60_000) + 86_400_000)

  const run = async (input: AdvanceInput, goal: string) => {
    const refused = await advance(input, goal, true)
    setError(refused)
    if (refused === null) setOpen(false)
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const given = text.trim()
    if (!/^[p\d]/i.test(given))
      return setError(`“${given}” was found; a duration such as PT36H or an instant such as ${tomorrow} is expected.`)
    void (/^p/i.test(given) ? run({ by: given.toUpperCase() }, given.toUpperCase()) : run({ to: given }, 'Advance'))
  }
  return (
    <Popover
      trigger={<Button>Custom…</Button>}
      title="Advance the clock"
      align="end"
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        setError(null)
      }}
    >
      <PopoverForm onSubmit={submit}>
        <label htmlFor={field} className="data soft">
          A duration or an instant, in ISO 8601
        </label>
        <span className="row">
          <TextInput
            id={field}
            className="grow"
            mono
            invalid={error !== null}
            value={text}
            aria-invalid={error !== null}
            aria-describedby={told}
            onChange={(event) => {
              setText(event.target.value)
              setError(null)
            }}
          />
          <Button type="submit" primary>
            Advance
          </Button>
        </span>
        <p id={told} role={error === null ? undefined : 'alert'} className={`data wrap ${error ? 'bad' : 'faint'}`}>
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
          <span className="meta">close of day aside</span>
          <ScreenLink screen="time" className="data end">
            Agenda
          </ScreenLink>
        </span>
      </PopoverForm>
    </Popover>
  )
}
