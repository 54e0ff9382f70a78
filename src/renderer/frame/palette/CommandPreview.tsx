import { glyphOfTask, signalOfTask } from '../../components/task-glyph.ts'
import { plural } from '../../format/numbers.ts'
import { formatShortInstant } from '../../format/time.ts'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Text } from '../../ui/Text.tsx'
import type { Command } from './command.ts'
import styles from './Palette.module.css'

/** The tasks that a command would run, before it is run. */
export function CommandPreview({ command: { title, detail, preview } }: { command: Command }) {
  const tasks = preview?.tasks ?? []
  return (
    <section className={styles.preview} aria-label="Preview" aria-live="polite">
      <h2>{title}</h2>
      <p className="soft">{preview?.text ?? `${detail ? `${detail}. ` : ''}It runs no task.`}</p>
      {tasks.length > 0 && (
        <ol>
          {tasks.map((task) => (
            <li key={task.uid}>
              <time dateTime={task.due_at}>{formatShortInstant(Date.parse(task.due_at))}</time>
              <GlyphText signal={signalOfTask(glyphOfTask(task))}>
                <Glyph name={glyphOfTask(task)} />
                {task.kind}
              </GlyphText>
              <Text className="soft wrap">{task.why}</Text>
            </li>
          ))}
        </ol>
      )}
      {preview && preview.count > tasks.length && (
        <p className="meta">and {plural(preview.count - tasks.length, 'more task')}</p>
      )}
      <p className="meta">
        <kbd>Enter</kbd> runs the command, <kbd>Esc</kbd> goes back. These tasks may schedule others, which then run,
        too.
      </p>
    </section>
  )
}
