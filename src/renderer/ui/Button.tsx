import type { LucideIcon } from 'lucide-react'
import styles from './Button.module.css'
import { cx } from './cx.ts'

export interface ButtonStyle {
  /** Filled: the main action. At most one per screen. */
  readonly primary?: boolean | undefined
  /** Without border and background. */
  readonly bare?: boolean | undefined
  readonly small?: boolean | undefined
  /** Square, with only an icon. Needs an `aria-label`. */
  readonly iconOnly?: boolean | undefined
}

/** The class and attributes of a button, for links and triggers that look like one. */
export const buttonAttributes = ({ primary, bare, small, iconOnly }: ButtonStyle, className?: string) => ({
  className: cx(styles.button, className),
  'data-primary': primary ? '' : undefined,
  'data-bare': bare ? '' : undefined,
  'data-icon': iconOnly ? '' : undefined,
  'data-small': small ? '' : undefined,
})

interface ButtonProps extends ButtonStyle, React.ComponentProps<'button'> {
  /** Before the label. Without a label the button is square. */
  readonly icon?: LucideIcon | undefined
  /** Why it cannot be pressed now: its tooltip. */
  readonly whyNot?: string | undefined
}

const ignoreClick = (event: React.MouseEvent) => event.preventDefault()

export function Button({ icon, whyNot, primary, bare, small, className, children, ...button }: ButtonProps) {
  const { iconOnly = icon !== undefined && children === undefined, ...rest } = button
  return (
    <button
      type="button"
      {...buttonAttributes({ primary, bare, small, iconOnly }, className)}
      {...rest}
      {...(whyNot === undefined ? {} : { 'aria-disabled': true, title: whyNot, onClick: ignoreClick })}
    >
      {icon && <ButtonIcon of={icon} size={iconOnly ? 13 : 12} />}
      {children}
    </button>
  )
}

/** The icon before the label of a button, or of a link that looks like one. */
export const ButtonIcon = ({ of: Icon, size = 12 }: { of: LucideIcon; size?: number }) => (
  <Icon size={size} strokeWidth={1.8} aria-hidden="true" />
)

/** A button without styles, styled by its users. */
export const PlainButton = (props: React.ComponentProps<'button'>) => <button type="button" {...props} />

/** Buttons side by side with shared borders. */
export const ButtonGroup = ({ children }: { children: React.ReactNode }) => (
  <span className={styles.group}>{children}</span>
)
