import { Check, Copy, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
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

interface CopyButtonProps {
  readonly text: string | (() => string)
  /** What is copied, for screen readers and the tooltip, e.g. "Base URL". */
  readonly what: string
  /** Shown next to the icon. */
  readonly label?: string
  readonly primary?: boolean
  readonly small?: boolean
  /** Inside a table, which is one tab stop. */
  readonly inTable?: boolean
}

const RESULT_MS = 1_500

export function CopyButton({ text, what, label, primary, small, inTable }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (result === null) return
    const timer = setTimeout(() => setResult(null), RESULT_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async (event: React.MouseEvent) => {
    event.stopPropagation()
    setResult((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'failed')
  }
  const Icon = result === 'copied' ? Check : Copy
  return (
    <Button
      icon={Icon}
      primary={primary}
      bare={label === undefined}
      iconOnly={label === undefined}
      small={small}
      title={`Copy ${what}`}
      // Such labels name what is copied themselves.
      aria-label={label?.startsWith('Copy ') ? undefined : `Copy ${what}`}
      tabIndex={inTable ? -1 : undefined}
      onClick={copy}
    >
      {label}
      <span className="unseen" role="status">
        {result === null ? '' : `${what} ${result}`}
      </span>
    </Button>
  )
}

/** The Clipboard API needs a permission that the desktop window does not grant; `execCommand` needs none. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelecting(text)
  }
}

function copyBySelecting(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // While a popover is open, elements outside of it cannot be selected.
  ;(focused?.parentElement ?? document.body).append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}

interface ChipProps extends React.ComponentProps<'button'> {
  /** A toggle that is on or off. */
  readonly pressed?: boolean | undefined
  /** An active filter. */
  readonly on?: boolean | undefined
}

/** A small button: a toggle, a filter, or the trigger of a menu. */
export function Chip({ pressed, on = false, className, ...button }: ChipProps) {
  return (
    <button
      type="button"
      className={cx(styles.chip, className)}
      aria-pressed={pressed}
      data-on={on ? '' : undefined}
      {...button}
    />
  )
}

/** The same shape without a button. */
export const Tag = ({ className, ...span }: React.ComponentProps<'span'>) => (
  <span className={cx(styles.chip, className)} {...span} />
)

interface FileButtonProps {
  /** The label of the file input, for screen readers and tests. */
  readonly label: string
  readonly accept: string
  readonly onFile: (file: File) => void
  readonly children: React.ReactNode
}

/** A button that lets the user choose a file. */
export function FileButton({ label, accept, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onFile(file)
          // Allows choosing the same file again.
          target.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>{children}</Button>
    </>
  )
}
