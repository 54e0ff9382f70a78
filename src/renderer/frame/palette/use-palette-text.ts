import { useEffect, useRef, useState } from 'react'
import { attempt } from '../../actions/action.ts'
import { closePalette, usePalette } from '../../data/overlays.ts'
import { showTrial } from '../../data/trying.ts'
import { type Command, rememberCommand } from './command.ts'
import { useCommands } from './use-commands.ts'

export interface PaletteTextProps {
  readonly onDone: (message: string | undefined, afterwards: (() => void) | undefined, hasNavigated: boolean) => void
}

/** The typed text, the commands that match it, and the keys of the palette. */
export function usePaletteText({ onDone }: PaletteTextProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { times, early } = usePalette()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened again before it was gone, it still has the text of before.
  useEffect(() => write(''), [times])
  useEffect(() => {
    if (early === '') return
    usePalette.setState({ early: '' })
    setText((typed) => typed + early)
    input.current?.focus()
  }, [early])
  const [refused, setRefused] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const { groups, isSearching } = useCommands(text)
  const commands = groups.flatMap(({ items }) => items)
  const highlighted = useRef<Command | undefined>(undefined)
  /** Enter was pressed during the search for a pasted uid: run the first result. */
  const runsFirst = useRef(false)

  const write = (value: string) => {
    setText(value)
    setRefused(null)
    runsFirst.current = false
    highlighted.current = undefined
  }
  const act = async (command: Command) => {
    if (busy) return
    if (!command.run) return write(command.fill ?? '')
    if (command.blocked) return setRefused(command.blocked)
    const before = location.hash
    setBusy(true)
    setRefused(null)
    const { refused, message, afterwards } = await attempt(command.run)
    setBusy(false)
    if (refused !== undefined) return setRefused(refused)
    if (REPEATABLE.test(command.id)) rememberCommand(command.id)
    onDone(message, afterwards, location.hash !== before)
  }

  const [first] = commands
  useEffect(() => {
    if (!runsFirst.current || isSearching || !first) return
    runsFirst.current = false
    void act(first)
  })

  const onKeyDown = (event: React.KeyboardEvent & { preventBaseUIHandler(): void }) => {
    const consume = () => {
      event.preventDefault()
      event.preventBaseUIHandler()
    }
    // The highlighted command in its current form. Right after a key press none is highlighted yet: take the first.
    const highlightedId = highlighted.current?.id
    const chosen = commands.find(({ id }) => id === highlightedId) ?? first
    if (event.key === 'Escape') {
      consume()
      event.stopPropagation()
      closePalette()
    } else if (event.key === 'Tab' && !event.shiftKey && chosen) {
      consume()
      write(chosen.fill ?? chosen.title)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      consume()
      if (chosen?.tries) showTrial({ title: `Try it: ${chosen.title}`, calls: chosen.tries })
      else if (chosen) setRefused('It does not change the world: there is nothing to try.')
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      consume()
      if (chosen) void act(chosen)
      else runsFirst.current = isSearching
    }
  }

  return { text, write, input, groups, isSearching, highlighted, refused, act, onKeyDown }
}

/** Only these commands are remembered as recent: the others belong to one record or one text. */
const REPEATABLE =
  /^(go|advance (next|hour|businessDay|idle)|advance$|mode|pace|keep|undo|redo|copy address|clear faults|new |import|export|theme |keys|key|begin )/
