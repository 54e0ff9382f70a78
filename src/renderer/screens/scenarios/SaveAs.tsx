import { useId, useState } from 'react'
import { ScenarioName } from '../../../api/contract/control/scenarios.ts'
import { LIBRARY_SCHEMA_LINE, SCHEMA_LINE } from '../../../api/contract/scenarios.ts'
import { errorText } from '../../format/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'
import { saveScenario } from './runner.ts'

interface SaveAsProps {
  readonly label: string
  readonly suggested: string
  readonly taken: readonly string[]
  readonly text: string
  readonly onSaved: (name: string) => void
  readonly primary?: boolean
}

/** Saves a text as a scenario of the user, under a name that is also the file name. */
export function SaveAs({ label, suggested, taken, text, onSaved, primary = false }: SaveAsProps) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState(suggested)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useId()
  const note = useId()
  const nameError = ScenarioName.safeParse(name).error?.issues[0]?.message ?? null
  const isTaken = taken.includes(name)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (nameError !== null) return setFailure(nameError)
    try {
      // A copy is in another folder than the library.
      await saveScenario(name, text.replace(LIBRARY_SCHEMA_LINE, SCHEMA_LINE))
      setOpen(false)
      onSaved(name)
    } catch (error) {
      setFailure(errorText(error))
    }
  }
  return (
    <Popover
      trigger={<Button primary={primary}>{label}</Button>}
      title="Save scenario"
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        setFailure(null)
        if (to) setName(suggested)
      }}
    >
      <PopoverForm onSubmit={submit}>
        <label htmlFor={field} className="data soft">
          File name, without extension
        </label>
        <span className="row">
          <TextInput
            id={field}
            className="grow"
            mono
            invalid={failure !== null}
            value={name}
            aria-invalid={failure !== null}
            aria-describedby={note}
            onChange={(event) => {
              setName(event.target.value.trim())
              setFailure(null)
            }}
          />
          <Button type="submit" primary>
            {isTaken ? 'Replace' : 'Save'}
          </Button>
        </span>
        <p id={note} role={failure === null ? undefined : 'alert'} className={`data ${failure ? 'bad' : 'faint'}`}>
          {failure ?? (isTaken ? `Replaces your scenario ${name}.` : 'Use letters, digits, dots and dashes.')}
        </p>
      </PopoverForm>
    </Popover>
  )
}
