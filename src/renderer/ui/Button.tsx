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
  /** Before the text. Without a text the button is square. */
  readonly icon?: LucideIcon | undefined
}

export function Button({ icon: Icon, primary, bare, small, className, children, ...button }: ButtonProps) {
  const { iconOnly = Icon !== undefined && children === undefined, ...rest } = button
  return (
    <button type="button" {...buttonAttributes({ primary, bare, small, iconOnly }, className)} {...rest}>
      {Icon && <Icon size={iconOnly ? 13 : 12} strokeWidth={1.8} aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A button without styles, styled by its users. */
export const PlainButton = (props: React.ComponentProps<'button'>) => <button type="button" {...props} />

/** Buttons side by side with shared borders. */
export const ButtonGroup = ({ children }: { children: React.ReactNode }) => (
  <span className={styles.group}>{children}</span>
)
