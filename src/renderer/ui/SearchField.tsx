import { Search, X } from 'lucide-react'
import { useRef } from 'react'

interface SearchFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly placeholder: string
  readonly width: number
}

/** The key `/` finds it by `data-search`; Escape clears it first and leaves it then. */
export function SearchField({ value, onChange, label, placeholder, width }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <span className="field" style={{ width }}>
      <Search size={13} strokeWidth={1.6} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        data-search
        aria-label={label}
        placeholder={placeholder}
        value={value}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (value === '') input.current?.blur()
          else onChange('')
        }}
      />
      {value === '' ? (
        <kbd>/</kbd>
      ) : (
        <button
          type="button"
          className="btn"
          data-bare
          data-icon
          data-small
          aria-label="Clear"
          onClick={() => onChange('')}
        >
          <X size={12} aria-hidden="true" />
        </button>
      )}
    </span>
  )
}
