import { useEffect } from 'react'
import { useRoute } from '../../data/route.ts'
import { useTrial } from '../../data/trying.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Tried } from './Tried.tsx'
import { Way } from './Way.tsx'

const setOpen = (open: boolean) => useTrial.setState({ open })

/** What calls would do in a copy of the world, or the steps to a goal. */
export function TryDialog() {
  const { open, trial } = useTrial()
  const { title, calls, goal } = trial
  // A link leads to a page below it.
  useEffect(() => useRoute.subscribe(() => setOpen(false)), [])
  return (
    <Dialog wide title={title} open={open} onOpenChange={setOpen}>
      {calls && <Tried calls={calls} />}
      {goal !== undefined && <Way goal={goal} />}
    </Dialog>
  )
}
