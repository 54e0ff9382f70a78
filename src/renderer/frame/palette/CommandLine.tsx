import { Text } from '../../ui/Text.tsx'
import type { Command } from './command.ts'
import styles from './Palette.module.css'

export function CommandLine({ command: { icon: Icon, title, marks = [], detail, keys = [] } }: { command: Command }) {
  return (
    <>
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      <span className="cut" title={title}>
        <MarkedText text={title} marks={marks} />
      </span>
      <span className="faint" title={detail}>
        {detail !== undefined && <Text>{detail}</Text>}
      </span>
      <span className={styles.keys} aria-hidden="true">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </>
  )
}

function MarkedText({ text, marks }: { text: string; marks: NonNullable<Command['marks']> }) {
  const pieces: React.ReactNode[] = []
  let at = 0
  for (const [from, to] of marks) {
    pieces.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>)
    at = to
  }
  return (
    <bdi>
      {pieces}
      {text.slice(at)}
    </bdi>
  )
}
