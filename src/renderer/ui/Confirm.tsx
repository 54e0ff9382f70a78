import { Popover } from '@base-ui/react/popover'

interface ConfirmProps {
  readonly label: string
  readonly title: string
  readonly act: string
  readonly onConfirm: () => void
  readonly children: React.ReactNode
}

/** Asks first, beside the button: for what nothing brings back. */
export function Confirm({ label, title, act, onConfirm, children }: ConfirmProps) {
  return (
    <Popover.Root>
      <Popover.Trigger className="btn">{label}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="over" sideOffset={4} align="start" collisionPadding={8}>
          <Popover.Popup className="raised pop">
            <header>
              <Popover.Title>{title}</Popover.Title>
            </header>
            <div className="body">
              <Popover.Description className="data soft">{children}</Popover.Description>
              <span className="row">
                <Popover.Close className="btn" onClick={onConfirm}>
                  {act}
                </Popover.Close>
                <Popover.Close className="btn" data-bare>
                  Keep it
                </Popover.Close>
              </span>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
