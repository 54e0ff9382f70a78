import { Button } from './Button.tsx'
import { Popover, PopoverBody, PopoverClose, PopoverText } from './Popover.tsx'

interface ConfirmProps {
  readonly label: string
  readonly small?: boolean
  readonly title: string
  readonly action: string
  readonly onConfirm: () => void
  readonly children: React.ReactNode
}

/** A button that asks for confirmation in a popover, for actions that cannot be undone. */
export function Confirm({ label, small, title, action: act, onConfirm, children }: ConfirmProps) {
  return (
    <Popover trigger={<Button small={small}>{label}</Button>} title={title}>
      <PopoverBody>
        <PopoverText>{children}</PopoverText>
        <span className="row">
          <PopoverClose>
            <Button onClick={onConfirm}>{act}</Button>
          </PopoverClose>
          <PopoverClose>
            <Button bare>Cancel</Button>
          </PopoverClose>
        </span>
      </PopoverBody>
    </Popover>
  )
}
