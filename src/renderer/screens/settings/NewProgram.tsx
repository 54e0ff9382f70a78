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

/** A further Program of the same Client; the window switches to it. */
export function NewProgram() {
  const asked = useRoute((view) => view.params.part?.[0] === 'new')
  const [open, setOpen] = useState(asked)
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [making, setMaking] = useState(false)
  const id = useId()
  useEffect(() => {
    if (asked) setOpen(true)
  }, [asked])
  const create = async (event: React.FormEvent) => {
    event.preventDefault()
    if (making) return
    if (name.trim() === '') return setError('A name is expected, as “Harbor Payments, staging”.')
    setMaking(true)
    try {
      const made = await sandbox['programs.create']({ name: name.trim() })
      showProgram(made)
      setOpen(false)
      setName('')
      chooseProgram(made.uid)
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setMaking(false)
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
      open={open}
      onOpenChange={(to) => {
        setOpen(to)
        setError(null)
        if (!to && asked) useRoute.getState().filter('part', [])
      }}
    >
      <PopoverForm onSubmit={create}>
        <label htmlFor={id} className="data soft">
          Its name
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
          It begins with the demonstration’s settings, Products and Synthetic Account Types, and a key of its own.
          Nothing of another Program is seen in it.
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
