import { Upload } from 'lucide-react'
import { useId, useState } from 'react'
import { useFeed } from '../../data/feed.ts'
import { type ImportedFile, isBundle, NotTextError, readFileText } from '../../data/replay-input.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Row, Stack } from '../../ui/Box.tsx'
import { FileButton } from '../../ui/FileButton.tsx'
import { Text } from '../../ui/Text.tsx'
import { TextArea } from '../../ui/TextArea.tsx'

interface ImportSourceProps {
  readonly source: ImportedFile | null
  readonly onChange: (source: ImportedFile | null) => void
}

/** The name of pasted text, which the title of its replay shows. */
const PASTED = 'pasted text'

export function ImportSource({ source, onChange }: ImportSourceProps) {
  const [isDragOver, setDragOver] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useId()
  const api = useFeed((feed) => feed.world?.api)
  const pasted = source?.name === PASTED ? source.text : ''
  const readFile = async (file: File | undefined) => {
    setDragOver(false)
    if (!file) return
    try {
      onChange({ name: file.name, text: await readFileText(file) })
      setFailure(null)
    } catch (error) {
      onChange(null)
      setFailure(
        `${file.name} could not be read. ${error instanceof NotTextError ? error.message : 'Choose the file again.'}`,
      )
    }
  }
  return (
    <Stack gap={8} data-import>
      <Row
        wraps
        gap={8}
        pad={12}
        fill={isDragOver ? 'accent' : undefined}
        style={{ border: `1px dashed var(${isDragOver ? '--accent' : '--edge'})`, borderRadius: 'var(--radius)' }}
        onDragOver={(event) => {
          event.preventDefault()
          setDragOver(true)
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          void readFile(event.dataTransfer.files[0])
        }}
      >
        <FileButton
          label="File to import"
          accept=".har,.json,.txt,.sh,.sandbank,text/*,application/json"
          onFile={(file) => void readFile(file)}
        >
          <Upload size={12} strokeWidth={1.8} aria-hidden="true" />
          Choose a file…
        </FileButton>
        <span className="data soft">or drop it here: a HAR file, curl commands or a Sandbank bundle.</span>
      </Row>
      <p className="data" role="status">
        {source && source.name !== PASTED ? (
          <>
            <b>
              <Text>{source.name}</Text>
            </b>
            , {isBundle(source.text) ? 'a bundle' : 'a recording'} of{' '}
            {formatCount(Math.ceil(source.text.length / 1024))} kB
          </>
        ) : (
          <span className="faint">No file chosen.</span>
        )}
      </p>
      {failure !== null && (
        <p className="data bad wrap" role="alert">
          {failure}
        </p>
      )}
      <label htmlFor={field} className="data soft">
        Or paste curl commands, e.g. from the browser’s “Copy as cURL (bash)”
      </label>
      <TextArea
        id={field}
        value={pasted}
        rows={8}
        spellCheck={false}
        placeholder={`curl ${api ?? ''}/customers \\\n  -H "Authorization: …" -H "x-trace-id: …"`}
        onChange={(event) => {
          setFailure(null)
          onChange(event.target.value.trim() === '' ? null : { name: PASTED, text: event.target.value })
        }}
      />
      <p className="meta" style={{ minHeight: 16 }}>
        {pasted === '' ? '' : plural(pasted.split('\n').length, 'line')}
      </p>
    </Stack>
  )
}
