import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { copyText } from './copy.ts'

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
