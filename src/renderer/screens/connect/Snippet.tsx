import { Tabs } from '@base-ui/react/tabs'
import { useState } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Language, languages, type Values } from './snippets.ts'

export function Snippet({ values }: { values: Values }) {
  const [name, setName] = useState(languages[0]!.name)
  const chosen = languages.find((language) => language.name === name)!
  return (
    <Tabs.Root render={<section aria-label="The first call" />} value={name} onValueChange={setName}>
      <div className="tabs">
        <Tabs.List aria-label="Language">
          {languages.map((language) => (
            <Tabs.Tab key={language.name} value={language.name}>
              {language.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <span className="end row">
          <CopyButton text={() => chosen.write(values)} what={`snippet for ${name}`} label="Copy" likeliest />
        </span>
      </div>
      {languages.map((language) => (
        <Tabs.Panel key={language.name} value={language.name} className="panel row" style={{ alignItems: 'stretch' }}>
          <Source language={language} values={values} />
        </Tabs.Panel>
      ))}
      <p className="note">{chosen.how} The values are filled in.</p>
    </Tabs.Root>
  )
}

function Source({ language, values }: { language: Language; values: Values }) {
  const lines = language.write(values).trimEnd().split('\n')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <pre className="code grow" tabIndex={0}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number.
        <span key={at} className={line.trimStart().startsWith(language.remark) ? 'c' : undefined}>
          {marked(line, Object.values(values))}
        </span>
      ))}
    </pre>
  )
}

/** The values that were filled in stand out. */
function marked(line: string, values: readonly string[]): React.ReactNode {
  const value = values.find((candidate) => candidate !== '' && line.includes(candidate))
  if (value === undefined) return line
  const at = line.indexOf(value)
  const rest = line.slice(at + value.length)
  return (
    <>
      {line.slice(0, at)}
      <span className="v">{value}</span>
      {marked(
        rest,
        values.filter((other) => other !== value),
      )}
    </>
  )
}
