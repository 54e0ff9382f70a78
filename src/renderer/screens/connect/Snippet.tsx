import { useState } from 'react'
import { CopyButton } from '../../ui/Button.tsx'
import { CodeBlock, codeStyles } from '../../ui/CodeBlock.tsx'
import { cx } from '../../ui/cx.ts'
import { Stack } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Notice.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Connect.module.css'
import type { Language } from './snippets.ts'

interface SnippetProps<V> {
  readonly label: string
  /** What the code is, for the name of the copy button. */
  readonly what: string
  readonly languages: readonly Language<V>[]
  readonly values: V
  /** Below the code, after the instructions. */
  readonly note: string
}

export function Snippet<V extends object>({ label, what, languages, values, note }: SnippetProps<V>) {
  const [name, setName] = useState(languages[0]!.name)
  const chosen = languages.find((language) => language.name === name)!
  return (
    <Tabs render={<section aria-label={label} />} value={name} onValueChange={setName}>
      <TabBar label="Language" tabs={languages.map((language) => ({ value: language.name, label: language.name }))}>
        <span className="end row">
          <CopyButton text={() => chosen.write(values)} what={`${what} ${name}`} label="Copy" primary />
        </span>
      </TabBar>
      {languages.map((language) => (
        <TabPanel key={language.name} value={language.name} className={cx('row', styles.panel)}>
          <SourceCode language={language} values={values} />
        </TabPanel>
      ))}
      <Note>
        {chosen.instructions} {note}
      </Note>
    </Tabs>
  )
}

function SourceCode<V extends object>({ language, values }: { language: Language<V>; values: V }) {
  const lines = language.write(values).trimEnd().split('\n')
  const shown = Object.values(values).map(String)
  return (
    <CodeBlock className={cx('grow', styles.code)} tabIndex={0}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number.
        <span key={at} className={line.trimStart().startsWith(language.commentMarker) ? codeStyles.comment : undefined}>
          {highlightValues(line, shown)}
        </span>
      ))}
    </CodeBlock>
  )
}

function highlightValues(line: string, values: readonly string[]): React.ReactNode {
  const value = values.find((candidate) => candidate !== '' && line.includes(candidate))
  if (value === undefined) return line
  const at = line.indexOf(value)
  const rest = line.slice(at + value.length)
  return (
    <>
      {line.slice(0, at)}
      <span className={codeStyles.value}>{value}</span>
      {highlightValues(
        rest,
        values.filter((other) => other !== value),
      )}
    </>
  )
}

/** A value to copy. */
export function ValueLine({ name, value }: { name: string; value: string }) {
  return (
    <Stack columns="88px minmax(0, 1fr) auto" gap={4} pad="4 16" least={40} line="top" style={CENTERED} data-value-line>
      <span className="data faint">{name}</span>
      <code className="wrap" style={{ lineHeight: '16px' }}>
        <Text>{value}</Text>
      </code>
      <CopyButton text={value} what={name} label="Copy" />
    </Stack>
  )
}

const CENTERED = { alignItems: 'center', alignContent: 'center' }
