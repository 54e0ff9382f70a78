import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from './Button.tsx'
import { TextInput } from './Field.tsx'

interface SearchFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly placeholder: string
  readonly width: number
  readonly className?: string | undefined
}

/** The key `/` focuses it (found by `data-search`). Escape clears it, and leaves it if it is empty. */
export function SearchField({ value, onChange, label, placeholder, width, className }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <TextInput
      ref={input}
      type="search"
      data-search=""
      className={className}
      style={{ width }}
      before={<Search size={13} strokeWidth={1.6} aria-hidden="true" />}
      after={
        value === '' ? <kbd>/</kbd> : <Button icon={X} bare small aria-label="Clear" onClick={() => onChange('')} />
      }
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (value === '') input.current?.blur()
        else onChange('')
      }}
    />
  )
}
