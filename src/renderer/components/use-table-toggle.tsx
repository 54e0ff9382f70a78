import { useId, useState } from 'react'
import { Button } from '../ui/Button.tsx'

/** A picture also as a table: the button that shows it, and the place for it. */
export function useTableToggle() {
  const [isTable, setTable] = useState(false)
  const id = useId()
  const button = (
    <Button small aria-expanded={isTable} aria-controls={id} onClick={() => setTable(!isTable)}>
      {isTable ? 'Hide table' : 'Show as table'}
    </Button>
  )
  const showTable = (draw: () => React.ReactNode) => (
    <div id={id} hidden={!isTable}>
      {isTable && draw()}
    </div>
  )
  return { button, showTable }
}
