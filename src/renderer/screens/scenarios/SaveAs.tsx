import { useId, useState } from 'react'
import { ScenarioName } from '../../../api/contract/control/scenarios.ts'
import { errorText } from '../../format/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'
import { save } from './runner.ts'

interface SaveAsProps {
  readonly label: string
  readonly suggested: string
  readonly taken: readonly string[]
  readonly text: string
  readonly onSaved: (name: string) => void
  readonly primary?: boolean
}

/** Keeps a text as a scenario of one's own, under a name that is a file's as well. */
export function SaveAs({ label, suggested, taken, text, onSaved, primary = false }: SaveAsProps) {
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
    <Popover
      trigger={<Button primary={primary}>{label}</Button>}
      title="Save as your own"
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        setFailure(null)
        if (to) setName(suggested)
      }}
    >
      <PopoverForm onSubmit={submit}>
        <label htmlFor={field} className="data soft">
          Name of the file, without its ending
        </label>
        <span className="row">
          <TextInput
            id={field}
            className="grow"
            mono
            invalid={failure !== null}
            value={name}
            aria-invalid={failure !== null}
            aria-describedby={told}
            onChange={(event) => {
              setName(event.target.value.trim())
              setFailure(null)
            }}
          />
          <Button type="submit" primary>
            {replaces ? 'Replace' : 'Save'}
          </Button>
        </span>
        <p id={told} role={failure === null ? undefined : 'alert'} className={`data ${failure ? 'bad' : 'faint'}`}>
          {failure ?? (replaces ? `Your own ${name} is replaced.` : 'Letters, digits, dots and dashes.')}
        </p>
      </PopoverForm>
    </Popover>
  )
}
