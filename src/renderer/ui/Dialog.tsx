import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import { Row } from './Layout.tsx'
import surface from './Surface.module.css'

interface DialogShellProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onOpenChangeComplete?: (open: boolean) => void
  readonly label?: string
  readonly className?: string | undefined
  readonly backdropClassName?: string | undefined
  readonly wide?: boolean
  /** Returns whether the focus goes back to the previously focused element. */
  readonly finalFocus?: () => boolean
  readonly children: React.ReactNode
}

/** A dialog without styles. */
export function DialogShell(props: DialogShellProps) {
  const { open, onOpenChange, onOpenChangeComplete, label, className, backdropClassName, wide, finalFocus, children } =
    props
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} {...(onOpenChangeComplete ? { onOpenChangeComplete } : {})}>
      <Base.Portal>
        <Base.Backdrop className={backdropClassName} />
        <Base.Popup
          className={className}
          aria-label={label}
          data-wide={wide ? '' : undefined}
          {...(finalFocus ? { finalFocus } : {})}
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export const DialogClose = ({ children, label }: { children: React.ReactElement; label?: string }) => (
  <Base.Close render={children} aria-label={label} />
)

interface DialogProps {
  readonly title: string
  /** For a form beside its text. */
  readonly wide?: boolean
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly children: React.ReactNode
}

/** A modal dialog. */
export function Dialog({ title, wide = false, open, onOpenChange, children }: DialogProps) {
  return (
    <DialogShell
      open={open}
      onOpenChange={onOpenChange}
      className={cx(surface.surface, surface.above, surface.sheet)}
      wide={wide}
      backdropClassName={cx(surface.backdrop, surface.above)}
    >
      <Row gap={8} pad="4 12" least={32} line="bottom">
        <Base.Title>{title}</Base.Title>
        <DialogClose label="Close">
          <Button icon={X} bare small className="end" />
        </DialogClose>
      </Row>
      {children}
    </DialogShell>
  )
}
