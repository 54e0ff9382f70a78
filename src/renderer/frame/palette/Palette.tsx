import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { focusWaitingScreen } from '../../components/focus.ts'
import { glyphOfTask, signalOfTask } from '../../components/task-glyph.ts'
import { collections } from '../../data/collections.ts'
import { closePalette, usePalette } from '../../data/palette.ts'
import { useRoute } from '../../data/route.ts'
import { screenList } from '../../data/screen-list.ts'
import { plural } from '../../format/numbers.ts'
import { formatShortInstant } from '../../format/time.ts'
import { Glyph } from '../../ui/Glyph.tsx'
import { MODIFIER } from '../../ui/modifier-key.ts'
import { Text } from '../../ui/Text.tsx'
import type { Command, CommandGroup } from './command.ts'
import { remember } from './recent.ts'
import { useCommands } from './use-commands.ts'
import './palette.css'

interface PaletteProps {
  readonly showKeys: () => void
  readonly said: (text: string) => void
}

/** Everything that can be done and everywhere one can go, by a few letters. */
export function Palette({ showKeys, said }: PaletteProps) {
  const open = usePalette((state) => state.open)
  /** What is to be done when it has closed; the focus then goes along, and not back to where it was. */
  const after = useRef<(() => void) | null>(null)
  const leaves = useRef(false)
  useEffect(() => {
    if (open) leaves.current = false
  }, [open])
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(to) => !to && closePalette()}
      onOpenChangeComplete={(is) => {
        if (is) return
        focusWaitingScreen()
        after.current?.()
        after.current = null
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="palette" aria-label="Command palette" finalFocus={() => !leaves.current}>
          <Asking
            showKeys={showKeys}
            onDone={(told, afterwards, travels) => {
              if (told) said(told)
              after.current = afterwards ?? null
              leaves.current = travels || afterwards !== undefined
              closePalette()
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface AskingProps {
  readonly showKeys: () => void
  readonly onDone: (said: string | undefined, afterwards: (() => void) | undefined, travels: boolean) => void
}

function Asking({ showKeys, onDone }: AskingProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const early = usePalette((state) => state.early)
  useEffect(() => {
    if (early === '') return
    usePalette.setState({ early: '' })
    setText((was) => was + early)
    input.current?.focus()
  }, [early])
  const [refused, setRefused] = useState<string | null>(null)
  const [previewed, setPreviewed] = useState<Command | null>(null)
  const [busy, setBusy] = useState(false)
  const { groups, looking } = useCommands(text, showKeys)
  const highlighted = useRef<Command | undefined>(undefined)
  /** Enter was pressed while a pasted uid was still looked for. */
  const eager = useRef(false)
  const place = useRoute(({ screen, collection }) =>
    screen === 'record' ? (collection ? collections[collection].one : 'Record') : screen && screenList[screen].name,
  )

  const write = (to: string) => {
    setText(to)
    setRefused(null)
    setPreviewed(null)
    eager.current = false
    highlighted.current = undefined
  }
  const act = async (command: Command) => {
    if (busy) return
    if (!command.run) return write(command.fill ?? '')
    const before = location.hash
    setBusy(true)
    setRefused(null)
    const told = await command.run()
    setBusy(false)
    if (told?.refused !== undefined) return setRefused(told.refused)
    if (LASTING.test(command.id)) remember(command.id)
    onDone(told?.said, told?.afterwards, location.hash !== before)
  }

  const first = groups[0]?.items[0]
  useEffect(() => {
    if (!eager.current || looking || !first) return
    eager.current = false
    void act(first)
  })

  const onKeyDown = (event: React.KeyboardEvent & { preventBaseUIHandler(): void }) => {
    const mine = () => {
      event.preventDefault()
      event.preventBaseUIHandler()
    }
    // What is highlighted, as it is now; right after a letter nothing is yet, and the first one is meant.
    const meant = highlighted.current?.id
    const chosen = previewed ?? groups.flatMap(({ items }) => items).find(({ id }) => id === meant) ?? first
    if (event.key === 'Escape') {
      mine()
      event.stopPropagation()
      if (previewed) setPreviewed(null)
      else closePalette()
    } else if (event.key === 'Tab' && !event.shiftKey && chosen) {
      mine()
      write(chosen.fill ?? chosen.title)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      mine()
      if (chosen) setPreviewed(chosen)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      mine()
      if (chosen) void act(chosen)
      else eager.current = looking
    } else if (previewed && event.key.startsWith('Arrow')) mine()
  }

  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={text}
      onValueChange={(to, { reason }) => reason !== 'item-press' && write(to)}
      itemToStringValue={(command: Command) => command.title}
      autoHighlight="always"
      keepHighlight
      onItemHighlighted={(command) => void (highlighted.current = command)}
    >
      <div className="ask">
        <Search size={15} strokeWidth={1.6} aria-hidden="true" />
        <Autocomplete.Input
          ref={input}
          aria-label="What to do, where to go, what to find"
          placeholder="What to do, where to go, what to find"
          spellCheck={false}
          autoComplete="off"
          maxLength={1_000}
          onKeyDown={onKeyDown}
        />
        {place && <span className="chip">{place}</span>}
        <Dialog.Close className="btn esc" data-bare data-small>
          <kbd>Esc</kbd>
          <span className="unseen">closes</span>
        </Dialog.Close>
      </div>
      {refused !== null && (
        <p className="notice" role="alert">
          <b>That was refused.</b> <Text className="wrap">{refused}</Text>
        </p>
      )}
      {previewed && <PreviewOf command={previewed} />}
      <div className="found" hidden={previewed !== null}>
        <Autocomplete.Empty className="unfound">
          {text.trim() !== '' && (looking ? 'Looking for it…' : 'Nothing fits.')}
        </Autocomplete.Empty>
        <Autocomplete.List aria-label="Commands and records">
          {(group: CommandGroup) => (
            <Autocomplete.Group key={group.title} items={group.items as Command[]}>
              <Autocomplete.GroupLabel className="meta">{group.title}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    className="command"
                    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the option that is meant.
                    render={(props, { highlighted: is }) => <div role="option" {...props} aria-selected={is} />}
                    onClick={() => void act(command)}
                  >
                    <Line command={command} />
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </div>
      <Autocomplete.Status className="unseen">
        {plural(
          groups.reduce((sum, { items }) => sum + items.length, 0),
          'result',
        )}
      </Autocomplete.Status>
      <div className="foot">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> do it
        </span>
        <span>
          <kbd>Tab</kbd> fill in
        </span>
        <span>
          <kbd>{MODIFIER} Enter</kbd> {previewed ? 'shown' : 'show first what would run'}
        </span>
        <button
          type="button"
          className="btn end"
          data-bare
          data-small
          onClick={() => onDone(undefined, showKeys, false)}
        >
          <kbd>?</kbd> all keys
        </button>
      </div>
    </Autocomplete.Root>
  )
}

/** What is of this record or this text alone is not worth remembering. */
const LASTING =
  /^(go|advance (next|hour|business day|idle)|advance$|mode|pace|keep|undo|copy address|clear faults|new |import|export|theme |keys|key|begin )/

function Line({ command: { icon: Icon, title, marks = [], detail, keys = [] } }: { command: Command }) {
  return (
    <>
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      <span className="cut" title={title}>
        <Marked text={title} marks={marks} />
      </span>
      <span className="faint" title={detail}>
        {detail !== undefined && <Text>{detail}</Text>}
      </span>
      <span className="strokes" aria-hidden="true">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </>
  )
}

function Marked({ text, marks }: { text: string; marks: NonNullable<Command['marks']> }) {
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

const MOST_TASKS = 40

function PreviewOf({ command: { title, detail, preview } }: { command: Command }) {
  const tasks = preview?.tasks ?? []
  return (
    <section className="preview" aria-label="What would run" aria-live="polite">
      <h2>{title}</h2>
      <p className="soft">{preview?.says ?? `${detail ? `${detail}. ` : ''}No task runs by it.`}</p>
      {tasks.length > 0 && (
        <ol>
          {tasks.slice(0, MOST_TASKS).map((task) => (
            <li key={task.uid}>
              <time dateTime={task.due_at}>{formatShortInstant(Date.parse(task.due_at))}</time>
              <span className="st" data-signal={signalOfTask(glyphOfTask(task))}>
                <Glyph name={glyphOfTask(task)} />
                {task.kind}
              </span>
              <Text className="soft wrap">{task.why}</Text>
            </li>
          ))}
        </ol>
      )}
      {tasks.length > MOST_TASKS && <p className="meta">and {plural(tasks.length - MOST_TASKS, 'more task')}</p>}
      <p className="meta">
        <kbd>Enter</kbd> does it, <kbd>Esc</kbd> goes back. What these tasks lead to may fall due on the way, too.
      </p>
    </section>
  )
}
