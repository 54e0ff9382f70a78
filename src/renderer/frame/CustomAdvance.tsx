import { Popover } from '@base-ui/react/popover'
import { useId, useState } from 'react'
import type { AdvanceInput } from '../../api/contract/control.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { advance, advancePresets } from '../data/advance.ts'
import { useNow } from '../data/use-now.ts'
import { formatUtc } from '../format/time.ts'

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
    <Popover.Root
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        setError(null)
      }}
    >
      <Popover.Trigger className="btn">Custom…</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="over" sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup className="raised pop">
            <header>
              <Popover.Title>Advance the clock</Popover.Title>
            </header>
            <form className="body" onSubmit={submit}>
              <label htmlFor={field} className="data soft">
                A duration or an instant, in ISO 8601
              </label>
              <span className="row">
                <span className="field grow" data-wrong={error === null ? undefined : ''}>
                  <input
                    id={field}
                    className="mono"
                    value={text}
                    spellCheck={false}
                    autoComplete="off"
                    aria-invalid={error !== null}
                    aria-describedby={told}
                    onChange={(event) => {
                      setText(event.target.value)
                      setError(null)
                    }}
                  />
                </span>
                <button type="submit" className="btn" data-likeliest>
                  Advance
                </button>
              </span>
              <p
                id={told}
                role={error === null ? undefined : 'alert'}
                className={`data wrap ${error ? 'bad' : 'faint'}`}
              >
                {error ?? (
                  <>
                    For example <code>PT36H</code>, <code>P2W</code> or <code>{tomorrow}</code>.
                  </>
                )}
              </p>
              <span className="row">
                <button
                  type="button"
                  className="btn"
                  onClick={() => void run(advancePresets.idle.input, advancePresets.idle.goal)}
                >
                  Until nothing is due
                </button>
                <span className="meta">close of day aside</span>
                <ScreenLink screen="time" className="data end">
                  Agenda
                </ScreenLink>
              </span>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
