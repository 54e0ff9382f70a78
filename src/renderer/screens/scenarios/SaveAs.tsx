import { useState } from 'react'
import { ScenarioName } from '../../../api/contract/control/scenarios.ts'
import { LIBRARY_SCHEMA_LINE, SCHEMA_LINE } from '../../../api/contract/scenarios.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { errorText } from '../../format/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { OneField } from '../../ui/OneField.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'
import { saveScenario } from './runner.ts'

interface SaveAsProps {
  readonly label: string
  readonly suggested: string
  readonly taken: readonly string[]
  readonly text: string
  readonly onSaved: (name: string) => void
  readonly primary?: boolean
  /** Why the text cannot be saved now. */
  readonly whyNot?: string | undefined
}

/** Saves a text as a scenario of the user, under a name that is also the file name. */
export function SaveAs({ label, suggested, taken, text, onSaved, primary = false, whyNot }: SaveAsProps) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState(suggested)
  const [nameError, setNameError] = useState<string | null>(null)
  const save = useAction(async () => {
    // A copy is in another folder than the library.
    await saveScenario(name, text.replace(LIBRARY_SCHEMA_LINE, SCHEMA_LINE))
    setOpen(false)
    onSaved(name)
  })
  const forgetErrors = () => {
    setNameError(null)
    save.reset()
  }
  const submit = () => {
    const issue = ScenarioName.safeParse(name).error?.issues[0]
    return issue ? setNameError(issue.message) : save.run()
  }
  const isTaken = taken.includes(name)
  const button = (
    <Button primary={primary} whyNot={whyNot}>
      {label}
    </Button>
  )
  if (whyNot !== undefined) return button
  return (
    <Popover
      trigger={button}
      title="Save scenario"
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        forgetErrors()
        if (to) setName(suggested)
      }}
    >
      <PopoverForm onSubmit={submitting(submit)}>
        <OneField
          label="File name, without extension"
          mono
          value={name}
          error={nameError ?? (save.error === undefined ? null : errorText(save.error))}
          note={isTaken ? `Replaces your scenario ${name}.` : 'Use letters, digits, dots and dashes.'}
          onChange={(to) => {
            setName(to.trim())
            forgetErrors()
          }}
        >
          <Button type="submit" primary>
            {isTaken ? 'Replace' : 'Save'}
          </Button>
        </OneField>
      </PopoverForm>
    </Popover>
  )
}
