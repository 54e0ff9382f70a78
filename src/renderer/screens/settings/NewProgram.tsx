import { Plus } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { chooseProgram } from '../../data/use-program.ts'
import { errorText } from '../../format/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'
import { showProgram } from './SaveBar.tsx'

/** Creates a Program of the same Client, and switches to it. */
export function NewProgram() {
  const isRequested = useRoute((view) => view.params.part?.[0] === 'new')
  const [isOpen, setOpen] = useState(isRequested)
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isCreating, setCreating] = useState(false)
  const id = useId()
  useEffect(() => {
    if (isRequested) setOpen(true)
  }, [isRequested])
  const create = async (event: React.FormEvent) => {
    event.preventDefault()
    if (isCreating) return
    if (name.trim() === '') return setError('A name is expected, e.g. “Harbor Payments, staging”.')
    setCreating(true)
    try {
      const program = await sandbox['programs.create']({ name: name.trim() })
      showProgram(program)
      setOpen(false)
      setName('')
      chooseProgram(program.uid)
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setCreating(false)
    }
  }
  return (
    <Popover
      title="New Program"
      align="end"
      trigger={
        <Button>
          <Plus size={12} strokeWidth={2} aria-hidden="true" />
          New Program…
        </Button>
      }
      open={isOpen}
      onOpenChange={(to) => {
        setOpen(to)
        setError(null)
        if (!to && isRequested) useRoute.getState().filter('part', [])
      }}
    >
      <PopoverForm onSubmit={create}>
        <label htmlFor={id} className="data soft">
          Name
        </label>
        <TextInput
          id={id}
          value={name}
          invalid={error !== null}
          onChange={(event) => {
            setName(event.target.value)
            setError(null)
          }}
        />
        {error !== null && (
          <p className="data bad wrap" role="alert">
            {error}
          </p>
        )}
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
