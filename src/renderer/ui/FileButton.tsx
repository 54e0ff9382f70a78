import { useRef } from 'react'
import { Button } from './Button.tsx'

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
