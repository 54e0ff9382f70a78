import { Popover as Base } from '@base-ui/react/popover'
import { X } from 'lucide-react'
import { Button } from './Button.tsx'
import { type BoxProps, Row, Stack } from './Layout.tsx'
import surface from './Surface.module.css'

interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: React.ReactElement
  readonly title: string
  /** Shown in the header instead of the title; screen readers still read the title. */
  readonly header?: React.ReactNode
  readonly icon?: React.ReactNode
  readonly closable?: boolean
  readonly wide?: boolean
  /** At the right edge of the screen and as high as it, so that what it is about stays visible. */
  readonly pane?: boolean
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly open?: boolean
  readonly defaultOpen?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Opens after the pointer has been on the trigger for this long, in ms. */
  readonly hoverDelay?: number
  readonly children: React.ReactNode
}

const AT_EDGE = {
  side: 'left',
  align: 'start',
  collisionPadding: 0,
  anchor: {
    getBoundingClientRect() {
      const { right, top, height } = document.querySelector('main')!.getBoundingClientRect()
      return new DOMRect(right, top, 0, height)
    },
  },
} as const
const WHOLE_HEIGHT = { height: 'var(--anchor-height)', overflow: 'auto' } as const

export function Popover(props: PopoverProps) {
  const { trigger, title, header, icon, closable, wide, pane, side = 'bottom', align = 'start', children } = props
  const { open, defaultOpen = false, onOpenChange, hoverDelay } = props
  return (
    <Base.Root {...(open === undefined ? { defaultOpen } : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Base.Trigger render={trigger} {...(hoverDelay === undefined ? {} : { openOnHover: true, delay: hoverDelay })} />
      <Base.Portal>
        <Base.Positioner
          className={surface.above}
          {...(pane ? AT_EDGE : { side, align, sideOffset: 4, collisionPadding: 8 })}
        >
          <Base.Popup className={surface.surface} style={{ width: wide ? 416 : 344, ...(pane ? WHOLE_HEIGHT : {}) }}>
            <Row gap={8} pad="4 12" least={32} line="bottom">
              {icon}
              <Base.Title className={header ? 'unseen' : 'wrap'}>{title}</Base.Title>
              {header}
              {closable && (
                <Base.Close render={<Button bare iconOnly small className="end" />} aria-label="Close">
                  <X size={13} aria-hidden="true" />
                </Base.Close>
              )}
            </Row>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** The content of a popover. */
export const PopoverBody = (props: BoxProps) => <Stack gap={8} pad={12} {...props} />

export const PopoverForm = (props: BoxProps) => <PopoverBody as="form" {...props} />

/** A button that closes the popover around it. */
export const PopoverClose = ({ children }: { children: React.ReactElement }) => <Base.Close render={children} />

export const PopoverText = ({ children }: { children: React.ReactNode }) => (
  <Base.Description className="data soft">{children}</Base.Description>
)

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
