import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { copyText } from './copy.ts'

interface CopyButtonProps {
  readonly text: string | (() => string)
  /** What is copied, for whoever hears the button: "Base URL". */
  readonly what: string
  /** Shown beside the sign; without it the sign stands alone. */
  readonly label?: string
  readonly primary?: boolean
  readonly small?: boolean
  /** Inside of a table, which is one stop of the Tab key. */
  readonly inTable?: boolean
}

const SAID_MS = 1_500

export function CopyButton({ text, what, label, primary, small, inTable }: CopyButtonProps) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const press = async (event: React.MouseEvent) => {
    event.stopPropagation()
    setSaid((await copyText(typeof text === 'string' ? text : text())) ? 'copied' : 'failed')
  }
  const Sign = said === 'copied' ? Check : Copy
  return (
    <Button
      primary={primary}
      bare={label === undefined}
      iconOnly={label === undefined}
      small={small}
      title={`Copy ${what}`}
      // A longer label says itself what it copies.
      aria-label={label === undefined || label === 'Copy' ? `Copy ${what}` : undefined}
      tabIndex={inTable ? -1 : undefined}
      onClick={press}
    >
      <Sign size={13} strokeWidth={1.6} aria-hidden="true" />
      {label}
      <span className="unseen" role="status">
        {said === null ? '' : `${what} ${said}`}
      </span>
    </Button>
  )
}
