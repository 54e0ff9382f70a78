import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRoute } from '../../data/route.ts'
import { sandbox, submitting, useAction } from '../../data/sandbox.ts'
import { chooseProgram } from '../../data/use-program.ts'
import { errorText } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { OneField } from '../../ui/Field.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'
import { showProgram } from './undoable.tsx'

/** Creates a Program of the same Client, and switches to it. */
export function NewProgram() {
  const isRequested = useRoute((view) => view.params.part?.[0] === 'new')
  const [isOpen, setOpen] = useState(isRequested)
  const [name, setName] = useState('')
  const [nameError, setNameError] = useState<string | null>(null)
  const { run, error, reset } = useAction(async () => {
    const program = await sandbox['programs.create']({ name: name.trim() })
    showProgram(program)
    setOpen(false)
    setName('')
    chooseProgram(program.uid)
  })
  useEffect(() => {
    if (isRequested) setOpen(true)
  }, [isRequested])
  const forgetErrors = () => {
    setNameError(null)
    reset()
  }
  return (
    <Popover
      title="New Program"
      align="end"
      trigger={<Button icon={Plus}>New Program…</Button>}
      open={isOpen}
      onOpenChange={(to) => {
        setOpen(to)
        forgetErrors()
        if (!to && isRequested) useRoute.getState().filter('part', [])
      }}
    >
      <PopoverForm
        onSubmit={submitting(() =>
          name.trim() === '' ? setNameError('A name is expected, e.g. “Harbor Payments, staging”.') : run(),
        )}
      >
        <OneField
          label="Name"
          value={name}
          error={nameError ?? (error === undefined ? null : errorText(error))}
          onChange={(to) => {
            setName(to)
            forgetErrors()
          }}
        />
        <p className="data soft">
          It starts with the settings, Products and Synthetic Account Types of the demo Program and with its own HMAC
          key. It does not see the records of other Programs.
        </p>
        <span className="row">
          <Button type="submit" primary>
            Create
          </Button>
        </span>
      </PopoverForm>
    </Popover>
  )
}
