import { Popover } from '@base-ui/react/popover'
import { useId, useState } from 'react'
import { ScenarioName } from '../../../api/contract/control.ts'
import { errorText } from '../../format/errors.ts'
import { save } from './runner.ts'

interface SaveAsProps {
  readonly label: string
  readonly suggested: string
  readonly taken: readonly string[]
  readonly text: string
  readonly onSaved: (name: string) => void
  readonly likeliest?: boolean
}

/** Keeps a text as a scenario of one's own, under a name that is a file's as well. */
export function SaveAs({ label, suggested, taken, text, onSaved, likeliest = false }: SaveAsProps) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState(suggested)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useId()
  const told = useId()
  const bad = ScenarioName.safeParse(name).error?.issues[0]?.message ?? null
  const replaces = taken.includes(name)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (bad !== null) return setFailure(bad)
    try {
      await save(name, text)
      setOpen(false)
      onSaved(name)
    } catch (error) {
      setFailure(errorText(error))
    }
  }
  return (
    <Popover.Root
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        setFailure(null)
        if (to) setName(suggested)
      }}
    >
      <Popover.Trigger className="btn" data-likeliest={likeliest ? '' : undefined}>
        {label}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="over" sideOffset={4} align="start" collisionPadding={8}>
          <Popover.Popup className="raised pop">
            <header>
              <Popover.Title>Save as your own</Popover.Title>
            </header>
            <form className="body" onSubmit={submit}>
              <label htmlFor={field} className="data soft">
                Name of the file, without its ending
              </label>
              <span className="row">
                <span className="field grow" data-wrong={failure === null ? undefined : ''}>
                  <input
                    id={field}
                    className="mono"
                    value={name}
                    spellCheck={false}
                    autoComplete="off"
                    aria-invalid={failure !== null}
                    aria-describedby={told}
                    onChange={(event) => {
                      setName(event.target.value.trim())
                      setFailure(null)
                    }}
                  />
                </span>
                <button type="submit" className="btn" data-likeliest>
                  {replaces ? 'Replace' : 'Save'}
                </button>
              </span>
              <p
                id={told}
                role={failure === null ? undefined : 'alert'}
                className={`data ${failure ? 'bad' : 'faint'}`}
              >
                {failure ?? (replaces ? `Your own ${name} is replaced.` : 'Letters, digits, dots and dashes.')}
              </p>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
